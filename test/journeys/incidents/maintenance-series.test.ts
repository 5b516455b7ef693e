// Maintenance that comes again: its windows are made ahead, change together, and each holds what the clock on the wall says.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { ActivityEntry } from '#src/activity/contract.ts';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Report } from '#src/reports/contract.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { makeMany } from '#test/harness/many-monitors.ts';
import { resultOf } from '#test/harness/probe.ts';
import { assertRefused } from '#test/harness/refused.ts';

const DAY = 86_400;
const ZONE = 'Europe/Berlin';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

let made = 0;
async function monitor(): Promise<Monitor> {
  made += 1;
  const body = { name: `M ${made}`, type: 'http', config: { url: 'https://shop.example.com/' } };
  return app.alice.ok('POST', `/projects/${app.home.projectId}/monitors`, body);
}

const windows = () => `/organizations/${app.home.orgId}/maintenance-windows`;
const nowUnix = () => Math.floor(app.clock.ms() / 1000);
/** Tomorrow at 22:00 in Berlin. */
const tomorrow = () =>
  Temporal.Instant.fromEpochMilliseconds(app.clock.ms())
    .toZonedDateTimeISO(ZONE)
    .add({ days: 1 })
    .with({ hour: 22, minute: 0, second: 0, millisecond: 0 });
const unix = (at: Temporal.ZonedDateTime) => Math.floor(at.epochMilliseconds / 1000);

async function plan(
  fields: object = {},
  rrule = 'FREQ=WEEKLY',
  repeat: object = {},
): Promise<MaintenanceWindow> {
  const start = tomorrow();
  return app.alice.ok('POST', windows(), {
    title: 'Backups',
    scheduled_start: unix(start),
    scheduled_end: unix(start.add({ hours: 2 })),
    monitors: [(await monitor()).id],
    repeat: { rrule, timezone: ZONE, ...repeat },
    ...fields,
  });
}

async function pass(days: number): Promise<void> {
  app.clock.advance(days * DAY * 1000);
  await app.runTask('partitions');
}

async function allOf({ series_id }: MaintenanceWindow): Promise<MaintenanceWindow[]> {
  const all = await app.alice.ok<MaintenanceWindow[]>('GET', `${windows()}?limit=1000`);
  return all.filter((each) => each.series_id === series_id).reverse();
}
const change = (window: MaintenanceWindow | undefined, body: object, scope?: string) =>
  app.alice.ok<MaintenanceWindow>(
    'PATCH',
    `${windows()}/${window?.id}${scope === undefined ? '' : `?scope=${scope}`}`,
    body,
  );
const local = (at: number) =>
  Temporal.Instant.fromEpochMilliseconds(at * 1000)
    .toZonedDateTimeISO(ZONE)
    .toPlainDateTime()
    .toString();

test('a weekly window is created 90 days ahead, each occurrence with the same local hours', async () => {
  const first = await plan();
  assert.deepEqual(first.repeat, { rrule: 'FREQ=WEEKLY', timezone: ZONE, until_unix: null });
  assert.match(first.series_id ?? '', /^mws_/);
  const all = await allOf(first);
  assert.equal(all.length, 13);
  assert.equal(all[0]?.id, first.id);
  for (const [i, window] of all.entries()) {
    assert.equal(local(window.scheduled_start), tomorrow().add({ weeks: i }).toPlainDateTime().toString());
    assert.match(local(window.scheduled_end), /T00:00:00$/);
    assert.deepEqual([window.title, window.monitors], [first.title, first.monitors]);
  }
});

test('the first window is the first match at or after the start', async () => {
  const weekday = tomorrow()
    .add({ days: 3 })
    .toLocaleString('en', { weekday: 'short' })
    .slice(0, 2)
    .toUpperCase();
  const first = await plan({}, `RRULE:FREQ=WEEKLY;BYDAY=${weekday}`);
  assert.equal(first.scheduled_start, unix(tomorrow().add({ days: 3 })));
  assert.equal(first.scheduled_end, unix(tomorrow().add({ days: 3, hours: 2 })));
});

test('the stored job creates the occurrences of the next 90 days, and none twice', async () => {
  const first = await plan();
  const before = (await allOf(first)).length;
  await pass(15);
  const job = () => app.runTask('maintenance_series', { series_id: first.series_id });
  await job();
  await job();
  const all = await allOf(first);
  assert.equal(all.length, before + 2);
  assert.equal(new Set(all.map(({ scheduled_start }) => scheduled_start)).size, all.length);
  const { next_at } = await app.db
    .selectFrom('maintenance_series')
    .select('next_at')
    .where('id', '=', first.series_id ?? '')
    .executeTakeFirstOrThrow();
  assert.ok(next_at && next_at > app.clock.now());
});

