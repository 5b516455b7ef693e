// Real processes under fire: an installation, a probe of its own, results posted without end, and kill -9 in the middle.
// The kill journeys run it once each, the soak many times.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { closedPort } from '#test/harness/listeners.ts';
import type { IncidentSummary } from '../src/incidents/contract.ts';
import type { Monitor } from '../src/monitors/contract.ts';
import { hashToken } from '../src/platform/secrets.ts';
import { endOrphan, kill, postgresProcesses, query } from './harness/bundled-postgres.ts';
import type { Client } from './harness/client.ts';
import { type Fire, type Ledger, openFire } from './harness/fire.ts';
import { type Installation, startInstallation } from './harness/installation.ts';
import { programPath } from './harness/program.ts';
import { startTarget } from './harness/target.ts';

const PATIENCE_MS = 60_000;
/** A check a second; one may be missed around the probe's own start of a post, and timers of a loaded machine are late. */
const LONGEST_GAP_MS = 3_500;

export type UnderFire = AsyncDisposable & {
  /** Starts posting; resolves when results are acknowledged, an incident is open and the probe's checks come in. */
  underFire: () => Promise<void>;
  killServer: () => Promise<void>;
  /** Starts the server again on the same folder and port, and waits until results are acknowledged again. */
  restart: () => Promise<void>;
  killPostgres: () => Promise<void>;
  /** Waits until results are acknowledged again. */
  recovered: () => Promise<void>;
  /** Ceases fire and compares everything that was acknowledged with what the database holds. */
  assertNothingLost: () => Promise<{ acknowledged: number; repeated: number }>;
};

