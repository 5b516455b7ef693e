// Uptime by time: whatever happens to a monitor, and whoever rolls up meanwhile, it is what one would compute of all checks,
// windows and incidents by hand.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { SERIES_RANGES } from '#src/domain/names.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Report } from '#src/reports/contract.ts';
import type { Series } from '#src/series/contract.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { putIncident } from '#test/harness/incident-row.ts';
import { putMaintenance } from '#test/harness/maintenance-row.ts';
import { readUptime } from '#test/harness/naive-uptime.ts';
import { type Probe, resultOf } from '#test/harness/probe.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let app: TestApp;
let probes: Probe[];
before(async () => {
  app = await startAppOfFile();
  probes = [app.probe(), await app.region('far')];
});

let made = 0;
async function create(fields: object = {}): Promise<Monitor> {
  made += 1;
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
const uptimeOf = async (monitor: Monitor, range = '1d') =>
  (await seriesOf(monitor, range)).stats.uptime_time_pct;
const change = ({ id }: Monitor, fields: object) => app.alice.ok('PATCH', `/monitors/${id}`, fields);
const discard = (incidentId: string, how: 'discard' | 'restore') =>
  app.alice.ok('POST', `/organizations/${app.home.orgId}/incidents/${incidentId}/${how}`);

/** Ranges end at whole seconds: what is to be counted by hand begins at one. */
const toWholeSecond = () => app.clock.advance(1000 - (app.clock.ms() % 1000));

/** A passing result every minute of the last `agoMs`, with `but` left out (ms ago). */
async function history(monitor: Monitor, agoMs: number, but: [number, number] = [0, 0]): Promise<void> {
  const agos = Array.from({ length: agoMs / MINUTE_MS }, (_, i) => agoMs - i * MINUTE_MS);
  const sent = agos.filter((ago) => ago > but[0] || ago <= but[1]);
  for (let i = 0; i < sent.length; i += 4000)
    await app
      .probe()
      .post(sent.slice(i, i + 4000).map((ago) => resultOf(monitor.id, app.clock.ms() - ago, 'up')));
}

test('whatever happens to a monitor, every range matches its checks, windows and incidents', async () => {
  const property = fc.asyncProperty(fc.gen(), async (draw) => {
    const monitor = await create({ interval_seconds: 60 });
    const int = (min: number, max: number) => draw(fc.integer, { min, max });
    const post = async (howMany: number, maxAgoMs: number) => {
      const sent = Array.from({ length: howMany }, () =>
        resultOf(monitor.id, app.clock.ms() - int(0, maxAgoMs), {
          ...(int(0, 5) === 0 ? { status: 'down', cause_layer: 'probe' } : { status: 'up' }),
        } as never),
      );
      await probes[int(0, 1)]!.post(sent);
    };
    const past = (maxAgoMs: number) => {
      const fromMs = app.clock.ms() - int(1, maxAgoMs);
      return { fromMs, toMs: Math.min(app.clock.ms(), fromMs + int(1, maxAgoMs)) };
    };
    await post(30, 80 * DAY_MS);
    const outages: string[] = [];
    for (let step = 0; step < 18; step++) {
      app.clock.advance(int(1, 40 * MINUTE_MS));
      await post(int(1, 12), 25 * MINUTE_MS);
      switch (int(0, 8)) {
        case 0:
          await change(monitor, { interval_seconds: [10, 60, 600, 3600][int(0, 3)] });
          break;
        case 1:
          await change(monitor, { enabled: int(0, 2) > 0 });
          break;
        case 2:
          await change(monitor, { config: { timeout_ms: int(1000, 8000) } });
          break;
        case 3:
          outages.push(await putIncident(app, monitor, { ...past(3 * HOUR_MS), origin: 'automatic' }));
          break;
        case 4: {
          const { fromMs, toMs } = past(3 * HOUR_MS);
          await putMaintenance(app, monitor, { fromMs, untilMs: toMs });
          break;
        }
        case 5: {
          const id = outages.at(int(0, Math.max(0, outages.length - 1)));
          if (id) await discard(id, int(0, 1) === 0 ? 'discard' : 'restore');
          break;
        }
        case 6:
          await post(10, 20 * DAY_MS);
          break;
        default:
          await app.runTask('roll_up');
      }
      if (step % 6 !== 5) continue;
      const uptimeIn = await readUptime(app, monitor.id);
      for (const range of SERIES_RANGES) {
        const { stats, from_unix, to_unix } = await seriesOf(monitor, range);
        const span = { fromMs: from_unix * 1000, untilMs: to_unix * 1000 };
        assert.equal(stats.uptime_time_pct, uptimeIn(span), `${range} at step ${step}`);
      }
    }
  });
  await fc.assert(property, { numRuns: 2, endOnFailure: true });
});

test('an outage counts to the second; discarding it removes it at once, restoring brings it back', async () => {
  const monitor = await create();
  await history(monitor, DAY_MS + HOUR_MS);
  const { from_unix, to_unix } = await seriesOf(monitor, '1d');
  const seconds = to_unix - from_unix;
  const toMs = app.clock.ms() - 2 * HOUR_MS;
  const id = await putIncident(app, monitor, { fromMs: toMs - 1_234_000, toMs, origin: 'automatic' });
  const down = ((seconds * 1000 - 1_234_000) / (seconds * 1000)) * 100;
  assert.equal(await uptimeOf(monitor), down);
  await discard(id, 'discard');
  assert.equal(await uptimeOf(monitor), 100);
  await discard(id, 'restore');
  assert.equal(await uptimeOf(monitor), down);
});

test('a declared incident is no confirmed outage', async () => {
  const monitor = await create();
  await history(monitor, 2 * HOUR_MS);
  await putIncident(app, monitor, { fromMs: app.clock.ms() - HOUR_MS, toMs: null });
  assert.equal(await uptimeOf(monitor), 100);
});

test('unmeasured time is neither up nor down, and before the first result there is no uptime', async () => {
  const monitor = await create();
  assert.equal(await uptimeOf(monitor), null);
  toWholeSecond();
  // Three hours of results with one hour missing; a result speaks for 3 × 60 s + 8 s.
  await history(monitor, 3 * HOUR_MS, [2 * HOUR_MS, HOUR_MS]);
  assert.equal(await uptimeOf(monitor), 100);
  const fromMs = app.clock.ms() - 3 * HOUR_MS;
  await putIncident(app, monitor, { fromMs: fromMs - HOUR_MS, toMs: fromMs + HOUR_MS, origin: 'automatic' });
  const { config } = await app.alice.ok<Monitor>('GET', `/monitors/${monitor.id}`);
  const gap = HOUR_MS + MINUTE_MS - 180_000 - (config as { timeout_ms: number }).timeout_ms;
  const counted = 3 * HOUR_MS - gap;
  assert.equal(await uptimeOf(monitor), ((counted - HOUR_MS) / counted) * 100);
});

test('90 days are read from the roll-ups: without a single check the result is the same', async () => {
  const monitor = await create();
  await history(monitor, 3 * DAY_MS, [40 * HOUR_MS, 30 * HOUR_MS]);
  const toMs = app.clock.ms() - 20 * HOUR_MS;
  await putIncident(app, monitor, { fromMs: toMs - HOUR_MS, toMs, origin: 'automatic' });
  app.clock.advance(30 * MINUTE_MS);
  for (let i = 0; i < 4; i++) await app.runTask('roll_up');
  const by = async () => Promise.all(['7d', '30d', '90d'].map((range) => uptimeOf(monitor, range)));
  const withChecks = await by();
  assert.ok(
    withChecks.every((pct) => pct !== null && pct > 98 && pct < 99),
    String(withChecks),
  );
  await sql`DELETE FROM checks WHERE monitor_no = (SELECT no FROM monitors WHERE id = ${monitor.id})`.execute(
    app.db,
  );
  assert.deepEqual(await by(), withChecks);
});

test('a steady monitor takes one range for half a day, whatever its regions', async () => {
  const monitor = await create();
  await history(monitor, 2 * DAY_MS);
  app.clock.advance(30 * MINUTE_MS);
  for (let i = 0; i < 3; i++) await app.runTask('roll_up');
  const { rows } = await sql<{ ranges: number }>`
    SELECT cardinality(ARRAY(SELECT unnest(times)))::int AS ranges FROM reported_times
    WHERE monitor_no = (SELECT no FROM monitors WHERE id = ${monitor.id})`.execute(app.db);
  assert.ok(rows.length >= 4 && rows.length <= 6, `${rows.length} rows`);
  assert.ok(rows.every(({ ranges }) => ranges === 1));
});

test('a group is known while one of its members is', async () => {
  const member = await create();
  const group = await create({ type: 'group', config: { members: [member.id] }, regions: [] });
  assert.equal(await uptimeOf(group), null);
  toWholeSecond();
  await history(member, 2 * HOUR_MS);
  assert.equal(await uptimeOf(group), 100);
  const known = { fromMs: app.clock.ms() - 2 * HOUR_MS, untilMs: app.clock.ms() };
  await putIncident(app, group, {
    fromMs: known.fromMs - HOUR_MS,
    toMs: known.fromMs + HOUR_MS,
    origin: 'automatic',
  });
  assert.equal(await uptimeOf(group), 50);
});

test('a group in a group is unknown while it is switched off, and so is what has nothing but it', async () => {
  const leaf = await create();
  const inner = await create({ type: 'group', config: { members: [leaf.id] }, regions: [] });
  const outer = await create({ type: 'group', config: { members: [inner.id] }, regions: [] });
  const both = await create({ type: 'group', config: { members: [inner.id, leaf.id] }, regions: [] });
  toWholeSecond();
  const from = app.clock.ms();
  for (let minute = 0; minute < 30; minute++) {
    await app.probe().post([resultOf(leaf.id, app.clock.ms(), 'up')]);
    if (minute === 10) await change(inner, { enabled: false });
    if (minute === 20) await change(inner, { enabled: true });
    app.clock.advance(MINUTE_MS);
  }
  const range = `from_unix=${from / 1000}&to_unix=${app.clock.ms() / 1000}`;
  const { monitors } = await app.alice.ok<Report>('GET', `/organizations/${app.home.orgId}/report?${range}`);
  const counted = ({ id }: Monitor) =>
    monitors.find(({ monitor_id }) => monitor_id === id)?.counted_seconds ?? assert.fail();
  assert.deepEqual([leaf, inner, outer, both].map(counted), [1800, 1200, 1200, 1800]);
});

test('a heartbeat is known from its first ping on, however seldom pings come', async () => {
  const monitor = await create({
    type: 'heartbeat',
    config: { schedule: { kind: 'period', period_seconds: 30 * 86_400 } },
    regions: [],
  });
  toWholeSecond();
  const { ping_url } = monitor.config as { ping_url: string };
  await fetch(`${app.url}${new URL(ping_url).pathname}`);
  app.clock.advance(2 * DAY_MS);
  await app.runTask('partitions');
  for (let i = 0; i < 2; i++) await app.runTask('roll_up');
  const toMs = app.clock.ms();
  await putIncident(app, monitor, { fromMs: toMs - DAY_MS / 5, toMs: null, origin: 'automatic' });
  assert.equal(await uptimeOf(monitor, '30d'), 90);
});

test('a heartbeat stays known by a ping from long before the range', async () => {
  const monitor = await create({
    type: 'heartbeat',
    config: { schedule: { kind: 'period', period_seconds: 30 * 86_400 } },
    regions: [],
  });
  toWholeSecond();
  const { ping_url } = monitor.config as { ping_url: string };
  await fetch(`${app.url}${new URL(ping_url).pathname}`);
  for (let day = 0; day < 8; day++) {
    app.clock.advance(DAY_MS);
    await app.runTask('partitions');
    for (let i = 0; i < 2; i++) await app.runTask('roll_up');
  }
  await sql`DELETE FROM checks WHERE monitor_no = (SELECT no FROM monitors WHERE id = ${monitor.id})`.execute(
    app.db,
  );
  const toMs = app.clock.ms();
  await putIncident(app, monitor, { fromMs: toMs - DAY_MS / 5, toMs: null, origin: 'automatic' });
  // A day of buckets, of which the first and the last are not whole.
  const pct = await uptimeOf(monitor, '1d');
  assert.ok(pct !== null && Math.abs(pct - 80) < 1, String(pct));
});