test('a recurrence ends with its COUNT, its until, or its last day', async () => {
  assert.equal((await allOf(await plan({}, 'FREQ=DAILY;COUNT=3'))).length, 3);
  const until_unix = unix(tomorrow().add({ days: 4 }));
  const some = await plan({}, 'FREQ=DAILY', { until_unix });
  assert.equal((await allOf(some)).length, 5);
  assert.equal(some.repeat?.until_unix, until_unix);
});

test('a change applies to this occurrence, to the following, or to all', async () => {
  const all = await allOf(await plan());
  await change(all[1], { title: 'Alone' });
  await change(all[3], { title: 'From here', public_visible: false }, 'following');
  const titles = (await allOf(all[0]!)).map(({ title }) => title);
  assert.deepEqual(titles.slice(0, 5), ['Backups', 'Alone', 'Backups', 'From here', 'From here']);
  const other = await monitor();
  await change(all[4], { title: 'Every', monitors: [other.id] }, 'all');
  const changed = await allOf(all[0]!);
  assert.ok(changed.every(({ title, monitors }) => title === 'Every' && monitors[0]?.id === other.id));
  await pass(30);
  await app.runTask('maintenance_series', { series_id: all[0]?.series_id });
  const last = (await allOf(all[0]!)).at(-1);
  assert.deepEqual([last?.title, last?.public_visible, last?.monitors[0]?.id], ['Every', false, other.id]);
});

test('a new time for the following occurrences leaves the earlier ones, and each keeps its id', async () => {
  const all = await allOf(await plan());
  const third = all[2]!;
  const moved = await change(
    third,
    { scheduled_start: third.scheduled_start + 3600, scheduled_end: third.scheduled_end + 5400 },
    'following',
  );
  assert.equal(moved.id, third.id);
  assert.notEqual(moved.series_id, third.series_id);
  const [earlier, later] = [await allOf(all[0]!), await allOf(moved)];
  assert.deepEqual(
    earlier.map(({ id }) => id),
    all.slice(0, 2).map(({ id }) => id),
  );
  assert.deepEqual(
    later.map(({ id }) => id).slice(0, 10),
    all.slice(2, 12).map(({ id }) => id),
  );
  assert.ok(later.every((window) => /T23:00:00$/.test(local(window.scheduled_start))));
  // Not at 02:00: in one night of the year there is none.
  assert.ok(later.every((window) => /T01:30:00$/.test(local(window.scheduled_end))));
});

test('a new time for all moves each by as much in local time', async () => {
  const all = await allOf(await plan());
  const pivot = all[4]!;
  const start = Temporal.Instant.fromEpochMilliseconds(pivot.scheduled_start * 1000).toZonedDateTimeISO(ZONE);
  const to = unix(start.add({ days: 1 }).with({ hour: 3 }));
  const moved = await change(pivot, { scheduled_start: to, scheduled_end: to + 1800 }, 'all');
  assert.deepEqual([moved.id, moved.scheduled_start, moved.scheduled_end], [pivot.id, to, to + 1800]);
  const now = await allOf(moved);
  assert.deepEqual(
    now.map(({ id }) => id).slice(0, all.length),
    all.map(({ id }) => id),
  );
  assert.ok(now.every((window) => /T03:00:00$/.test(local(window.scheduled_start))));
});

for (const [what, method, path] of [
  ['cancelled', 'POST', '/cancel'],
  ['deleted', 'DELETE', ''],
] as const)
  test(`a new time for all leaves the week free whose window was ${what} alone`, async () => {
    const all = await allOf(await plan());
    await app.alice.send(method, `${windows()}/${all[1]?.id}${path}`);
    const third = all[2]!;
    const times = {
      scheduled_start: third.scheduled_start + 3600,
      scheduled_end: third.scheduled_end + 3600,
    };
    const moved = await change(third, times, 'all');
    assert.deepEqual([moved.id, moved.scheduled_start], [third.id, times.scheduled_start]);
    const live = (await allOf(moved)).filter(({ cancelled }) => !cancelled);
    assert.deepEqual(
      live.map(({ id, scheduled_start }) => [id, scheduled_start]),
      all.filter((_, i) => i !== 1).map(({ id, scheduled_start }) => [id, scheduled_start + 3600]),
    );
    // Again, and with another end: the row that was cancelled is not where the rule is now.
    const until_unix = all[5]!.scheduled_start + 7200;
    await change(third, { repeat: { rrule: 'FREQ=WEEKLY', timezone: ZONE, until_unix } }, 'all');
    const left = (await allOf(moved)).filter(({ cancelled }) => !cancelled);
    assert.deepEqual(
      left.map(({ id }) => id),
      [0, 2, 3, 4, 5].map((i) => all[i]?.id),
    );
  });

