// What a chart has beside its curve, over HTTP: free ranges of a series, incidents, maintenance and announced changes in a
// range, and uptime by hour of the week (docs/rules/figures.md#series). That free ranges agree with the checks: rollup.test.ts.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { readAnnotations } from '#src/charts/annotations.ts';
import type { Annotations, HoursOfWeek } from '#src/charts/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Series } from '#src/series/contract.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import type { Client } from '#test/harness/client.ts';
import { putIncident } from '#test/harness/incident-row.ts';
import { makeKeyHolder } from '#test/harness/keys.ts';
import { putMaintenance } from '#test/harness/maintenance-row.ts';
import { naiveUptime } from '#test/harness/naive-uptime.ts';
import { resultOf } from '#test/harness/probe.ts';
import { assertRefused } from '#test/harness/refused.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

let made = 0;
async function create(fields: object = {}, projectId = app.home.projectId): Promise<Monitor> {
  made += 1;
  // Months pass here in seconds: partitions are made by the same clock.
  await app.runTask('partitions');
  const body = { name: `M ${made}`, type: 'http', config: { url: 'https://shop.example.com/' } };
  return app.alice.ok('POST', `/projects/${projectId}/monitors`, { ...body, ...fields });
}
const unix = (ms: number) => Math.floor(ms / 1000);
const spanOf = (fromMs: number, untilMs: number) => `from_unix=${unix(fromMs)}&to_unix=${unix(untilMs)}`;
const annotations = ({ id }: Monitor, fromMs: number, untilMs: number, by: Client = app.alice) =>
  by.ok<Annotations>('GET', `/monitors/${id}/annotations?${spanOf(fromMs, untilMs)}`);

for (const [what, query, field] of [
  ['one instant alone', 'from_unix=1700000000', 'to_unix'],
  ['the other alone', 'to_unix=1700000000', 'from_unix'],
  ['an end before its start', 'from_unix=1700000000&to_unix=1700000000', 'to_unix'],
  ['more than 400 days', 'from_unix=1600000000&to_unix=1700000000', 'from_unix'],
  ['what has not begun', 'from_unix=9700000000&to_unix=9700000001', 'from_unix'],
  ['a free range beside a named one', 'range=1d&from_unix=1700000000&to_unix=1700003600', 'range'],
] as const)
  test(`a series of ${what} is refused`, async () => {
    const { id } = await create();
    assertRefused(await app.alice.send('GET', `/monitors/${id}/series?${query}`), {
      ...{ status: 400, error: 'invalid_request', field },
    });
  });

test('a smaller plan keeps hourly buckets for longer than the single checks that it shows', async () => {
  const place = await app.place(app.alice, 'free');
  const monitor = await create({}, place.projectId);
  const now = app.clock.ms();
  const of = async (agoDays: number) => {
    const from = now - agoDays * DAY_MS;
    const path = `/monitors/${monitor.id}/series?${spanOf(from, from + HOUR_MS)}`;
    return (await app.alice.ok<Series>('GET', path)).bucket_seconds;
  };
  assert.deepEqual([await of(6.9), await of(7.1), await of(120)], [20, 3600, 43_200]);
});

test('everything that overlaps a range is an annotation, and nothing else', async () => {
  const monitor = await create({ alarm_gate: { origins: ['deployment', 'manual'], grace_seconds: 600 } });
  const start = app.clock.ms();
  const at = (minutes: number) => start + minutes * MINUTE_MS;
  const announce = (body: object) => app.alice.send('POST', `/monitors/${monitor.id}/alarm-holds`, body);
  await announce({ origin: 'deployment', name: 'release 41' });
  app.clock.advance(60 * MINUTE_MS);
  await announce({ origin: 'deployment', name: 'release 42' });
  await announce({ origin: 'manual' });
  app.clock.advance(2 * MINUTE_MS);
  await announce({ origin: 'deployment', seconds: 0 });
  app.clock.advance(60 * MINUTE_MS);
  const put = (from: number, to: number | null, more = {}) =>
    putIncident(app, monitor, { fromMs: at(from), toMs: to === null ? null : at(to), ...more });
  await put(-300, 50);
  const inside = await put(65, 70, { origin: 'automatic', discarded: true });
  const open = await put(80, null);
  const window = await putMaintenance(app, monitor, { fromMs: at(90), untilMs: at(100) });
  await putMaintenance(app, monitor, { fromMs: at(10), untilMs: at(55) });

  const found = await annotations(monitor, at(55), at(900));
  assert.deepEqual(
    [found.from_unix, found.to_unix, found.complete],
    [unix(at(55)), unix(app.clock.ms()), true],
  );
  assert.deepEqual(
    found.incidents?.map(({ id, discarded, resolved_at_unix }) => [id, discarded, resolved_at_unix]),
    [
      [inside, true, unix(at(70))],
      [open, false, null],
    ],
  );
  assert.deepEqual(
    found.maintenance?.map(({ id, starts_at_unix, ends_at_unix }) => [id, starts_at_unix, ends_at_unix]),
    [[window, unix(at(90)), unix(at(100))]],
  );
  assert.deepEqual(
    found.changes.map(({ origin, name, announced_at_unix, held_until_unix }) => [
      ...[origin, name === 'release 42' ? name : 'by name', announced_at_unix, held_until_unix],
    ]),
    [
      // It was said to be over after two minutes, and is not forgotten.
      ['deployment', 'release 42', unix(at(60)), unix(at(62))],
      ['manual', 'by name', unix(at(60)), unix(at(70))],
    ],
  );

  const blind = await makeKeyHolder(app, app.alice, app.home.orgId, { scopes: ['monitors:read'] });
  const seen = await annotations(monitor, at(55), at(900), blind);
  assert.deepEqual([seen.incidents, seen.maintenance, seen.changes.length], [null, null, 2]);
});

