// Three real probes of three regions, a real server and a target, each on a line of its own: what the journeys and
// `npm run soak -- --database-away` cut, mend and compare.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Monitor } from '../src/monitors/contract.ts';
import { hashToken } from '../src/platform/secrets.ts';
import type { Database } from '../src/platform/work.ts';
import { type Client, makeClient, signIn } from './harness/client.ts';
import { type CutLine, startCutLine } from './harness/cut-line.ts';
import { freshDatabase } from './harness/database.ts';
import { ADMIN } from './harness/installation.ts';
import { type Net, PROBING, type Probing, partitionNet } from './harness/partition/net.ts';
import { proxies } from './harness/partition/proxies.ts';
import { programPath } from './harness/program.ts';

const TARGET = join(import.meta.dirname, 'harness/partition/target-process.ts');
const PATIENCE_MS = 90_000;

export type Partition = {
  net: Net;
  db: Database;
  alice: Client;
  monitor: Monitor;
  /** Slug of the region that the probe at this place serves. */
  region: (place: Probing) => string;
  /** Waits for a condition, at most 90 s unless told otherwise; `what` is told when it does not come. */
  until: (what: string, holds: () => Promise<boolean>, withinMs?: number) => Promise<void>;
  /** Results of a region newer than an instant, by status. */
  seen: (place: Probing, since: Date) => Promise<{ up: number; down: number }>;
  /** All incidents of the monitor, oldest first. */
  incidents: () => Promise<{ status: string; down_regions: string[] }[]>;
  /** The places whose regions are online. */
  onlineNow: () => Promise<Probing[]>;
  /** The longest time between two results of a region since an instant, in milliseconds. */
  longestGap: (place: Probing, since: Date) => Promise<number>;
};