test('a COUNT counts the occurrence that was cancelled alone, also after a new time', async () => {
  const all = await allOf(await plan({}, 'FREQ=WEEKLY;COUNT=6'));
  await app.alice.ok('POST', `${windows()}/${all[4]?.id}/cancel`);
  const fourth = all[3]!;
  const moved = await change(
    fourth,
    { scheduled_start: fourth.scheduled_start + 3600, scheduled_end: fourth.scheduled_end + 3600 },
    'following',
  );
  assert.deepEqual(
    (await allOf(moved)).map(({ id, scheduled_start }) => [id, scheduled_start]),
    [fourth, all[5]!].map(({ id, scheduled_start }) => [id, scheduled_start + 3600]),
  );
});

test('a last window that was cancelled alone does not come back when all move later than 90 days ahead', async () => {
  const all = await allOf(await plan());
  const last = all.at(-1)!;
  await app.alice.ok('POST', `${windows()}/${last.id}/cancel`);
  const by = {
    scheduled_start: all[0]!.scheduled_start + 9 * DAY,
    scheduled_end: all[0]!.scheduled_end + 9 * DAY,
  };
  const moved = await change(all[0], by, 'all');
  await pass(28);
  await app.runTask('maintenance_series', { series_id: moved.series_id });
  const live = (await allOf(moved)).filter(({ cancelled }) => !cancelled);
  const calledOff = last.scheduled_start + 9 * DAY;
  assert.deepEqual(
    live.slice(0, 12).map(({ id }) => id),
    all.slice(0, 12).map(({ id }) => id),
  );
  assert.deepEqual(
    live.slice(11, 13).map(({ scheduled_start }) => scheduled_start),
    [calledOff - 7 * DAY, calledOff + 7 * DAY],
  );
});

test('a new rule recreates the following occurrences; a COUNT continues', async () => {
  const all = await allOf(await plan({}, 'FREQ=WEEKLY;COUNT=6'));
  const moved = await change(
    all[2],
    { repeat: { rrule: 'FREQ=DAILY;COUNT=2', timezone: ZONE } },
    'following',
  );
  const later = await allOf(moved);
  assert.deepEqual(
    later.map(({ scheduled_start }) => scheduled_start),
    [unix(tomorrow().add({ weeks: 2 })), unix(tomorrow().add({ weeks: 2, days: 1 }))],
  );
  const others = await allOf(await plan({}, 'FREQ=WEEKLY;COUNT=6'));
  const shifted = await change(
    others[2],
    { scheduled_start: others[2]!.scheduled_start + 60, scheduled_end: others[2]!.scheduled_end },
    'following',
  );
  assert.equal((await allOf(shifted)).length, 4);
});

for (const scope of ['following', 'all'])
  test(`a change of ${scope} from an occurrence that is over leaves that one, and its figures, as they were`, async () => {
    const [own, other] = [await monitor(), await monitor()];
    const start = nowUnix() - 2 * 3600;
    const times = { scheduled_start: start, scheduled_end: start + 1800 };
    const all = await allOf(await plan({ ...times, monitors: [own.id] }, 'FREQ=DAILY'));
    const maintained = async () => {
      const query = `from_unix=${start}&to_unix=${start + 1800}`;
      const { monitors } = await app.alice.ok<Report>(
        'GET',
        `/organizations/${app.home.orgId}/report?${query}`,
      );
      return monitors.find(({ monitor_id }) => monitor_id === own.id)?.maintenance_seconds;
    };
    assert.equal(await maintained(), 1800);
    const answer = await change(all[0], { title: 'Every', monitors: [other.id] }, scope);
    assert.deepEqual([answer.id, answer.title, answer.cancelled], [all[0]?.id, 'Backups', false]);
    const [over, ...later] = await allOf(all[0]!);
    assert.deepEqual([over?.title, over?.monitors[0]?.id], ['Backups', own.id]);
    assert.ok(later.every(({ title, monitors }) => title === 'Every' && monitors[0]?.id === other.id));
    assert.equal(await maintained(), 1800);
    await app.alice.ok('POST', `${windows()}/${all[0]?.id}/cancel?scope=${scope}`);
    const [past, ...ahead] = await allOf(all[0]!);
    assert.equal(past?.cancelled, false);
    assert.ok(ahead.length > 80 && ahead.every(({ cancelled }) => cancelled));
    assert.equal(await maintained(), 1800);
    const log = await app.alice.ok<ActivityEntry[]>('GET', `/organizations/${app.home.orgId}/activity`);
    assert.deepEqual(
      log.slice(0, 2).map(({ action, resource }) => [action, resource.id]),
      ['maintenance.cancel', 'maintenance.update'].map((action) => [action, all[1]?.id]),
    );
  });

