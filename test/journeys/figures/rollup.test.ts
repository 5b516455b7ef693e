// Roll-ups: whatever comes in, in whatever order, and whoever rolls up meanwhile, every range of a series says what the
// single checks say.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { packChecks } from '#src/checks/packed/pack.ts';
import { storeResults } from '#src/checks/store.ts';
import { CHECK_STATUSES, SERIES_RANGES } from '#src/domain/names.ts';
import { freeWindow } from '#src/domain/series.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { openPool } from '#src/platform/db/pool.ts';
import { inTransaction } from '#src/platform/db/transaction.ts';
import type { Series } from '#src/series/contract.ts';
import { lockBuckets, rollUp } from '#src/series/rollup.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { silent } from '#test/harness/cluster.ts';
import { putIncident } from '#test/harness/incident-row.ts';
import { putMaintenance } from '#test/harness/maintenance-row.ts';
import { readSeries } from '#test/harness/naive-series.ts';
import { readUptime } from '#test/harness/naive-uptime.ts';
import { type Probe, resultOf } from '#test/harness/probe.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

let app: TestApp;
let probes: Probe[];
before(async () => {
  app = await startAppOfFile();
  probes = [app.probe(), await app.region('far')];
});

let made = 0;
async function create(fields: object = {}): Promise<Monitor> {
  made += 1;
  // Days pass here in seconds: partitions are made by the same clock, not whenever their own loop comes by.
  await app.runTask('partitions');
  const body = {
    name: `M ${made}`,
    type: 'http',
    config: { url: 'https://shop.example.com/' },
    regions: ['local', 'far'],
  };
  return app.alice.ok('POST', `/projects/${app.home.projectId}/monitors`, { ...body, ...fields });
}
const seriesOf = ({ id }: Monitor, range: string) =>
  app.alice.ok<Series>('GET', `/monitors/${id}/series?range=${range}`);

/** Free ranges, in hours ago: of single checks that are packed by then, of roll-ups, and up to now. */
const FREE: readonly (readonly [from: number, to: number])[] = [
  [0.4, -1],
  [3.2, 2.9],
  [51.3, 50.1],
  [60, 47],
  [24 * 3 + 0.7, 25],
  [24 * 40.3, 24 * 33.1],
  [24 * 96, 24 * 2],
];

let turn = 0;
let halves = 0;
/** The others the next time. */
const half = () => {
  halves += 1;
  return SERIES_RANGES.filter((_, i) => i % 2 === halves % 2);
};

const within5 = (found: number | null, right: number | null) =>
  right === null ? found === null : Math.abs((found ?? 0) - right) <= right * 0.05;

/** What the checks say. */
type Right = {
  seriesIn: Awaited<ReturnType<typeof readSeries>>;
  uptimeIn: Awaited<ReturnType<typeof readUptime>>;
};

/** A free range agrees with the checks too; its percentiles are exact below ten minutes, else to 5 %. */
async function assertFree(
  monitor: Monitor,
  [from, to]: readonly [number, number],
  { seriesIn, uptimeIn }: Right,
  when: string,
): Promise<void> {
  const [from_unix, to_unix] = [from, to].map((ago) => Math.floor(app.clock.ms() / 1000 - ago * 3600));
  const path = `/monitors/${monitor.id}/series?from_unix=${from_unix}&to_unix=${to_unix}&percentiles=true`;
  const series = await app.alice.ok<Series>('GET', path);
  const window = freeWindow(from_unix ?? 0, to_unix ?? 0, Math.floor(app.clock.ms() / 1000), {
    checks: 100,
    hours: 100,
  });
  const { p95, stats, percentiles, ...right } = seriesIn(window);
  const what = `${from} to ${to} h ago, ${window.bucketSeconds} s, ${when}`;
  const { checks, uptime_pct, avg_ms, p95_ms } = series.stats;
  assert.deepEqual(
    { from_unix: series.from_unix, to_unix: series.to_unix, points: series.points },
    right,
    what,
  );
  assert.equal(series.bucket_seconds, window.bucketSeconds);
  assert.deepEqual({ checks, uptime_pct, avg_ms }, stats, what);
  const span = { fromMs: series.from_unix * 1000, untilMs: series.to_unix * 1000 };
  assert.equal(series.stats.uptime_time_pct, uptimeIn(span), what);
  if (window.bucketSeconds < 600) {
    assert.deepEqual(series.percentiles, percentiles, what);
    assert.equal(p95_ms, p95, what);
    return;
  }
  assert.ok(within5(p95_ms, p95), `${what}: p95 ${p95_ms} for ${p95}`);
  const exact = ({ bucket_unix, avg_ms }: { bucket_unix: number; avg_ms: number | null }) => ({
    bucket_unix,
    avg_ms,
  });
  assert.deepEqual(series.percentiles?.map(exact), percentiles.map(exact), what);
  for (const [i, each] of (series.percentiles ?? []).entries())
    for (const share of ['p50_ms', 'p95_ms', 'p99_ms'] as const)
      assert.ok(
        within5(each[share], percentiles[i]?.[share] ?? null),
        `${what}: ${share} ${each[share]} for ${percentiles[i]?.[share]}`,
      );
}

