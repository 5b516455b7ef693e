// Checks and series: what was measured, as records and in buckets (docs/rules/figures.md).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { CheckRecord } from '#src/checks/contract.ts';
import { SERIES_RANGES } from '#src/domain/names.ts';
import { SERIES } from '#src/domain/series.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Series } from '#src/series/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import type { Answer } from '#test/harness/client.ts';
import { type Probe, resultOf, type Said } from '#test/harness/probe.ts';

let app: TestApp;
let place: Place;
let far: Probe;
before(async () => {
  app = await startAppOfFile();
  far = await app.region('far');
  place = await app.place();
});

let made = 0;
function create(fields: object = {}, projectId = place.projectId): Promise<Monitor> {
  made += 1;
  const body = {
    name: `Monitor ${made}`,
    type: 'http',
    config: { url: 'https://shop.example.com/' },
    ...fields,
  };
  return app.alice.ok('POST', `/projects/${projectId}/monitors`, body);
}
const checksOf = (monitor: Monitor, query = '') =>
  app.alice.ok<CheckRecord[]>('GET', `/monitors/${monitor.id}/checks${query}`);
const seriesOf = (monitor: Monitor, query = '') =>
  app.alice.ok<Series>('GET', `/monitors/${monitor.id}/series${query}`);
const up = (latency_ms: number): Said => ({ status: 'up', latency_ms });

test('a check record has all reported fields, and no others', async () => {
  const monitor = await create();
  const at = app.clock.ms();
  const timings_ms = { dns: 1, connect: 2, tls: 3, first_byte: 9, total: 20 };
  await app.probe().post([
    resultOf(monitor.id, at - 1500, { status: 'up', latency_ms: 20, response_code: 204, timings_ms }),
    resultOf(monitor.id, at, {
      status: 'down',
      detail: 'refused',
      response_code: 503,
      failure_class: 'http_status',
      cause_layer: 'target_http',
    }),
  ]);
  const [down, passed] = await checksOf(monitor);
  assert.match(down?.id ?? '', /^\S+$/);
  assert.notEqual(down?.id, passed?.id);
  assert.deepEqual(down, {
    id: down?.id,
    monitor_id: monitor.id,
    region: 'local',
    checked_at_unix: Math.floor(at / 1000),
    status: 'down',
    latency_ms: null,
    response_code: 503,
    failure_class: 'http_status',
    cause_layer: 'target_http',
    detail: 'refused',
    metric_value: null,
    timings_ms: {},
    in_maintenance: false,
    discarded: false,
    response_excerpt: null,
  });
  assert.deepEqual(
    [passed?.status, passed?.latency_ms, passed?.response_code, passed?.timings_ms, passed?.failure_class],
    ['up', 20, 204, timings_ms, null],
  );
});

test('checks are listed newest first, by region, before a second, in pages without gaps or repetitions', async () => {
  const monitor = await create({ regions: ['local', 'far'] });
  const start = app.clock.ms();
  app.clock.advance(60_000);
  const times = Array.from({ length: 25 }, (_, i) => start + i * 1000);
  await app.probe().post(times.map((at) => resultOf(monitor.id, at, 'up')));
  await far.post(times.slice(0, 5).map((at) => resultOf(monitor.id, at + 100, 'up')));
  const all = await checksOf(monitor);
  assert.equal(all.length, 30);
  assert.deepEqual(
    all.map((check) => check.checked_at_unix),
    all.map((check) => check.checked_at_unix).sort((a, b) => b - a),
  );
  assert.equal((await checksOf(monitor, '?region=far')).length, 5);
  assert.deepEqual(await checksOf(monitor, '?region=nowhere'), []);
  const before = start / 1000 + 3;
  assert.ok((await checksOf(monitor, `?before=${before}`)).every((check) => check.checked_at_unix < before));

  for (const limit of [1, 3, 7]) {
    const seen: string[] = [];
    let next: string | undefined = `/monitors/${monitor.id}/checks?limit=${limit}`;
    while (next) {
      const page: Answer<CheckRecord[]> = await app.alice.send('GET', next);
      seen.push(...page.body.map((check) => check.id));
      next = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    }
    assert.deepEqual([...new Set(seen)].sort(), all.map((check) => check.id).sort(), `limit ${limit}`);
  }
});

for (const range of SERIES_RANGES)
  test(`series ${range}: aligned buckets, without empty ones or results outside the range`, async () => {
    const monitor = await create();
    const now = app.clock.ms();
    const { seconds, bucketSeconds } = SERIES[range];
    const inside = [1000, bucketSeconds * 1000 + 2000, seconds * 500, seconds * 1000 - 5000];
    const outside = (seconds + bucketSeconds) * 1000 + 5000;
    await app.probe().post([...inside, outside].map((ago) => resultOf(monitor.id, now - ago, up(100))));
    const series = await seriesOf(monitor, `?range=${range}`);
    assert.deepEqual(
      [series.range, series.bucket_seconds, series.to_unix],
      [range, bucketSeconds, Math.floor(now / 1000)],
    );
    assert.ok(series.from_unix % bucketSeconds === 0 && series.from_unix <= now / 1000 - seconds);
    assert.ok(series.points.every((point) => point.bucket_unix % bucketSeconds === 0));
    const expected = inside.map((ago) => Math.floor((now - ago) / 1000 / bucketSeconds) * bucketSeconds);
    const found = series.points.flatMap((point) => Array.from({ length: point.up }, () => point.bucket_unix));
    assert.deepEqual(
      found,
      expected.sort((a, b) => a - b),
    );
    assert.equal(new Set(series.points.map((point) => point.bucket_unix)).size, series.points.length);
    assert.equal(series.stats.checks, inside.length);
  });

