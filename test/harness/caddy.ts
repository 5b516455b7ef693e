// A real Caddy of a test's own: a process with its own folder and ports, whose admin API listens on loopback and which has no
// configuration but the one that Tocsin gives it.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http, { type RequestOptions } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { closedPort, httpServer } from './listeners.ts';
import { findServer } from './provide-servers.ts';
import { until } from './until.ts';

const PROGRAM = findServer('caddy');
/** For `test(…, { skip })`. */
export const noCaddy = (): string | false => (PROGRAM === null ? 'no Caddy on this machine' : false);

/** The same for a test with a second one on the same ports, which needs a network of its own. */
export const noSecondCaddy = (): string | false =>
  noCaddy() ||
  (spawnSync('unshare', ['-n', 'true']).status !== 0 && 'no networks of their own on this machine');

export type Ports = { http: number; https: number };

export const edgePorts = async (): Promise<Ports> => ({
  http: await closedPort(),
  https: await closedPort(),
});

export type Caddy = {
  adminUrl: string;
  /** Its configuration; null: none. */
  config: () => Promise<Record<string, unknown> | null>;
  /** Gives it another one, bypassing Tocsin. */
  load: (config: object) => Promise<void>;
  /** The root certificate of its own authority. */
  rootPem: () => Promise<string>;
  kill: () => Promise<void>;
  /** Restarts it: with its certificates, without its configuration. */
  start: () => Promise<void>;
};

/**
 * Starts one, and ends it with the test. One that is `apart` has its own network, in which only its admin API can be reached.
 */
export async function startCaddy(t: TestContext, { apart = false } = {}): Promise<Caddy> {
  const dir = await mkdtemp(join(tmpdir(), 'tocsin-caddy-'));
  const socketPath = join(dir, 'admin');
  const at = `127.0.0.1:${apart ? await passesTo(t, { socketPath }) : await closedPort()}`;
  const admin = apart ? { listen: `unix/${socketPath}`, origins: ['127.0.0.1'] } : { listen: at };
  const adminUrl = `http://${at}`;
  const config = join(dir, 'caddy.json');
  await writeFile(config, JSON.stringify({ admin }));
  let child: ChildProcess | null = null;

  const kill = async () => {
    const running = child;
    child = null;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    running.kill('SIGKILL');
    await once(running, 'exit');
  };
  const start = async () => {
    const env = { PATH: process.env.PATH, HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir };
    await rm(socketPath, { force: true });
    const words = [...(apart ? ['unshare', '-n'] : []), PROGRAM ?? '', 'run', '--config', config];
    const started = spawn(words[0] ?? '', words.slice(1), { env, cwd: dir, stdio: 'ignore' });
    child = started;
    const answers = () =>
      fetch(`${adminUrl}/config/`).then(
        (reply) => reply.ok,
        () => false,
      );
    await until(async () => {
      if (started.exitCode !== null) throw new Error(`Caddy ended with ${started.exitCode}`);
      return answers();
    }, 'Caddy answers');
  };
  t.after(async () => {
    await kill();
    await rm(dir, { recursive: true, force: true });
  });
  await start();
  return {
    ...{ adminUrl, kill, start },
    config: async () =>
      (await fetch(`${adminUrl}/config/`)).json() as Promise<Record<string, unknown> | null>,
    async load(given) {
      const headers = { 'content-type': 'application/json' };
      const reply = await fetch(`${adminUrl}/load`, { method: 'POST', headers, body: JSON.stringify(given) });
      if (!reply.ok) throw new Error(await reply.text());
    },
    async rootPem() {
      const reply = await fetch(`${adminUrl}/pki/ca/local`);
      return ((await reply.json()) as { root_certificate: string }).root_certificate;
    },
  };
}

/** Forwards requests to an admin API; returns its own port. `onRequest` sees each request. */
export function passesTo(
  t: TestContext,
  to: Pick<RequestOptions, 'socketPath' | 'host' | 'port'>,
  onRequest: (method: string) => void = () => undefined,
): Promise<number> {
  return httpServer(t, (request, response) => {
    const { method = 'GET', url: path } = request;
    onRequest(method);
    const host = to.host ? `${to.host}:${to.port}` : '127.0.0.1';
    const headers = { ...request.headers, host };
    const passed = http.request({ ...to, path, method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
}