/** Starts an installation under fire, on a folder of its own. */
export async function startUnderFire(): Promise<UnderFire> {
  const stack = new AsyncDisposableStack();
  try {
    return await start(stack);
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

async function start(stack: AsyncDisposableStack): Promise<UnderFire> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tocsin-under-fire-'));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const port = await closedPort();
  const open = () => startInstallation({ dataDir, port, env: { LOCAL_PROBE: 'off', RATE_LIMITS: 'off' } });
  let installation: Installation = await open();
  stack.defer(async () => {
    await installation.interrupt();
    await endOrphan(dataDir);
  });
  const { url } = installation;
  const target = await startTarget();
  stack.defer(() => target.stop());

  const tokens = { local: newToken(), fire: newToken() };
  await query(dataDir, async (client) => {
    for (const [slug, token] of Object.entries(tokens))
      await client.query(
        `WITH region AS (INSERT INTO regions (slug, name, allow_private_targets, created_at) VALUES ($1, $1, true, now()) RETURNING no)
         INSERT INTO probe_tokens (hash, region_no, created_at) SELECT $2, no, now() FROM region`,
        [slug, hashToken(token)],
      );
  });
  let alice: Client = await installation.admin();
  const [organization] = await alice.ok<{ id: string }[]>('GET', '/me/organizations');
  const [project] = await alice.ok<{ id: string }[]>('GET', `/organizations/${organization?.id}/projects`);
  const create = (name: string, fields: object) =>
    alice.ok<Monitor>('POST', `/projects/${project?.id}/monitors`, {
      name,
      type: 'http',
      interval_seconds: 1,
      config: { url: target.url },
      ...fields,
    });
  const watched = await create('Watched', { regions: ['local'] });
  const monitors = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      create(`Fired at ${i}`, { regions: ['fire'], interval_seconds: 60 }),
    ),
  );
  const failing = monitors[0] as Monitor;
  const probe = startProbe(url, tokens.local, join(dataDir, 'under-fire-probe'));
  stack.defer(() => end(probe));
  let fire: Fire | null = null;
  const ledger: Ledger = { acknowledged: new Set(), lastMs: 0 };
  stack.defer(async () => fire?.stop());

  const incidents = () => alice.ok<IncidentSummary[]>('GET', `/monitors/${failing.id}/incidents`);
  const acknowledgedMore = async (by: number) => {
    const from = fire?.acknowledged.size ?? 0;
    await until('results are acknowledged', async () => (fire?.acknowledged.size ?? 0) >= from + by);
  };
  let opened: IncidentSummary | null = null;

  return {
    async underFire() {
      fire ??= openFire(url, tokens.fire, monitors, ledger);
      await until('an incident is open', async () => (await incidents()).length > 0);
      if (!opened) [opened = null] = await incidents();
      await until('the probe checks', async () => target.answers.length >= 3);
      await acknowledgedMore(1000);
    },
    async killServer() {
      await installation.kill();
    },
    async restart() {
      // While nobody answers the probe goes on: it has to have something to spool.
      const answered = target.answers.length;
      await until('the probe goes on without a server', async () => target.answers.length >= answered + 2);
      installation = await open();
      alice = await installation.admin();
      await acknowledgedMore(1000);
    },
    async killPostgres() {
      for (const pid of await postgresProcesses(dataDir)) kill(pid, 'SIGKILL');
    },
    recovered: () => acknowledgedMore(1000),
    async assertNothingLost() {
      if (!fire) throw new Error('there was no fire');
      await fire.stop();
      const { acknowledged, repeated } = fire;
      fire = null;
      const stored = await query(dataDir, async (client) => {
        const { rows } = await client.query<{ key: string }>(
          `SELECT m.id || ' ' || (extract(epoch FROM c.checked_at) * 1000)::bigint AS key
           FROM checks c JOIN monitors m ON m.no = c.monitor_no JOIN regions r ON r.no = c.region_no WHERE r.slug = 'fire'`,
        );
        return rows.map(({ key }) => key);
      });
      const there = new Set(stored);
      assert.deepEqual(
        [...acknowledged].filter((key) => !there.has(key)),
        [],
        'acknowledged and missing',
      );
      assert.equal(stored.length, acknowledged.size, 'counted twice, or never acknowledged');
      await until('the incident is still the only one', async () => {
        const list = await incidents();
        assert.deepEqual(
          list.map(({ id, status }) => [id, status]),
          [[opened?.id, 'open']],
        );
        return true;
      });
      await until('it is ready', async () => (await alice.send('GET', '/readyz')).status === 200);
      await assertNoHole(dataDir, watched, () => target.answers.length);
      return { acknowledged: acknowledged.size, repeated };
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Everything the probe measured arrives, also from while nobody took it: no two checks lie further apart than explained. */
async function assertNoHole(dataDir: string, watched: Monitor, answered: () => number): Promise<void> {
  const upTo = answered();
  const checks = () =>
    query(dataDir, async (client) => {
      const { rows } = await client.query<{ at: string }>(
        `SELECT (extract(epoch FROM c.checked_at) * 1000)::bigint::text AS at FROM checks c
         JOIN monitors m ON m.no = c.monitor_no WHERE m.id = $1 ORDER BY 1`,
        [watched.id],
      );
      return rows.map(({ at }) => Number(at));
    });
  await until('the spool is empty', async () => (await checks()).length >= upTo);
  const times = await checks();
  const gaps = times.slice(1).map((at, i) => at - (times[i] ?? at));
  const longest = Math.max(...gaps);
  assert.ok(longest <= LONGEST_GAP_MS, `a hole of ${longest} ms in the checks`);
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    if (await holds()) return;
    if (performance.now() > deadline) throw new Error(`${what}: not within ${PATIENCE_MS} ms`);
    await pause(25);
  }
}

function startProbe(url: string, token: string, dataDir: string): ChildProcess {
  return spawn(
    process.execPath,
    [programPath(), 'probe', '--url', url, '--token', token, '--data-dir', dataDir],
    {
      // With a channel to its parent it is the probe itself, which a signal ends for good.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: { PATH: process.env.PATH, HOME: process.env.HOME, CANARIES: 'none' },
    },
  );
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

const newToken = () => `tcp_${randomBytes(32).toString('base64url')}`;