/** Every range, or half of them, says what the checks say; p95 is exact to 5 %. */
async function assertTrue(monitor: Monitor, when: string, ranges = SERIES_RANGES.slice()): Promise<void> {
  const [seriesIn, uptimeIn] = await Promise.all([readSeries(app, monitor.id), readUptime(app, monitor.id)]);
  // Two of them each time, others the next time.
  for (let i = 0; i < 2; i++)
    await assertFree(monitor, FREE[turn++ % FREE.length] ?? [1, 0], { seriesIn, uptimeIn }, when);
  for (const range of ranges) {
    const series = await seriesOf(monitor, range);
    const { p95, stats, percentiles: _, ...right } = seriesIn(range);
    const { checks, uptime_pct, avg_ms, p95_ms } = series.stats;
    const what = `${range} ${when}`;
    assert.deepEqual(
      { from_unix: series.from_unix, to_unix: series.to_unix, points: series.points },
      right,
      what,
    );
    assert.deepEqual({ checks, uptime_pct, avg_ms }, stats, what);
    const span = { fromMs: series.from_unix * 1000, untilMs: series.to_unix * 1000 };
    assert.equal(series.stats.uptime_time_pct, uptimeIn(span), what);
    if (p95 === null) assert.equal(p95_ms, null, what);
    else assert.ok(Math.abs((p95_ms ?? 0) - p95) <= p95 * 0.05, `${what}: p95 ${p95_ms} for ${p95}`);
  }
}

/** What there is in the buckets: nothing is told of what was read from checks. */
async function rolledCounts(monitor: Monitor): Promise<number[]> {
  const counts: number[] = [];
  for (const table of ['check_buckets_10m', 'check_buckets_1h', 'check_buckets_12h']) {
    const { rows } = await sql<{ n: number }>`
      SELECT coalesce(sum(b.up + b.degraded + b.down), 0) AS n FROM ${sql.table(table)} b
      JOIN monitors m ON m.no = b.monitor_no WHERE m.id = ${monitor.id}`.execute(app.db);
    counts.push(rows[0]?.n ?? -1);
  }
  return counts;
}

const setIncident = (id: string, change: object) =>
  app.db.updateTable('incidents').set(change).where('id', '=', id).execute();

