// What stands before the servers: passes each request to the next of them in turn, as a proxy does, and counts the answers.
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../harness/until.ts';

/** A server behind it, named by its version. */
export type Backend = { name: string; url: string };
/** An answer that is none, or says that something went wrong. */
export type Failed = { backend: string; what: string; status: number | string };

export type Front = AsyncDisposable & {
  url: string;
  add: (backend: Backend) => void;
  /** Gives it nothing new, and resolves once it has answered everything but its streams. */
  drain: (backend: Backend) => Promise<void>;
  /** Answers by server and status. */
  counts: () => ReadonlyMap<string, number>;
  failed: () => readonly Failed[];
};

/** The live stream of an organization. */
const STREAM = /\/events(\?|$)/;
/** The longest that a server may take to answer what it has. */
const DRAINED_WITHIN_MS = 60_000;

export async function startFront(): Promise<Front> {
  const agent = new Agent({ keepAlive: true });
  const backends: Backend[] = [];
  const underWay = new Map<Backend, number>();
  const counts = new Map<string, number>();
  const failed: Failed[] = [];
  let turn = 0;

  const pass = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const backend = backends[turn++ % backends.length];
    if (!backend) return void outgoing.writeHead(503).end();
    const what = `${incoming.method} ${incoming.url?.replace(/\?.*/, '')}`;
    const isStream = STREAM.test(incoming.url ?? '');
    const count = (status: number | string) => {
      const key = `${backend.name} ${status}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      if (typeof status === 'string' || status >= 400) failed.push({ backend: backend.name, what, status });
    };
    let open = !isStream;
    if (open) underWay.set(backend, (underWay.get(backend) ?? 0) + 1);
    const over = () => {
      if (open) underWay.set(backend, (underWay.get(backend) ?? 0) - 1);
      open = false;
    };
    const { method, headers } = incoming;
    // A stream ends with its server: on a connection of its own nothing else ends with it.
    const connection = isStream ? { agent: false as const } : { agent };
    const passed = request(backend.url + incoming.url, { method, headers, ...connection }, (answer) => {
      count(answer.statusCode ?? 0);
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
      answer.once('close', over);
      answer.once('error', () => outgoing.destroy());
    });
    passed.once('error', (error: NodeJS.ErrnoException) => {
      over();
      if (outgoing.headersSent) return void outgoing.destroy();
      count(error.code ?? error.message);
      outgoing.writeHead(502).end();
    });
    outgoing.once('close', () => passed.destroy());
    incoming.pipe(passed);
  };
  const server = createServer(pass);
  server.requestTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (backend) => void backends.push(backend),
    async drain(backend) {
      backends.splice(backends.indexOf(backend), 1);
      const isIdle = () => (underWay.get(backend) ?? 0) === 0;
      await until(isIdle, `${backend.name} has answered everything`, DRAINED_WITHIN_MS);
    },
    counts: () => counts,
    failed: () => failed,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}
