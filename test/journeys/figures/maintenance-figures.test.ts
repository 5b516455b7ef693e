// Maintenance in the figures (docs/rules/figures.md#maintenance): whenever a window is planned, moved, cut or deleted, over
// time that is rolled up or is not, every range says at once what the single checks say, and so when all is rolled up again.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { CheckRecord } from '#src/checks/contract.ts';
import { SERIES_RANGES } from '#src/domain/names.ts';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { makePartition } from '#src/platform/db/partitions.ts';
import { inTransaction } from '#src/platform/db/transaction.ts';
import type { Series } from '#src/series/contract.ts';
import { recountDropped } from '#src/series/rollup-dropped.ts';
import { ROLLED } from '#src/series/rollup-tiers.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { putIncident } from '#test/harness/incident-row.ts';
import { readSeries } from '#test/harness/naive-series.ts';
import { resultOf } from '#test/harness/probe.ts';

const HOUR = 3600;
const DAY = 86_400;

let app: TestApp;
let windows: string;
before(async () => {
  app = await startAppOfFile();
  windows = `/organizations/${app.home.orgId}/maintenance-windows`;
});

const now = () => Math.floor(app.clock.ms() / 1000);
const seriesOf = ({ id }: Monitor, range: string) =>
  app.alice.ok<Series>('GET', `/monitors/${id}/series?range=${range}`);

async function create(): Promise<Monitor> {
  await app.runTask('partitions');
  const config = { url: 'https://shop.example.com/' };
  const body = { name: `M ${crypto.randomUUID()}`, type: 'http', config };
  return app.alice.ok('POST', `/projects/${app.home.projectId}/monitors`, body);
}

/** Seven results an hour over the last days, a third of them failing. */
async function live(monitor: Monitor, days: number): Promise<void> {
  const results = Array.from({ length: days * 24 * 7 }, (_, i) =>
    resultOf(
      monitor.id,
      app.clock.ms() - i * 514_000 - 1000,
      i % 3 === 0 ? 'down' : { status: 'up', latency_ms: i },
    ),
  );
  for (let i = 0; i < results.length; i += 4000)
    assert.equal((await app.probe().post(results.slice(i, i + 4000))).status, 200);
}

async function assertTrue(monitor: Monitor, when: string): Promise<void> {
  const seriesIn = await readSeries(app, monitor.id);
  for (const range of SERIES_RANGES) {
    const { from_unix, to_unix, points, stats } = await seriesOf(monitor, range);
    const { checks, uptime_pct, avg_ms } = stats;
    const { p95: _, percentiles: __, ...right } = seriesIn(range);
    assert.deepEqual(
      { from_unix, to_unix, points, stats: { checks, uptime_pct, avg_ms } },
      right,
      `${range} ${when}`,
    );
  }
}

const rollAll = async () => {
  app.clock.advance(13 * HOUR * 1000);
  for (let i = 0; i < 3; i++) await app.runTask('roll_up');
};

test('creating, moving, shortening and deleting a window in the past changes the figures at once and after the roll-up', async () => {
  const monitor = await create();
  await live(monitor, 12);
  await putIncident(app, monitor, {
    fromMs: app.clock.ms() - 5 * DAY * 1000,
    toMs: app.clock.ms() - 3 * DAY * 1000,
    discarded: true,
  });
  await rollAll();
  const checks = (await seriesOf(monitor, '30d')).stats.checks;
  const window = await app.alice.ok<MaintenanceWindow>('POST', windows, {
    title: 'W',
    scheduled_start: now() - 4 * DAY - 61,
    scheduled_end: now() - 2 * DAY + 77,
    monitors: [monitor.id],
  });
  assert.ok((await seriesOf(monitor, '30d')).stats.checks < checks);
  await assertTrue(monitor, 'planned');
  await app.runTask('roll_up');
  await assertTrue(monitor, 'planned, rolled up');
  const path = `${windows}/${window.id}`;
  for (const [what, body] of [
    ['longer', { scheduled_start: now() - 8 * DAY }],
    ['shorter', { scheduled_start: now() - 3 * DAY, scheduled_end: now() - 2 * DAY }],
    ['elsewhere', { scheduled_start: now() - 2 * HOUR, scheduled_end: now() - HOUR }],
    ['without', { monitors: [] }],
    ['with', { monitors: [monitor.id], scheduled_end: now() + HOUR }],
  ] as const) {
    await app.alice.ok('PATCH', path, body);
    await assertTrue(monitor, what);
    await live(monitor, 1);
    await app.runTask('roll_up');
    await assertTrue(monitor, `${what}, rolled up`);
  }
  await app.alice.ok('POST', `${path}/cancel`);
  app.clock.advance(HOUR * 1000);
  await live(monitor, 1);
  await assertTrue(monitor, 'cancelled');
  await app.alice.ok('DELETE', path);
  await assertTrue(monitor, 'deleted');
  await rollAll();
  await assertTrue(monitor, 'deleted, rolled up');
});

