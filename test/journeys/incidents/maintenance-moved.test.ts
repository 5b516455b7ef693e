// Maintenance that comes again moves as a whole: no window is lost, and each goes where it belongs.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';
import { makeClock, startAppOfFile, type TestApp } from '#test/harness/app.ts';

const ZONE = 'Europe/Berlin';

let app: TestApp;
before(async () => {
  // A winter day before months of different lengths.
  const clock = makeClock();
  clock.advance(Date.parse('2027-01-20T12:00Z') - clock.ms());
  app = await startAppOfFile({ clock });
});

const windows = () => `/organizations/${app.home.orgId}/maintenance-windows`;
const unix = (text: string) =>
  Temporal.PlainDateTime.from(text).toZonedDateTime(ZONE).epochMilliseconds / 1000;
const local = (at: number) =>
  Temporal.Instant.fromEpochMilliseconds(at * 1000)
    .toZonedDateTimeISO(ZONE)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' });

async function plan(start: string, rrule: string): Promise<MaintenanceWindow[]> {
  const first = await app.alice.ok<MaintenanceWindow>('POST', windows(), {
    title: 'Backups',
    scheduled_start: unix(start),
    scheduled_end: unix(start) + 1800,
    repeat: { rrule, timezone: ZONE },
  });
  return allOf(first);
}

async function allOf({ series_id }: MaintenanceWindow): Promise<MaintenanceWindow[]> {
  const all = await app.alice.ok<MaintenanceWindow[]>('GET', `${windows()}?limit=1000`);
  return all.filter((each) => each.series_id === series_id && !each.cancelled).reverse();
}

const timesOf = (all: readonly MaintenanceWindow[]) =>
  all.map(({ scheduled_start }) => local(scheduled_start));
const idsOf = (all: readonly MaintenanceWindow[]) => all.map(({ id }) => id);

/** Moves a window, and others as the scope says, to a local time. */
const move = (window: MaintenanceWindow, to: string, scope: string, more: object = {}) =>
  app.alice.send('PATCH', `${windows()}/${window.id}?scope=${scope}`, {
    scheduled_start: unix(to),
    scheduled_end: unix(to) + 1800,
    ...more,
  });
async function moved(...given: Parameters<typeof move>): Promise<MaintenanceWindow[]> {
  const { status, body } = await move(...given);
  assert.equal(status, 200, JSON.stringify(body));
  return allOf(body as MaintenanceWindow);
}

test('a weekly window that moves over midnight moves to the next day of the week, and none is lost', async () => {
  // 25 January 2027 is a Monday.
  const all = await plan('2027-01-25T23:00', 'FREQ=WEEKLY;BYDAY=MO');
  const now = await moved(all[1]!, '2027-02-02T01:00', 'all');
  assert.deepEqual(timesOf(now).slice(0, 3), ['2027-01-26T01:00', '2027-02-02T01:00', '2027-02-09T01:00']);
  assert.deepEqual(idsOf(now), idsOf(all));
  assert.equal(now[0]?.repeat?.rrule, 'FREQ=WEEKLY;BYDAY=TU');
  const back = await moved(now[2]!, '2027-02-08T23:00', 'following');
  assert.deepEqual(timesOf(back).slice(0, 2), ['2027-02-08T23:00', '2027-02-15T23:00']);
  assert.deepEqual(idsOf(back), idsOf(all.slice(2)));
});

test('a new time that the rule cannot follow is refused, and taken with a rule for it', async () => {
  const all = await plan('2027-02-08T23:00', 'FREQ=MONTHLY;BYDAY=2MO');
  const { status, body } = await move(all[0]!, '2027-02-09T01:00', 'all');
  const { field, reason, message } = body as Record<string, string>;
  assert.deepEqual([status, field, reason], [400, 'repeat', 'rule_stays']);
  assert.match(message ?? '', /FREQ=MONTHLY;BYDAY=2MO .* send repeat too/);
  assert.deepEqual(await allOf(all[0]!), all);
  const repeat = { rrule: 'FREQ=MONTHLY;BYDAY=2TU', timezone: ZONE };
  const now = await moved(all[0]!, '2027-02-09T01:00', 'all', { repeat });
  assert.deepEqual(timesOf(now).slice(0, 2), ['2027-02-09T01:00', '2027-03-09T01:00']);
  const later = await moved(now[0]!, '2027-02-09T02:00', 'all');
  assert.deepEqual(timesOf(later).slice(0, 2), ['2027-02-09T02:00', '2027-03-09T02:00']);
});

test('the end of the earlier windows after a split goes along when they move past it', async () => {
  const all = await plan('2027-01-25T23:00', 'FREQ=WEEKLY;BYDAY=MO');
  await moved(all[3]!, '2027-02-15T22:00', 'following');
  assert.deepEqual(idsOf(await allOf(all[0]!)), idsOf(all.slice(0, 3)));
  const later = await moved(all[0]!, '2027-02-03T23:00', 'all');
  assert.deepEqual(timesOf(later), ['2027-02-03T23:00', '2027-02-10T23:00', '2027-02-17T23:00']);
  assert.deepEqual(idsOf(later), idsOf(all.slice(0, 3)));
  const earlier = await moved(all[0]!, '2027-01-22T23:00', 'all');
  assert.deepEqual(timesOf(earlier), ['2027-01-22T23:00', '2027-01-29T23:00', '2027-02-05T23:00']);
});

