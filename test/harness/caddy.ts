// A real Caddy of a test's own: a process with its own folder and ports, whose admin API listens on loopback and which is
// told nothing else. What it serves, Tocsin says.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { closedPort } from './listeners.ts';
import { findServer } from './provide-servers.ts';
import { until } from './until.ts';

const PROGRAM = findServer('caddy');
/** For `test(…, { skip })`. */
export const noCaddy = (): string | false => (PROGRAM === null ? 'no Caddy on this machine' : false);

export type Ports = { http: number; https: number };

export const edgePorts = async (): Promise<Ports> => ({
  http: await closedPort(),
  https: await closedPort(),
});

export type Caddy = {
  adminUrl: string;
  /** Its configuration; null: none. */
  config: () => Promise<Record<string, unknown> | null>;
  /** Gives it another one, past Tocsin. */
  load: (config: object) => Promise<void>;
  /** The root of its own authority. */
  rootPem: () => Promise<string>;
  kill: () => Promise<void>;
  /** Starts it again: with its certificates, without its configuration. */
  start: () => Promise<void>;
};

/** Starts one, and ends it with the test. */
export async function startCaddy(t: TestContext): Promise<Caddy> {
  const dir = await mkdtemp(join(tmpdir(), 'tocsin-caddy-'));
  const admin = `127.0.0.1:${await closedPort()}`;
  const adminUrl = `http://${admin}`;
  const config = join(dir, 'caddy.json');
  await writeFile(config, JSON.stringify({ admin: { listen: admin } }));
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
    const started = spawn(PROGRAM ?? '', ['run', '--config', config], { env, cwd: dir, stdio: 'ignore' });
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
