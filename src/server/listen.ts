// Where the server listens, and what keeps it from doing so, in words.
import type { FastifyInstance } from 'fastify';
import { request } from '../platform/outbound/request.ts';

type Place = { host: string; port: number };

/** Listens; answers the address with the real port. Throws a sentence for the operator where it cannot. */
export async function listen(http: FastifyInstance, place: Place): Promise<string> {
  try {
    return await http.listen(place);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const sentence = await WHY[code ?? '']?.(place);
    throw sentence === undefined ? error : new Error(sentence, { cause: error });
  }
}

const WHY: Record<string, (place: Place) => string | Promise<string>> = {
  EADDRINUSE: async ({ host, port }) =>
    `Port ${port} on ${host} is in use${(await isTocsin(host, port)) ? ', by another Tocsin server' : ''}. ` +
    `See by whom: ${whoListens(port)}. Stop that, or start with another PORT.`,
  EACCES: ({ port }) =>
    `This user may not listen on port ${port}: ports below 1024 are for root. Start with a higher PORT and put a proxy in front.`,
  EADDRNOTAVAIL: ({ host }) =>
    `HOST is ${host}, which is no address of this machine. Set it to one of them, to 127.0.0.1 for this machine only, or to 0.0.0.0 for all.`,
  ENOTFOUND: ({ host }) =>
    `HOST is ${host}, a name that has no address. Set it to an address of this machine, or to 0.0.0.0 for all of them.`,
};

/** The command of this system that names the process. */
function whoListens(port: number): string {
  if (process.platform === 'win32') return `netstat -ano | findstr :${port}`;
  return process.platform === 'linux' ? `ss -ltnp "sport = :${port}"` : `lsof -nP -iTCP:${port} -sTCP:LISTEN`;
}

async function isTocsin(host: string, port: number): Promise<boolean> {
  const at = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const url = `http://${at.includes(':') ? `[${at}]` : at}:${port}/healthz`;
  const asked = {
    url,
    method: 'GET' as const,
    headers: {},
    policy: { allowPrivate: true },
    timeoutMs: 1_000,
  };
  const reply = await request(asked).catch(() => null);
  return reply?.status === 200 && /^\{"ok":true,"version":"/.test(reply.bodyText);
}
