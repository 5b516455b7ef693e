// Series without single checks: what is rolled up answers alone, recalculates at once, carries metrics, survives retention
// and a move.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { storeResults } from '#src/checks/store.ts';
import { OPERATOR } from '#src/cli/open-installation.ts';
import { binOf, COUNT_BITS, LATENCY_BINS, MAX_BIN_COUNT } from '#src/domain/histogram.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { exportOrganization } from '#src/organization-export/export.ts';
import { LINES_FILE } from '#src/organization-export/format.ts';
import { importOrganization } from '#src/organization-export/import.ts';
import { makePartition } from '#src/platform/db/partitions.ts';
import { inTransaction } from '#src/platform/db/transaction.ts';
import { writePrivateFile } from '#src/platform/private-file.ts';
import { BUCKETS_12H } from '#src/retention.ts';
import type { Series } from '#src/series/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { putIncident } from '#test/harness/incident-row.ts';
import { naiveSeries } from '#test/harness/naive-series.ts';
import { resultOf } from '#test/harness/probe.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const BUCKETS = ['check_buckets_10m', 'check_buckets_1h', 'check_buckets_12h', 'downtime_buckets'];

const dir = mkdtempSync(join(tmpdir(), 'tocsin-series-'));
after(() => rmSync(dir, { recursive: true }));

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

let made = 0;
async function create(place: Place = app.home, fields: object = {}): Promise<Monitor> {
  made += 1;
  const body = { name: `M ${made}`, type: 'http', config: { url: 'https://shop.example.com/' }, ...fields };
  return app.alice.ok('POST', `/projects/${place.projectId}/monitors`, body);
}
const seriesOf = ({ id }: { id: string }, query: string, by: TestApp = app) =>
  by.alice.ok<Series>('GET', `/monitors/${id}/series?${query}`);

/** A result every `everyMs` since `agoMs`, one in ten of them down. */
async function history(monitor: Monitor, agoMs: number, everyMs: number): Promise<void> {
  const count = Math.floor(agoMs / everyMs);
  const results = Array.from({ length: count }, (_, i) =>
    resultOf(monitor.id, app.clock.ms() - i * everyMs, {
      status: i % 10 === 3 ? 'down' : 'up',
      latency_ms: 20 + ((i * 37) % 400),
    }),
  );
  for (let i = 0; i < count; i += 5000) {
    const answer = await app.probe().post(results.slice(i, i + 5000));
    assert.equal(answer.body.accepted, Math.min(5000, count - i), JSON.stringify(answer.body));
  }
}

async function rollUpAll(by: TestApp = app): Promise<void> {
  for (;;) {
    await by.runTask('roll_up');
    const { rows } = await sql<{ done: boolean }>`
      SELECT rolled_until = closed_until AND NOT EXISTS (SELECT FROM rollup_dirty) AS done FROM rollup_state`.execute(
      by.db,
    );
    if (rows[0]?.done) return;
  }
}