test('a late result in a window, rolled up or not, is marked and left out', async () => {
  const monitor = await create();
  const at = app.clock.ms();
  await app.alice.ok('POST', windows, {
    title: 'W',
    scheduled_start: at / 1000,
    scheduled_end: at / 1000 + 60,
    monitors: [monitor.id],
  });
  await rollAll();
  const inside = [0, 59_999].map((ms) => resultOf(monitor.id, at + ms, 'down'));
  const outside = [-1, 60_000].map((ms) => resultOf(monitor.id, at + ms, 'up'));
  await app.probe().post([...inside, ...outside]);
  const marks = (await app.alice.ok<CheckRecord[]>('GET', `/monitors/${monitor.id}/checks`)).map(
    ({ status, in_maintenance }) => [status, in_maintenance],
  );
  assert.deepEqual(marks, [
    ['up', false],
    ['down', true],
    ['down', true],
    ['up', false],
  ]);
  await assertTrue(monitor, 'late');
  await app.runTask('roll_up');
  await assertTrue(monitor, 'late, rolled up');
  assert.deepEqual((await seriesOf(monitor, '1d')).stats.uptime_pct, 100);
});

test('a hundred days are one row per monitor, with correct figures at once and after the roll-up', async () => {
  const monitors = [await create(), await create()];
  for (const monitor of monitors) await live(monitor, 3);
  await rollAll();
  await app.alice.ok('POST', windows, {
    title: 'W',
    scheduled_start: now() - 150 * DAY,
    scheduled_end: now() - DAY,
    monitors: monitors.map(({ id }) => id),
  });
  const { rows } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM rollup_dirty d JOIN monitors m ON m.no = d.monitor_no
    WHERE m.id = ANY(${monitors.map(({ id }) => id)})`.execute(app.db);
  assert.equal(rows[0]?.n, 2);
  for (const monitor of monitors) await assertTrue(monitor, 'noted');
  await rollAll();
  for (const monitor of monitors) await assertTrue(monitor, 'rolled up');
});

test('without single checks, windows and discarded incidents change the checks passed by whole buckets of ten minutes', async () => {
  const monitor = await create();
  await live(monitor, 40);
  const today = Math.floor(now() / DAY);
  const at = (daysAgo: number) => (today - daysAgo) * DAY;
  const between = (from: number, to: number) => ({ fromMs: from * 1000, toMs: to * 1000 });
  const incident = await putIncident(app, monitor, between(at(24), at(24) + 6 * HOUR));
  const plan = (from: number, to: number) =>
    app.alice.ok<MaintenanceWindow>('POST', windows, {
      title: 'W',
      scheduled_start: from,
      scheduled_end: to,
      monitors: [monitor.id],
    });
  const cancel = ({ id }: MaintenanceWindow) => app.alice.ok('DELETE', `${windows}/${id}`);
  const discard = (what: 'discard' | 'restore') =>
    app.alice.ok('POST', `/organizations/${app.home.orgId}/incidents/${incident}/${what}`, {});
  const known = await plan(at(26), at(26) + 2 * HOUR);
  await rollAll();

  const changes: readonly (readonly [what: string, make: () => Promise<() => Promise<unknown>>])[] = [
    ['none', async () => async () => undefined],
    ['a window', () => plan(at(30), at(28) + 600).then((window) => () => cancel(window))],
    ['around the incident', () => plan(at(25), at(23)).then((window) => () => cancel(window))],
    ['in the incident', () => plan(at(24) + HOUR, at(24) + 2 * HOUR).then((window) => () => cancel(window))],
    ['over the other window', () => plan(at(27), at(26) + HOUR).then((window) => () => cancel(window))],
    [
      'the other window is shorter',
      async () => {
        const path = `${windows}/${known.id}`;
        await app.alice.ok('PATCH', path, { scheduled_end: at(26) + HOUR });
        return () => app.alice.ok('PATCH', path, { scheduled_end: at(26) + 2 * HOUR });
      },
    ],
  ];
  const found = async (read: () => Promise<unknown>) => {
    const all: Record<string, unknown> = {};
    for (const [what, make] of changes) {
      const undo = await make();
      all[what] = await read();
      await discard('discard');
      all[`${what}, discarded`] = await read();
      await discard('restore');
      await undo();
      all[`${what}, undone`] = await read();
    }
    return all;
  };
  const right = await found(async () => {
    const { checks, uptime_pct } = (await readSeries(app, monitor.id))('90d').stats;
    return { checks, uptime_pct };
  });
  await rollAll();
  await app.db.updateTable('organizations').set({ plan: 'free' }).execute();
  await app.runTask('partitions');
  const left = await app.alice.ok<CheckRecord[]>('GET', `/monitors/${monitor.id}/checks?limit=1000`);
  assert.ok(left.every(({ checked_at_unix }) => checked_at_unix > at(22)));
  const counted = async () => {
    await app.runTask('roll_up');
    const { checks, uptime_pct } = (await seriesOf(monitor, '90d')).stats;
    return { checks, uptime_pct };
  };
  assert.deepEqual(await found(counted), right);

  // Where a window begins or ends inside a bucket, nobody knows the share any more: it counts from the next bucket on.
  const whole = await plan(at(30) + 1200, at(30) + 3000);
  const exact = await counted();
  await cancel(whole);
  await plan(at(30) + 601, at(30) + 3599);
  assert.deepEqual(await counted(), exact);
  await app.db.updateTable('organizations').set({ plan: 'unlimited' }).execute();
});

test('without single checks, the incidents of a flapping monitor are read once, and each bucket gets those that it lies inside of', async () => {
  const monitor = await create();
  const { no } = await app.db
    .selectFrom('monitors')
    .select('no')
    .where('id', '=', monitor.id)
    .executeTakeFirstOrThrow();
  const from = (Math.floor(now() / DAY) - 60) * DAY;
  const buckets = Array.from({ length: 300 }, (_, i) => from + i * 600);
  const to = from + buckets.length * 600;
  for (const at of [from, to])
    for (const table of ROLLED) await makePartition(app.db, table, new Date(at * 1000));
  await sql`
    INSERT INTO check_buckets_10m (monitor_no, bucket, region_no, up, degraded, down)
    SELECT ${no}, to_timestamp(at), region, 3, 2, 1 FROM unnest(${buckets}::bigint[]) AS at, generate_series(1, 2) AS region`.execute(
    app.db,
  );
  // Before, after, on the edges, inside of one bucket, over several, over each other, and one that is open.
  const times = Array.from({ length: 150 }, (_, i) => {
    const since = from - 3000 + i * 1260 - (i % 3) * 60;
    return { since, until: i === 140 ? null : since + [90, 600, 1800, 4000, 60][i % 5]! };
  });
  const incidents: { id: string; since: number; until: number | null }[] = [];
  for (const { since, until } of times) {
    const id = await putIncident(app, monitor, {
      fromMs: since * 1000,
      toMs: until === null ? null : until * 1000,
    });
    incidents.push({ id, since, until });
  }
  const read = await inTransaction(app.db, async (tx) => {
    await recountDropped(tx, [{ no, since: new Date(from * 1000), until: new Date(to * 1000) }], []);
    const { rows } = await sql<{ n: number }>`
      SELECT (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS n FROM pg_stat_xact_user_tables WHERE relname = 'incidents'`.execute(
      tx,
    );
    return rows[0]?.n ?? 0;
  });
  // A scan reads those of the other tests, too.
  assert.ok(read >= 140 && read <= 2 * incidents.length, `${read} rows read`);
  const right = buckets.flatMap((at) => {
    const over = incidents.filter(
      ({ since, until }) => since < at + 600 && (until ?? Number.POSITIVE_INFINITY) > at,
    );
    const isInside = over.every(
      ({ since, until }) => since <= at && (until ?? Number.POSITIVE_INFINITY) >= at + 600,
    );
    const ids = over.map(({ id }) => id).sort();
    return isInside && ids.length > 0 ? [1, 2].map((region) => [at, region, 3, 2, 1, ids.join()]) : [];
  });
  assert.ok(right.length > 60 && right.some((row) => String(row[5]).includes(',')));
  const { rows } = await sql<{ row: unknown[] }>`
    SELECT jsonb_build_array(extract(epoch FROM bucket)::bigint, region_no, up, degraded, down, array_to_string(incident_ids, ',')) AS row
    FROM downtime_buckets WHERE monitor_no = ${no} ORDER BY bucket, region_no`.execute(app.db);
  assert.deepEqual(
    rows.map(({ row }) => row),
    right,
  );
});