test('cancelling ends the recurrence from there, or at all; past occurrences stay', async () => {
  const all = await allOf(await plan());
  const cancel = (window: MaintenanceWindow | undefined, scope: string) =>
    app.alice.ok('POST', `${windows()}/${window?.id}/cancel?scope=${scope}`);
  await cancel(all[1], 'this');
  await cancel(all[5], 'following');
  const cancelled = async () => (await allOf(all[0]!)).map((window) => window.cancelled);
  assert.deepEqual(await cancelled(), [false, true, false, false, false, ...new Array(8).fill(true)]);
  await pass(2);
  await cancel(all[3], 'all');
  assert.deepEqual(await cancelled(), [false, ...new Array(12).fill(true)]);
  await pass(60);
  await app.runTask('maintenance_series', { series_id: all[0]?.series_id });
  assert.equal((await allOf(all[0]!)).length, 13);
});

test('deleting applies to this occurrence, to the following, or to all', async () => {
  const all = await allOf(await plan());
  const drop = (window: MaintenanceWindow | undefined, scope: string) =>
    app.alice.send('DELETE', `${windows()}/${window?.id}?scope=${scope}`);
  assert.equal((await drop(all[1], 'this')).status, 204);
  assert.equal((await drop(all[4], 'following')).status, 204);
  assert.deepEqual(
    (await allOf(all[0]!)).map(({ id }) => id),
    [all[0]?.id, all[2]?.id, all[3]?.id],
  );
  await pass(60);
  await app.runTask('maintenance_series', { series_id: all[0]?.series_id });
  assert.equal((await allOf(all[0]!)).length, 3);
  assert.equal((await drop(all[2], 'all')).status, 204);
  assert.equal((await allOf(all[0]!)).length, 0);
});

test('a single window can recur from now on; the scope of a single one is itself', async () => {
  const alone = await plan({ repeat: null });
  assert.deepEqual([alone.repeat, alone.series_id], [null, null]);
  assert.equal((await change(alone, { title: 'Still alone' }, 'all')).title, 'Still alone');
  const repeated = await change(alone, { repeat: { rrule: 'FREQ=DAILY;COUNT=4', timezone: ZONE } });
  assert.equal(repeated.id, alone.id);
  assert.equal((await allOf(repeated)).length, 4);
});

test('a window can be sent back as read, and a new rule requires a scope', async () => {
  const first = await plan();
  await change(first, first);
  assert.equal((await allOf(first)).length, 13);
  const refused = await app.alice.send('PATCH', `${windows()}/${first.id}`, {
    repeat: { rrule: 'FREQ=DAILY', timezone: ZONE },
  });
  assert.deepEqual([refused.status, (refused.body as { field: string }).field], [400, 'repeat']);
});

test('time in a recurring window does not count and raises no alarm, in every occurrence', async () => {
  const own = await monitor();
  const start = nowUnix() - 3600;
  const first = await plan(
    { scheduled_start: start, scheduled_end: start + 7200, monitors: [own.id] },
    'FREQ=DAILY',
    { timezone: 'UTC' },
  );
  assert.equal(first.scheduled_start, start);
  const isIn = async () =>
    (await app.alice.ok<Monitor>('GET', `/monitors/${own.id}`)).in_maintenance_until_unix !== null;
  assert.equal(await isIn(), true);
  app.clock.advance(2 * 3_600_000);
  assert.equal(await isIn(), false);
  app.clock.advance(22 * 3_600_000);
  await app.runTask('partitions');
  assert.equal(await isIn(), true);
  await app.probe().post([resultOf(own.id, app.clock.ms(), 'down')]);
  const [check] = await app.alice.ok<{ in_maintenance: boolean }[]>('GET', `/monitors/${own.id}/checks`);
  assert.equal(check?.in_maintenance, true);
});

