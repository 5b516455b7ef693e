// A container of Tocsin, started as docs/installing.md#as-a-container has it.
import assert from 'node:assert/strict';
import { type Client, makeClient, signIn } from '#test/harness/client.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { until } from '#test/harness/until.ts';
import type { Podman } from './podman.ts';

export const IMAGE = 'localhost/tocsin:trial';
/** Nothing that can be written but the volume and /tmp, no capability, and no way to get one. */
export const CLOSED = ['--read-only', '--cap-drop', 'all', '--security-opt', 'no-new-privileges'];
const PING = ['--sysctl', 'net.ipv4.ping_group_range=0 2147483647'];
/** A network that only this Podman knows: what others left of the usual one is not in its way. */
export const NETWORK = 'trial';
const START_WITHIN_MS = 180_000;

/** As an environment on podman's command line. */
export const given = (env: Record<string, string>): string[] =>
  Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);

export type Running = { url: string; readyAfterMs: number; admin: () => Promise<Client> };

/** Starts the whole of Tocsin on a volume, and waits until it is ready. */
export async function startWhole(podman: Podman, name: string, port: number): Promise<Running> {
  const startedAt = performance.now();
  const env = {
    ...{ CANARIES: 'none', BASE_URL: `http://127.0.0.1:${port}` },
    ...{ ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
  };
  const place = ['--network', NETWORK, '--volume', 'tocsin:/data', '--publish', `127.0.0.1:${port}:3300`];
  await podman.run('run', '--detach', '--name', name, ...CLOSED, ...PING, ...place, ...given(env), IMAGE);
  const url = `http://127.0.0.1:${port}`;
  await ready(url);
  const readyAfterMs = Math.round(performance.now() - startedAt);
  return { url, readyAfterMs, admin: () => signedIn(url, ADMIN.email, ADMIN.password) };
}

async function signedIn(url: string, email: string, password: string): Promise<Client> {
  const client = makeClient(url);
  await signIn(client, email, password);
  return client;
}

/** Waits for the first 200 of /readyz. */
export const ready = (url: string): Promise<void> =>
  until(
    () =>
      fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
        ({ status }) => status === 200,
        () => false,
      ),
    `${url} is ready`,
    START_WITHIN_MS,
  );

/** Stops a container as its engine does (SIGTERM), and answers in how many milliseconds it ended, in order. */
export async function stopInOrder(podman: Podman, name: string): Promise<number> {
  const startedAt = performance.now();
  await podman.run('stop', '--time', '30', name);
  const tookMs = Math.round(performance.now() - startedAt);
  assert.equal(await podman.run('inspect', '--format', '{{.State.ExitCode}}', name), '0');
  const { out, err } = await podman.say('podman', ['logs', name]);
  assert.match(out + err, /"msg":"stopped"|"Probe stopping"/);
  return tookMs;
}