test('the end that a person named stays where it cuts off the same windows, and goes along where it would not', async () => {
  const until_unix = unix('2027-02-08T23:59:59');
  const rrule = 'FREQ=WEEKLY;BYDAY=MO';
  const [first] = await plan('2027-01-25T22:00', rrule);
  const repeat = { rrule, timezone: ZONE, until_unix };
  const all = await moved(first!, '2027-01-25T22:00', 'all', { repeat });
  assert.equal(all.length, 3);
  const within = await moved(all[0]!, '2027-01-25T23:00', 'all');
  assert.deepEqual([within.length, within[0]?.repeat?.until_unix], [3, until_unix]);
  const past = await moved(all[0]!, '2027-01-26T01:00', 'all');
  assert.equal(local(past[0]?.repeat?.until_unix ?? 0), '2027-02-09T01:59');
  assert.deepEqual(idsOf(past), idsOf(all));
});

test('an UNTIL of the rule moves along as well: no window is cut off, and none gets in', async () => {
  // Five windows; the last begins at 21:00 UTC.
  const all = await plan('2027-01-25T22:00', 'FREQ=DAILY;UNTIL=20270129T210000Z');
  assert.equal(all.length, 5);
  const later = await moved(all[0]!, '2027-01-25T23:00', 'all');
  assert.deepEqual(idsOf(later), idsOf(all));
  const { rrule, until_unix } = later[0]?.repeat ?? {};
  assert.deepEqual([rrule, until_unix], ['FREQ=DAILY', unix('2027-01-29T23:00')]);
  const back = await moved(all[0]!, '2027-01-24T22:00', 'all');
  assert.deepEqual(idsOf(back), idsOf(all));
  assert.equal(timesOf(back).at(-1), '2027-01-28T22:00');
  const earlier = await plan('2027-01-25T22:00', 'UNTIL=20270129T210000Z;FREQ=DAILY');
  assert.deepEqual(idsOf(await moved(earlier[0]!, '2027-01-23T22:00', 'all')), idsOf(earlier));
  const split = await plan('2027-01-25T22:00', 'FREQ=DAILY;UNTIL=20270129T210000Z');
  assert.deepEqual(idsOf(await moved(split[2]!, '2027-01-27T23:30', 'following')), idsOf(split.slice(2)));
  assert.deepEqual(idsOf(await allOf(split[0]!)), idsOf(split.slice(0, 2)));
  const forever = await plan('2027-01-25T22:00', 'FREQ=DAILY;UNTIL=99991231T235959Z');
  const ends = (await moved(forever[0]!, '2027-01-26T01:30', 'all'))[0]?.repeat?.until_unix;
  assert.equal(ends, Date.parse('9999-12-31T23:59:59Z') / 1000);
});

for (const [what, rrule, more] of [
  ['follows the first window', 'FREQ=MONTHLY', {}],
  [
    'is named',
    'FREQ=MONTHLY;BYMONTHDAY=31',
    { repeat: { rrule: 'FREQ=MONTHLY;BYMONTHDAY=28', timezone: ZONE } },
  ],
] as const)
  test(`a window of the 31st moves within its month, where the day ${what}`, async () => {
    const all = await plan('2027-01-31T22:00', rrule);
    assert.deepEqual(timesOf(all), ['2027-01-31T22:00', '2027-03-31T22:00']);
    const now = await moved(all[0]!, '2027-01-28T22:00', 'all', more);
    assert.deepEqual(timesOf(now), ['2027-01-28T22:00', '2027-02-28T22:00', '2027-03-28T22:00']);
    assert.deepEqual([now[0]?.id, now[2]?.id], idsOf(all));
  });

test('a window that was called off stays so, and the months that the old day lacked get theirs', async () => {
  const all = await plan('2027-01-29T22:00', 'FREQ=MONTHLY');
  assert.deepEqual(timesOf(all), ['2027-01-29T22:00', '2027-03-29T22:00']);
  await app.alice.send('DELETE', `${windows()}/${all[1]?.id}`);
  const now = await moved(all[0]!, '2027-01-28T22:00', 'all');
  assert.deepEqual(timesOf(now), ['2027-01-28T22:00', '2027-02-28T22:00']);
  await app.runTask('maintenance_series', { series_id: all[0]?.series_id });
  assert.equal((await allOf(all[0]!)).length, 2);
});

test('a night without the new time loses its window alone, and the others keep theirs', async () => {
  // The clocks go forward on 28 March.
  const all = await plan('2027-03-28T03:30', 'FREQ=DAILY;COUNT=5');
  const now = await moved(all[1]!, '2027-03-29T02:30', 'all');
  assert.deepEqual(timesOf(now).slice(0, 2), ['2027-03-29T02:30', '2027-03-30T02:30']);
  assert.deepEqual(idsOf(now).slice(0, 4), idsOf(all).slice(1));
});

test('a longer window for the following ones, from one that was moved alone, brings that one back to its day', async () => {
  const all = await plan('2027-01-25T23:00', 'FREQ=WEEKLY;BYDAY=MO');
  await moved(all[1]!, '2027-02-02T23:00', 'this');
  const more = { scheduled_end: unix('2027-02-02T23:00') + 3600 };
  const now = await moved(all[1]!, '2027-02-02T23:00', 'following', more);
  assert.deepEqual(timesOf(now).slice(0, 2), ['2027-02-01T23:00', '2027-02-08T23:00']);
  assert.deepEqual(idsOf(now), idsOf(all.slice(1)));
  assert.ok(now.every(({ scheduled_start, scheduled_end }) => scheduled_end - scheduled_start === 3600));
});