const REFUSED: [what: string, repeat: object, field: string][] = [
  ['a rule that is none', { rrule: 'every day' }, 'repeat.rrule'],
  ['a COUNT above 1000', { rrule: 'FREQ=DAILY;COUNT=1001' }, 'repeat.rrule'],
  ['a zone that is none', { timezone: 'Europe/Atlantis' }, 'repeat.timezone'],
  ['an offset for a zone', { timezone: '+02:00' }, 'repeat.timezone'],
  ['an end before the start', { until_unix: 1000 }, 'repeat.until_unix'],
  ['a rule that never matches', { rrule: 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30' }, 'repeat.rrule'],
  ['more windows than anybody plans', { rrule: 'FREQ=DAILY;BYHOUR=1,2,3,4,5' }, 'repeat.rrule'],
  [
    'a rule that costs too much to follow',
    { rrule: `FREQ=DAILY;BYSECOND=${Array.from({ length: 60 }, (_, i) => i).join(',')}` },
    'repeat.rrule',
  ],
];
for (const [what, repeat, field] of REFUSED)
  test(`${what} is refused`, async () => {
    const start = tomorrow();
    const answer = await app.alice.send('POST', windows(), {
      title: 'Backups',
      scheduled_start: unix(start),
      scheduled_end: unix(start) + 3600,
      repeat: { rrule: 'FREQ=DAILY', timezone: ZONE, ...repeat },
    });
    assert.deepEqual([answer.status, (answer.body as { field?: string }).field], [400, field]);
  });

test('a change of times and title at once gives the title to the window in progress, too', async () => {
  const start = nowUnix() - 3600;
  const first = await plan({ scheduled_start: start, scheduled_end: start + 7200 }, 'FREQ=DAILY;COUNT=3', {
    timezone: 'UTC',
  });
  const [, second] = await allOf(first);
  const later = { scheduled_start: start + DAY + 1800, scheduled_end: start + DAY + 9000 };
  const changed = await change(second, { title: 'Tapes', ...later }, 'all');
  assert.deepEqual(
    (await allOf(changed)).map(({ title, scheduled_start }) => [title, scheduled_start]),
    [
      ['Tapes', start + DAY + 1800],
      ['Tapes', start + 2 * DAY + 1800],
    ],
  );
  assert.deepEqual(
    (await allOf(first)).map(({ title, scheduled_start }) => [title, scheduled_start]),
    [['Tapes', start]],
  );
});

for (const scope of ['following', 'all'])
  test(`a new time for ${scope}, from an occurrence with its own title and monitors, leaves its own to it alone`, async () => {
    const first = await plan({}, 'FREQ=WEEKLY');
    const [, second] = await allOf(first);
    const special = await change(second, { title: 'Special', monitors: [(await monitor()).id] });
    const later = {
      scheduled_start: special.scheduled_start + 60,
      scheduled_end: special.scheduled_end + 60,
    };
    const moved = await change(special, later, scope);
    await pass(15);
    await app.runTask('maintenance_series', { series_id: moved.series_id });
    const last = (await allOf(moved)).at(-1);
    assert.deepEqual([last?.title, last?.monitors], [first.title, first.monitors]);
    const kept = (await allOf(moved)).find(({ id }) => id === second?.id);
    assert.deepEqual([kept?.title, kept?.monitors], ['Special', special.monitors]);
  });

test('all windows of a repetition cannot get more monitors than it could be planned with', async () => {
  const first = await plan({}, 'FREQ=DAILY');
  const config = { url: 'https://shop.example.com/' };
  const many = await makeMany(app, { count: 250, region: 'local', place: app.home, config });
  const give = (monitors: string[]) =>
    app.alice.send('PATCH', `${windows()}/${first.id}?scope=all`, { monitors });
  assertRefused(await give(many), { status: 400, error: 'invalid_request', field: 'monitors' });
  assert.equal((await allOf(first)).at(-1)?.monitors.length, 1);
  assert.equal((await give(many.slice(0, 200))).status, 200);
  assert.equal((await allOf(first)).at(-1)?.monitors.length, 200);
});

test('a new rule is refused for the monitors of the repetition, not of the occurrence that was changed alone', async () => {
  const config = { url: 'https://shop.example.com/' };
  const monitors = await makeMany(app, { count: 250, region: 'local', place: app.home, config });
  const first = await plan({ monitors });
  const [, second] = await allOf(first);
  await change(second, { monitors: monitors.slice(1, 2) });
  const repeat = { rrule: 'FREQ=DAILY', timezone: ZONE };
  const path = `${windows()}/${second?.id}?scope=following`;
  const refusal = { status: 400, error: 'invalid_request', field: 'repeat.rrule' };
  assertRefused(await app.alice.send('PATCH', path, { repeat }), refusal);
});