async function partitionsOf(table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = ${table}::regclass ORDER BY 1`.execute(app.db);
  return rows.map(({ name }) => name);
}

test('a closed window of 1, 7, 14, 30 and 90 days never needs a check; a discard updates it at once', async () => {
  const monitor = await create();
  await history(monitor, 80 * DAY_MS, 30 * MINUTE_MS);
  const long = await putIncident(app, monitor, {
    fromMs: app.clock.ms() - 40 * DAY_MS - 1234,
    toMs: app.clock.ms() - 3 * DAY_MS + 777,
  });
  const overlapping = await putIncident(app, monitor, {
    fromMs: app.clock.ms() - 5 * DAY_MS,
    toMs: app.clock.ms() - 7 * 3_600_000,
  });
  app.clock.advance(13 * MINUTE_MS);
  await rollUpAll();
  const discard = (id: string, discarded: boolean) =>
    app.db.updateTable('incidents').set({ discarded }).where('id', '=', id).execute();
  const all = async (by: (range: string) => Promise<unknown>) =>
    Promise.all(['1d', '7d', '14d', '30d', '90d'].map(by));
  const inRange = (range: string) => seriesOf(monitor, `range=${range}`);
  const states: [string, boolean][] = [
    [long, true],
    [overlapping, true],
    [long, false],
    [overlapping, false],
  ];
  const withChecks = [await all(inRange)];
  for (const [id, discarded] of states) {
    await discard(id, discarded);
    withChecks.push(await all(inRange));
    const { checks, uptime_pct } = (await inRange('90d')).stats;
    assert.deepEqual(
      { checks, uptime_pct },
      (({ stats }) => ({ checks: stats.checks, uptime_pct: stats.uptime_pct }))(
        await naiveSeries(app, monitor.id, '90d'),
      ),
    );
  }
  assert.notDeepEqual(withChecks[0], withChecks[1]);
  assert.notDeepEqual(withChecks[1], withChecks[2]);
  assert.deepEqual(withChecks[0], withChecks[4], 'restored, as if nothing had been');

  // As after their retention: nothing but what is rolled up can answer.
  await sql`TRUNCATE checks`.execute(app.db);
  assert.deepEqual(await all(inRange), withChecks[0]);
  for (const [i, [id, discarded]] of states.entries()) {
    await discard(id, discarded);
    assert.deepEqual(await all(inRange), withChecks[i + 1], `state ${i}`);
  }
});

/** A monitor of a type that has no regions, with results as its agent would bring them. */
async function regionless(type: string, config: object, values: [number | undefined, number?][]) {
  const monitor = await create();
  await sql`UPDATE monitors SET type = ${type}, config = ${JSON.stringify(config)}::jsonb, regions = '{}'
    WHERE id = ${monitor.id}`.execute(app.db);
  const { no } = await app.db
    .selectFrom('monitors')
    .select('no')
    .where('id', '=', monitor.id)
    .executeTakeFirstOrThrow();
  const first = app.clock.ms() - values.length * MINUTE_MS;
  const results = values.map(([metric_value], i) => ({
    no,
    result: {
      checked_at_ms: first + i * MINUTE_MS,
      status: i === 0 ? ('down' as const) : ('up' as const),
      latency_ms: 3,
      ...(metric_value === undefined ? {} : { metric_value }),
    },
  }));
  await inTransaction(app.db, (tx) => storeResults(tx, 0, results));
  for (const [i, [, second]] of values.entries())
    if (second !== undefined)
      await sql`UPDATE checks SET metric_value_2 = ${second} WHERE monitor_no = ${no}
        AND checked_at = ${new Date(first + i * MINUTE_MS)}`.execute(app.db);
  return monitor;
}

test('agent monitors have their metric, service monitors the requested one, all others latency', async () => {
  const load = await regionless('agent', { metric: 'load1' }, [[0.4], [2.6], [7.5], [undefined]]);
  const idle = await regionless('agent', { metric: 'load1' }, [[0.7], [0.7]]);
  const temperature = await regionless('agent', { metric: 'temp_c' }, [[-12], [-4]]);
  const service = await regionless('service', {}, [
    [10, 300],
    [20.4, 500],
    [20, 512],
  ]);
  const heartbeat = await regionless('heartbeat', {}, [[1], [1]]);
  const certificate = await create();
  await sql`UPDATE monitors SET type = 'tls' WHERE id = ${certificate.id}`.execute(app.db);
  await app
    .probe()
    .post([
      resultOf(certificate.id, app.clock.ms() - 1000, { status: 'up', latency_ms: 80, metric_value: 30 }),
    ]);

  const check = async () => {
    const figures = async (monitor: { id: string }, query = '') => {
      const { unit, points, stats } = await seriesOf(monitor, `range=7d${query}`);
      assert.ok(points.every(({ region }) => region === (monitor.id === certificate.id ? 'local' : null)));
      return [unit, stats.avg_ms, stats.p95_ms, Math.max(...points.map(({ max_ms }) => max_ms ?? -999))];
    };
    // What a failing check measured belongs to the curve as well.
    const [loadUnit, ...loads] = await figures(load);
    assert.deepEqual([loadUnit, loads[0], loads[2]], ['load', 3.5, 7.5]);
    assert.ok(Math.abs(Number(loads[1]) - 7.5) <= 7.5 * 0.061);
    assert.deepEqual((await figures(idle)).slice(0, 2), ['load', 0.7]);
    assert.deepEqual(await figures(temperature), ['celsius', -8, -4, -4]);
    for (const query of ['', '&series_metric=cpu']) {
      const [cpu, mean, high, max] = await figures(service, query);
      assert.deepEqual([cpu, mean, max], ['pct', 16.8, 20.4]);
      assert.ok(Math.abs(Number(high) - 20.4) <= 20.4 * 0.061);
    }
    const [unit, average, p95, most] = await figures(service, '&series_metric=mem');
    assert.deepEqual([unit, average, most], ['mb', 437.333333333, 512]);
    assert.ok(Math.abs(Number(p95) - 512) <= 512 * 0.061);
    assert.deepEqual(await figures(heartbeat), ['ms', 3, 3, 3]);
    assert.deepEqual(await figures(certificate), ['ms', 80, 80, 80]);
  };
  await check();
  app.clock.advance(13 * MINUTE_MS);
  await rollUpAll();
  await check();

  assert.equal((await seriesOf(heartbeat, 'range=7d')).stats.coverage_pct, null);
  for (const [monitor, query] of [
    [load, 'series_metric=cpu'],
    [certificate, 'series_metric=mem'],
    [service, 'series_metric=disk'],
  ] as const) {
    const answer = await app.alice.send('GET', `/monitors/${monitor.id}/series?${query}`);
    assert.deepEqual(
      [answer.status, (answer.body as { field?: string }).field],
      [400, 'series_metric'],
      query,
    );
  }
});

test('deleting leaves no bucket behind', async () => {
  const monitor = await create();
  const { no } = await app.db
    .selectFrom('monitors')
    .select('no')
    .where('id', '=', monitor.id)
    .executeTakeFirstOrThrow();
  await history(monitor, DAY_MS, 5 * MINUTE_MS);
  await putIncident(app, monitor, {
    fromMs: app.clock.ms() - 3_600_000 * 5,
    toMs: app.clock.ms() - 3_600_000,
  });
  await rollUpAll();
  await app.probe().post([resultOf(monitor.id, app.clock.ms() - DAY_MS - 1, 'up')]);
  const tables = [...BUCKETS, 'reported_times', 'checks', 'rollup_dirty'];
  const counts = () =>
    Promise.all(
      tables.map(async (table) => {
        const { rows } = await sql<{ n: number }>`
          SELECT count(*) AS n FROM ${sql.table(table)} WHERE monitor_no = ${no}`.execute(app.db);
        return rows[0]?.n ?? -1;
      }),
    );
  assert.ok((await counts()).every((n) => n > 0));
  await app.alice.send('DELETE', `/monitors/${monitor.id}`);
  await app.runTask('purge_checks', { monitor_no: no });
  assert.deepEqual(
    await counts(),
    tables.map(() => 0),
  );
});

test('checks are kept as long as the longest plan in use requires, and never dropped before they are rolled up', async () => {
  const monitor = await create();
  await history(monitor, 50 * DAY_MS, DAY_MS);
  // In the middle of a span, so that they stay together in one.
  const daysAgo = (days: number) => Math.floor(app.clock.ms() / DAY_MS - days) * DAY_MS + 305_000;
  const first = [1, 2, 3].map((second) => resultOf(monitor.id, daysAgo(31) + second * 1000, 'up'));
  assert.equal((await app.probe().post(first)).body.accepted, 3);
  const ages = async () =>
    (await partitionsOf('checks')).map((name) => {
      const [, year, month, day] = /(\d{4})(\d\d)(\d\d)$/.exec(name) ?? [];
      return Math.floor((app.clock.ms() - Date.parse(`${year}-${month}-${day}T00:00:00Z`)) / DAY_MS);
    });
  await app.db.updateTable('organizations').set({ plan: 'pro' }).execute();
  await app.runTask('partitions');
  assert.ok(Math.max(...(await ages())) >= 49, 'there are late ones to be rolled up');
  await rollUpAll();
  const before = await seriesOf(monitor, 'range=90d');
  await app.runTask('partitions');
  assert.equal(Math.max(...(await ages())), 30);
  const inRange = await seriesOf(monitor, 'range=90d');
  assert.deepEqual([inRange.points, inRange.stats], [before.points, before.stats]);

  const late = [28, 31].map((days) => resultOf(monitor.id, daysAgo(days), 'up'));
  const answer = await app.probe().post(late);
  assert.deepEqual(answer.body.refused, [
    { index: 1, error: 'checked_at_ms is older than results are kept.' },
  ]);
  await app.place(app.alice, 'business');
  assert.equal((await app.probe().post([late[1]])).body.accepted, 1);
  await rollUpAll();
  // Of the three that were counted in that span nothing is left but the bucket: one alone does not take their place.
  assert.equal((await seriesOf(monitor, 'range=90d')).stats.checks, inRange.stats.checks + 1);
  await app.db.updateTable('organizations').set({ plan: 'unlimited' }).execute();
});

test('buckets are dropped by whole months, and those that a range can need stay', async () => {
  const kept = async () =>
    Object.fromEntries(await Promise.all(BUCKETS.map(async (t) => [t, await partitionsOf(t)])));
  await rollUpAll();
  const before = await kept();
  app.clock.advance(149 * DAY_MS);
  await app.runTask('partitions');
  app.clock.advance(DAY_MS);
  await rollUpAll();
  await app.runTask('partitions');
  const later = await kept();
  const oldest = new Date(app.clock.ms() - 100 * DAY_MS).toISOString().slice(0, 7).replace('-', '');
  for (const table of ['check_buckets_10m', 'check_buckets_1h'])
    assert.ok(
      later[table]?.every((name: string) => name.slice(-6) >= oldest),
      `${table}: ${later[table]}`,
    );
  for (const table of ['check_buckets_12h', 'downtime_buckets'])
    for (const name of before[table] ?? []) assert.ok(later[table]?.includes(name), `${name} is gone`);
});

test('figures survive a move, even without their checks', async () => {
  const place = await app.place();
  const monitor = await create(place);
  await history(monitor, 60 * DAY_MS, 60 * MINUTE_MS);
  const discarded = await putIncident({ ...app, home: place }, monitor, {
    fromMs: app.clock.ms() - 30 * DAY_MS,
    toMs: app.clock.ms() - 20 * DAY_MS,
    discarded: true,
  });
  app.clock.advance(30 * MINUTE_MS);
  await rollUpAll();
  await app.db.updateTable('organizations').set({ plan: 'free' }).execute();
  await app.runTask('partitions');
  await app.db.updateTable('organizations').set({ plan: 'unlimited' }).execute();
  await app.probe().post([resultOf(monitor.id, app.clock.ms() - 2 * DAY_MS - 1, 'down')]);
  const before = await seriesOf(monitor, 'range=90d');

  const path = (name: string) => join(dir, name);
  await exportOrganization({
    url: app.databaseUrl,
    organizationId: place.orgId,
    vault: app.vault,
    version: '0.0.0',
    now: app.clock.now(),
    file: (name, write) => writePrivateFile(path(name), write),
  });
  const lines = readFileSync(path('uptime.csv'), 'utf8').trimEnd().split('\r\n').slice(1);
  const days = lines.map((line) => line.split(',').slice(4).map(Number));
  const sum = (column: number) => days.reduce((all, day) => all + (day[column] ?? 0), 0);
  const { checks, uptime_pct } = before.stats;
  assert.deepEqual(
    [sum(0), ((sum(1) + sum(2)) / sum(0)) * 100],
    [checks, uptime_pct],
    'the CSV says the same',
  );
  const target = await startAppOfFile({ clock: app.clock });
  // Its clock starts far behind.
  await rollUpAll(target);
  await importOrganization({
    db: target.db,
    vault: target.vault,
    path: path(LINES_FILE),
    slug: null,
    plan: 'unlimited',
    now: target.clock.now(),
    actor: OPERATOR,
  });
  await sql`INSERT INTO members (org_id, user_id, role, joined_at)
    VALUES (${place.orgId}, ${target.alice.userId}, 'owner', ${target.clock.now()}) ON CONFLICT DO NOTHING`.execute(
    target.db,
  );
  const figures = ({ points, stats }: Series) => ({ points, stats: { ...stats, p95_ms: null } });
  assert.deepEqual(figures(await seriesOf(monitor, 'range=90d', target)), figures(before));
  await rollUpAll(target);
  const rolled = await seriesOf(monitor, 'range=90d', target);
  assert.deepEqual(figures(rolled), figures(before));
  for (const by of [app, target])
    await by.db.updateTable('incidents').set({ discarded: false }).where('id', '=', discarded).execute();
  assert.deepEqual(
    figures(await seriesOf(monitor, 'range=90d', target)),
    figures(await seriesOf(monitor, 'range=90d')),
  );
});

test('p95 is right where more checks share a latency than one bin of a bucket can count', async () => {
  const monitor = await create();
  await rollUpAll();
  const { no } = await app.db
    .selectFrom('monitors')
    .select('no')
    .where('id', '=', monitor.id)
    .executeTakeFirstOrThrow();
  const at = Math.floor(app.clock.ms() / 43_200_000) * 43_200 - 10 * 86_400;
  const bin = (latency: number, count: number) => binOf(latency, LATENCY_BINS) * 2 ** COUNT_BITS + count;
  const [usual, slow] = [MAX_BIN_COUNT, 100_000];
  for (const bucket of [at, at + 43_200]) {
    await makePartition(app.db, BUCKETS_12H, new Date(bucket * 1000));
    await sql`
      INSERT INTO check_buckets_12h (monitor_no, bucket, region_no, up, degraded, down, latency_count, latency_max, latency_sum, latencies)
      VALUES (${no}, to_timestamp(${bucket}::bigint), 1, ${usual + slow}, 0, 0, ${usual + slow}, 100, ${usual * 5 + slow * 100},
        ${[bin(5, usual), bin(100, slow)]}::int[])`.execute(app.db);
  }
  const { stats } = await seriesOf(monitor, `from_unix=${at - 86_400 * 10}&to_unix=${at + 86_400}`);
  assert.deepEqual([stats.checks, stats.p95_ms], [2 * (usual + slow), 5]);
});