test('an hour of the week has the uptime of its hours, in the requested time zone', async () => {
  const monitor = await create({ interval_seconds: 300 });
  const start = Math.ceil(app.clock.ms() / HOUR_MS) * HOUR_MS;
  app.clock.advance(start + 8 * DAY_MS + 20 * MINUTE_MS - app.clock.ms());
  const sent = Array.from({ length: 8 * 288 }, (_, i) =>
    resultOf(monitor.id, start + i * 5 * MINUTE_MS, 'up'),
  );
  await app.probe().post(sent);
  // The same hour of the week, on two days, one of them only in part.
  const outage = { origin: 'automatic', discarded: false } as const;
  await putIncident(app, monitor, {
    ...outage,
    fromMs: start + 10 * MINUTE_MS,
    toMs: start + 40 * MINUTE_MS,
  });
  await putIncident(app, monitor, {
    ...{ origin: 'automatic', discarded: true },
    fromMs: start + 3 * HOUR_MS,
    toMs: start + 4 * HOUR_MS,
  });
  await putMaintenance(app, monitor, {
    fromMs: start + 7 * DAY_MS,
    untilMs: start + 7 * DAY_MS + 15 * MINUTE_MS,
  });
  const zone = 'Asia/Kathmandu';
  const asked = `${spanOf(start, app.clock.ms() + HOUR_MS)}&timezone=${zone}`;
  const found = await app.alice.ok<HoursOfWeek>('GET', `/monitors/${monitor.id}/hours-of-week?${asked}`);
  const whole = { fromMs: start, untilMs: found.to_unix * 1000 };
  assert.equal(found.uptime_time_pct, await naiveUptime(app, monitor.id, whole));
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions();
  assert.deepEqual(
    [found.timezone, found.hours.length, found.to_unix],
    [timeZone, 168, unix(app.clock.ms())],
  );
  const sum = (of: 'counted_seconds' | 'downtime_seconds' | 'maintenance_seconds') =>
    found.hours.reduce((all, hour) => all + hour[of], 0);
  assert.deepEqual([sum('downtime_seconds'), sum('maintenance_seconds')], [1800, 900]);

  // Kathmandu is 5:45 ahead: 45 minutes of each hour are in one of its hours, 15 in the next.
  const local = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(zone);
  assert.equal(local.minute, 45);
  const first = found.hours.find((each) => each.weekday === local.dayOfWeek && each.hour === local.hour);
  // A quarter of an hour, five minutes of it down; a week later three quarters, and one that was planned.
  assert.deepEqual(
    [first?.counted_seconds, first?.downtime_seconds, first?.maintenance_seconds],
    [3600, 300, 900],
  );
  assert.equal(first?.uptime_time_pct, (3300 / 3600) * 100);

  const refused = await app.alice.send('GET', `/monitors/${monitor.id}/hours-of-week?timezone=Mars/Base`);
  assertRefused(refused, { status: 400, error: 'invalid_request', field: 'timezone' });
});

test('a monitor without checks has no known hour', async () => {
  const { id } = await create();
  const { hours, uptime_time_pct } = await app.alice.ok<HoursOfWeek>('GET', `/monitors/${id}/hours-of-week`);
  assert.equal(uptime_time_pct, null);
  assert.ok(hours.every((hour) => hour.uptime_time_pct === null && hour.counted_seconds === 0));
});

test('announced changes are in charts for a hundred days', async () => {
  const monitor = await create({ alarm_gate: { origins: ['manual'], grace_seconds: 600 } });
  const at = app.clock.ms();
  await app.alice.send('POST', `/monitors/${monitor.id}/alarm-holds`, { origin: 'manual' });
  // Nobody is signed in as long as that.
  const asked = { from_unix: unix(at), to_unix: unix(at + HOUR_MS) };
  const asking = { now: app.clock.now(), seesIncidents: true, seesMaintenance: true };
  const afterDays = async (days: number) => {
    app.clock.advance(days * DAY_MS);
    await app.runTask('sweep');
    const { changes } = await readAnnotations(app.db, monitor.id, asked, { ...asking, now: app.clock.now() });
    return changes.length;
  };
  assert.deepEqual([await afterDays(99), await afterDays(2)], [1, 0]);
});