/** Another process that rolls up; its connections can be cut. */
function roller(name = 'roller') {
  const database = openPool({ url: app.databaseUrl, log: silent, size: 2, name });
  return {
    rollUp: () => rollUp(database.db, app.clock.now(), silent),
    die: () =>
      sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = ${name} AND datname = current_database()`.execute(app.db),
    [Symbol.asyncDispose]: () => database.close(),
  };
}

test('every range matches the checks, whatever arrives and whichever process rolls up', async () => {
  const status = fc.constantFrom(...CHECK_STATUSES);
  const latency = fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 30_000 }));
  await sql`UPDATE packing_state SET begins_at = '-infinity'`.execute(app.db);
  const property = fc.asyncProperty(fc.gen(), async (draw) => {
    const monitor = await create();
    const start = app.clock.ms();
    const post = async (agoMs: fc.Arbitrary<number>, howMany: number) => {
      const sent = Array.from({ length: howMany }, () => {
        const said = { status: draw(() => status), latency_ms: draw(() => latency) };
        const fault = draw(fc.integer, { min: 0, max: 9 }) === 0;
        return resultOf(monitor.id, app.clock.ms() - draw(() => agoMs), {
          ...said,
          ...(fault ? { status: 'down', cause_layer: 'probe' } : {}),
        } as never);
      });
      // Twice now and then: the second copy is dropped.
      const twice = sent.slice(0, draw(fc.integer, { min: 0, max: 3 }));
      const probe = probes[draw(fc.integer, { min: 0, max: 1 })]!;
      const answer = await probe.post([...sent, ...twice]);
      assert.equal(answer.status, 200);
    };
    const young = fc.integer({ min: 0, max: 3 * MINUTE_MS });
    const late = fc.integer({ min: 0, max: 20 * 3_600_000 });
    const old = fc.integer({ min: 0, max: 95 * DAY_MS });

    await post(old, 40);
    const incidents = [
      await putIncident(app, monitor, {
        fromMs: start - 50 * DAY_MS,
        toMs: start - 20 * DAY_MS,
        discarded: true,
      }),
      await putIncident(app, monitor, {
        fromMs: start - 30 * DAY_MS,
        toMs: start - 10 * DAY_MS,
        discarded: true,
      }),
    ];
    await using one = roller();
    await using two = roller();
    for (let step = 0; step < 14; step++) {
      app.clock.advance(draw(fc.integer, { min: 1, max: 100 }) * MINUTE_MS);
      await post(young, 12);
      if (step % 4 === 1)
        await putMaintenance(app, monitor, { fromMs: app.clock.ms() - 100_000, untilMs: app.clock.ms() });
      switch (draw(fc.integer, { min: 0, max: 9 })) {
        case 0:
          await app.runTask('roll_up');
          break;
        case 1:
          await Promise.all([one.rollUp(), two.rollUp(), post(late, 10), post(young, 5)]);
          break;
        case 2: {
          // On its own: the others could still hold a connection that was cut, and not know it yet.
          await using mortal = roller('mortal');
          const dying = mortal.rollUp().catch(() => undefined);
          await sql`SELECT pg_sleep(${draw(fc.integer, { min: 0, max: 30 }) / 1000})`.execute(app.db);
          await mortal.die();
          await dying;
          break;
        }
        case 3:
          await post(late, 15);
          break;
        case 4:
          await post(old, 10);
          break;
        case 5: {
          const from = app.clock.ms() - draw(() => late);
          incidents.push(await putIncident(app, monitor, { fromMs: from, toMs: null }));
          break;
        }
        case 8:
        case 9:
          // By the clock of the database, which late results are held against.
          await one.rollUp();
          await Promise.all([packChecks(app.db, new Date()), packChecks(app.db, new Date()), post(old, 5)]);
          break;
        case 6: {
          const id = incidents[draw(fc.integer, { min: 0, max: incidents.length - 1 })]!;
          const resolved_at = app.clock.now();
          await setIncident(id, { status: 'closed', resolved_at, discarded: true });
          break;
        }
        default: {
          await setIncident(incidents[0]!, { discarded: step % 2 === 0 });
          break;
        }
      }
      if (step % 5 === 4) await assertTrue(monitor, `at step ${step}`, half());
    }
    await assertTrue(monitor, 'before the last roll-up', half());
    app.clock.advance(13 * 3_600_000);
    await one.rollUp();
    await app.runTask('roll_up');
    await app.runTask('roll_up');
    await assertTrue(monitor, 'when all is rolled up');
    await packChecks(app.db, new Date());
    await assertTrue(monitor, 'when what is old is packed');
    const { rows } = await sql<{ n: number }>`
      SELECT count(*) AS n FROM monitors m CROSS JOIN regions r
      CROSS JOIN LATERAL stored_checks(m.no, r.no, '-infinity', 'infinity') c WHERE m.id = ${monitor.id} AND c.cause_layer IS DISTINCT FROM 'probe'`.execute(
      app.db,
    );
    const all = rows[0]?.n;
    assert.deepEqual(await rolledCounts(monitor), [all, all, all]);
    const { rows: packed } = await sql`
      SELECT FROM packed_checks p JOIN monitors m ON m.no = p.monitor_no WHERE m.id = ${monitor.id}`.execute(
      app.db,
    );
    assert.ok(packed.length > 0);
    const { rows: left } = await sql`SELECT FROM rollup_dirty`.execute(app.db);
    assert.equal(left.length, 0);
  });
  await fc.assert(property, { numRuns: 3, endOnFailure: true });
});

/** Rolls up whatever earlier tests left behind: one run of the job does not go through more than 200 spans. */
async function catchUp(): Promise<void> {
  await using other = roller();
  for (;;) {
    await other.rollUp();
    const { rows } = await sql<{ behind: boolean }>`
      SELECT rolled_until < closed_until AS behind FROM rollup_state`.execute(app.db);
    if (!rows[0]?.behind) return;
  }
}

test('results that are written while their span is closed are rolled up too', async () => {
  await catchUp();
  const monitor = await create();
  const { no } = await app.db
    .selectFrom('monitors')
    .select('no')
    .where('id', '=', monitor.id)
    .executeTakeFirstOrThrow();
  const local = await app.db
    .selectFrom('regions')
    .select('no')
    .where('slug', '=', 'local')
    .executeTakeFirstOrThrow();
  const at = app.clock.ms();
  await app.probe().post([resultOf(monitor.id, at - 1000, 'up')]);
  await using other = roller();
  const written = Promise.withResolvers<void>();
  const rolled = Promise.withResolvers<void>();
  const writing = inTransaction(app.db, async (tx) => {
    await storeResults(tx, local.no, [{ no, result: { checked_at_ms: at, status: 'down' } }]);
    written.resolve();
    await rolled.promise;
  });
  await written.promise;
  app.clock.advance(DAY_MS);
  await other.rollUp().finally(rolled.resolve);
  await writing;
  await assertTrue(monitor, 'when it is committed');
  await other.rollUp();
  await assertTrue(monitor, 'when it is rolled up');
  assert.deepEqual(await rolledCounts(monitor), [2, 2, 2]);
});

test('one process at a time rolls up, and another waits until it is done', async () => {
  await catchUp();
  const monitor = await create();
  await app.probe().post([resultOf(monitor.id, app.clock.ms(), 'up')]);
  app.clock.advance(DAY_MS);
  await using other = roller();
  await inTransaction(app.db, async (tx) => {
    await lockBuckets(tx);
    await other.rollUp();
    assert.deepEqual(await rolledCounts(monitor), [0, 0, 0]);
  });
  await other.rollUp();
  assert.deepEqual(await rolledCounts(monitor), [1, 1, 1]);
});