/** Starts everything and waits until all three regions report; `line` is what the server reaches its database over. */
export async function startPartition(t: TestContext, { line }: { line?: CutLine } = {}): Promise<Partition> {
  const started: ChildProcess[] = [];
  t.after(() => Promise.all(started.map(end)));
  if (line) t.after(() => line.stop());
  // A line to the database is on this machine's loopback, which a namespace does not reach.
  const net = line ? await proxies(t) : await partitionNet(t);
  const dir = await mkdtemp(join(tmpdir(), 'tocsin-partition-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const database = await freshDatabase();
  t.after(() => Promise.resolve(database[Symbol.asyncDispose]()));
  const { db } = database;

  const target = net.run('hub', [TARGET, net.target.bind.host, String(net.target.bind.port)], {});
  started.push(target);
  started.push(
    net.run('hub', ['--max-semi-space-size=4', programPath(), 'serve'], {
      ...net.server.bind,
      BASE_URL: net.server.url,
      DATABASE_URL: line?.urlThrough(database.url) ?? database.url,
      SECRET_KEY: 'a secret key for tests, long enough to be one',
      DATA_DIR: join(dir, 'server'),
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      LOCAL_PROBE: 'off',
      LOG_LEVEL: 'silent',
      CANARIES: 'none',
    }),
  );
  await until('the server to be ready', () => fetch(`${net.server.url}/readyz`).then(({ ok }) => ok));

  const region = (place: Probing) => `place-${place}`;
  for (const place of PROBING) {
    const token = `tcp_${randomBytes(32).toString('base64url')}`;
    const { no } = await db
      .insertInto('regions')
      .values({
        slug: region(place),
        name: region(place),
        allow_private_targets: true,
        created_at: new Date(),
      })
      .returning('no')
      .executeTakeFirstOrThrow();
    await db
      .insertInto('probe_tokens')
      .values({ hash: hashToken(token), region_no: no, created_at: new Date() })
      .execute();
    const address = ['--url', net.serverFrom(place), '--data-dir', join(dir, String(place))];
    started.push(
      net.run(place, [programPath(), 'probe', ...address], {
        TOCSIN_PROBE_TOKEN: token,
        CANARIES: 'none',
        ...net.probeEnv(place),
      }),
    );
  }
  const alice = makeClient(net.server.url);
  await signIn(alice, ADMIN.email, ADMIN.password);
  const project = await db.selectFrom('projects').select('id').executeTakeFirstOrThrow();
  const onlineNow = async () => {
    const regions = await alice.ok<{ slug: string; online: boolean }[]>('GET', '/regions');
    return PROBING.filter((place) => regions.some(({ slug, online }) => online && slug === region(place)));
  };
  await until('all regions online', async () => (await onlineNow()).length === PROBING.length);
  const monitor = await alice.ok<Monitor>('POST', `/projects/${project.id}/monitors`, {
    name: 'Watched',
    type: 'http',
    config: { url: net.target.url, timeout_ms: 800 },
    interval_seconds: 1,
    regions: PROBING.map(region),
    policy: { failed_interval_seconds: 1 },
  });
  const seen: Partition['seen'] = async (place, since) => {
    const rows = await db
      .selectFrom('checks')
      .innerJoin('regions', 'regions.no', 'checks.region_no')
      .select('checks.status')
      .where('regions.slug', '=', region(place))
      .where('checks.checked_at', '>', since)
      .execute();
    return {
      up: rows.filter(({ status }) => status === 0).length,
      down: rows.filter(({ status }) => status === 2).length,
    };
  };
  const begun = new Date();
  await until('all regions to report', async () => {
    const counts = await Promise.all(PROBING.map((place) => seen(place, begun)));
    return counts.every(({ up }) => up >= 3);
  });
  return {
    net,
    db,
    alice,
    monitor,
    region,
    until,
    seen,
    incidents: () =>
      db
        .selectFrom('incidents')
        .select(['status', 'down_regions'])
        .where('monitor_id', '=', monitor.id)
        .orderBy('created_at')
        .execute(),
    onlineNow,
    async longestGap(place, since) {
      const { rows } = await sql<{ gap: number | null }>`
        SELECT max(extract(epoch FROM gap) * 1000)::int AS gap FROM (
          SELECT c.checked_at - lag(c.checked_at) OVER (ORDER BY c.checked_at) AS gap FROM checks c
          JOIN regions r ON r.no = c.region_no WHERE r.slug = ${region(place)} AND c.checked_at > ${since}) gaps`.execute(
        db,
      );
      return rows[0]?.gap ?? Number.POSITIVE_INFINITY;
    },
  };
}

/** A check a second; the probe's start of a post and a loaded machine's timers may delay or drop one or two. */
const LONGEST_GAP_MS = 4_500;

/**
 * Takes the database away from a running server for so long, and proves that every result of that time arrives once it
 * is back, and that nothing opens.
 */
export async function databaseAway(t: TestContext, seconds: number): Promise<{ results: number }> {
  const line = await startCutLine();
  const { db, until, seen, incidents, longestGap } = await startPartition(t, { line });
  const since = new Date();
  await line.cut();
  await pause(seconds * 1000);
  await line.mend();
  const mended = new Date();
  for (const place of PROBING) {
    await until(`region ${place} to report again`, async () => (await seen(place, mended)).up >= 5);
    await until(
      `all that region ${place} kept on disk`,
      async () => (await longestGap(place, since)) <= LONGEST_GAP_MS,
    );
  }
  assert.deepEqual(await incidents(), []);
  const { count } = await db
    .selectFrom('checks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('checked_at', '>', since)
    .where('checked_at', '<', mended)
    .executeTakeFirstOrThrow();
  return { results: Number(count) };
}

async function until(what: string, holds: () => Promise<boolean>, withinMs = PATIENCE_MS): Promise<void> {
  const giveUpAtMs = performance.now() + withinMs;
  // What is waited for takes seconds, and each look asks the server that is watched.
  for (let pauseMs = 50; !(await holds().catch(() => false)); pauseMs = Math.min(2 * pauseMs, 500)) {
    if (performance.now() > giveUpAtMs) throw new Error(`waited ${withinMs} ms for ${what}, in vain`);
    await pause(pauseMs);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await ended;
  clearTimeout(timer);
}