test('a point counts every result of its bucket per region; latencies are of passing and degraded results', async () => {
  const monitor = await create({ regions: ['local', 'far'] });
  const bucket = Math.floor(app.clock.ms() / 60_000) * 60_000 - 60_000;
  await app
    .probe()
    .post([
      resultOf(monitor.id, bucket, up(100)),
      resultOf(monitor.id, bucket + 1000, { status: 'degraded', latency_ms: 301 }),
      resultOf(monitor.id, bucket + 2000, { status: 'down', latency_ms: 9000 }),
      resultOf(monitor.id, bucket + 59_999, 'down'),
      resultOf(monitor.id, bucket + 3000, { status: 'down', cause_layer: 'probe' }),
    ]);
  await far.post([resultOf(monitor.id, bucket + 500, up(7))]);
  const { points, stats } = await seriesOf(monitor, '?range=3h');
  const bucket_unix = bucket / 1000;
  assert.deepEqual(points, [
    { bucket_unix, region: 'far', up: 1, down: 0, degraded: 0, avg_ms: 7, max_ms: 7 },
    { bucket_unix, region: 'local', up: 1, down: 2, degraded: 1, avg_ms: 201, max_ms: 301 },
  ]);
  assert.deepEqual([stats.checks, stats.uptime_pct, stats.avg_ms], [5, 60, 136]);
});

test('p95 is the value below which 95 of 100 latencies lie', async () => {
  const monitor = await create();
  const at = app.clock.ms();
  const latencies = Array.from({ length: 100 }, (_, i) => ((i * 37) % 100) + 1);
  await app.probe().post(latencies.map((latency, i) => resultOf(monitor.id, at - i * 100, up(latency))));
  assert.equal((await seriesOf(monitor)).stats.p95_ms, 95);
});

test('the figures of a monitor that was never checked are empty, not zero percent', async () => {
  const { points, stats, range, bucket_seconds } = await seriesOf(await create());
  assert.deepEqual([range, bucket_seconds, points], ['1d', 600, []]);
  assert.deepEqual(
    { ...stats, coverage_pct: null },
    { checks: 0, uptime_pct: null, uptime_time_pct: null, avg_ms: null, p95_ms: null, coverage_pct: null },
  );
});

test('failures alone have an uptime of 0 and no latency', async () => {
  const monitor = await create();
  await app.probe().says(monitor.id, { status: 'down', latency_ms: 5000 });
  const { points, stats } = await seriesOf(monitor);
  assert.deepEqual([stats.checks, stats.uptime_pct, stats.avg_ms, stats.p95_ms], [1, 0, null, null]);
  assert.deepEqual([points[0]?.avg_ms, points[0]?.max_ms], [null, null]);
});

test('coverage is the share of the expected checks that reported', async () => {
  const monitor = await create({ interval_seconds: 10 });
  const start = app.clock.ms();
  app.clock.advance(100_000);
  await app.probe().post([1, 2, 3, 4, 5].map((i) => resultOf(monitor.id, start + i * 10_000, 'up')));
  assert.equal((await seriesOf(monitor)).stats.coverage_pct, 50);
});

test('recent checks cover every monitor of a project, newest first, up to a limit', async () => {
  const own = await app.place();
  const one = await create({}, own.projectId);
  const two = await create({}, own.projectId);
  const at = app.clock.ms();
  await app.probe().post([3, 2, 1, 0].map((i) => resultOf(one.id, at - i * 1000, i === 1 ? 'down' : up(i))));
  type Recent = {
    monitor_id: string;
    checks: { checked_at_unix: number; status: string; latency_ms: number | null; region: string }[];
  };
  const recent = await app.alice.ok<Recent[]>('GET', `/projects/${own.projectId}/recent-checks?limit=3`);
  const newest = recent.find((entry) => entry.monitor_id === one.id)?.checks;
  assert.deepEqual(
    newest?.map((check) => [check.status, check.latency_ms]),
    [
      ['up', 0],
      ['down', null],
      ['up', 2],
    ],
  );
  assert.equal(newest?.[0]?.checked_at_unix, Math.floor(at / 1000));
  assert.deepEqual(recent.find((entry) => entry.monitor_id === two.id)?.checks, []);
});

test('a region removed from a monitor is still in its history', async () => {
  const monitor = await create({ regions: ['local', 'far'] });
  await far.says(monitor.id, up(5));
  await app.alice.ok('PATCH', `/monitors/${monitor.id}`, { regions: ['local'] });
  assert.deepEqual(
    (await checksOf(monitor)).map((check) => check.region),
    ['far'],
  );
  assert.deepEqual(
    (await seriesOf(monitor)).points.map((point) => point.region),
    ['far'],
  );
});
