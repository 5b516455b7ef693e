// Shifts as iCalendar (docs/rules/on-call-and-alarms.md#calendar): whoever has the address reads it, until it is void. The
// files are read by ical.js, which has nothing in common with what writes them.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import ICAL from 'ical.js';
import { sql } from 'kysely';
import { addressProven } from '#src/accounts/first-proof.ts';
import type { ActivityEntry } from '#src/activity/contract.ts';
import type { Calendar } from '#src/on-call/calendar-contract.ts';
import type { Shift } from '#src/on-call/contract.ts';
import { REQUESTS_PER_ADDRESS } from '#src/platform/http/rate-limits.ts';
import { createLog } from '#src/platform/log.ts';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import { type AlarmScene, makeAlarmScene } from '#test/harness/alarm-scene.ts';
import { type Person, startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

const path = (scene: AlarmScene) => scene.url('on-call/calendar');
const make = async (scene: AlarmScene, who: Person, shifts = 'mine') => {
  const { url } = await who.ok<{ url: string }>('POST', path(scene), { shifts });
  return new URL(url).pathname;
};
const get = (address: string, headers: Record<string, string> = {}) => fetch(app.url + address, { headers });

type Event = { uid: string; from: number; until: number; summary: string };

/** The events of a calendar as an independent reader sees them, in Unix seconds; lines and required fields as in RFC 5545. */
async function events(address: string): Promise<Event[]> {
  const answer = await get(address);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'text/calendar; charset=utf-8');
  const text = await answer.text();
  assert.match(text, /\r\nEND:VCALENDAR(\r\n)?$/);
  for (const line of text.split('\r\n')) {
    assert.doesNotMatch(line, /\n/);
    assert.ok(Buffer.byteLength(line) <= 75, `${line} is folded`);
  }
  const calendar = new ICAL.Component(ICAL.parse(text));
  assert.equal(calendar.getFirstPropertyValue('version'), '2.0');
  assert.ok(calendar.getFirstPropertyValue('prodid'));
  const found = calendar.getAllSubcomponents('vevent').map((component) => {
    assert.ok(component.getFirstPropertyValue('dtstamp'));
    const event = new ICAL.Event(component);
    assert.equal(event.startDate.zone, ICAL.Timezone.utcTimezone);
    return {
      uid: event.uid,
      from: event.startDate.toUnixTime(),
      until: event.endDate.toUnixTime(),
      summary: event.summary,
    };
  });
  assert.equal(new Set(found.map(({ uid }) => uid)).size, found.length);
  return found;
}

/** A second an hour from now. */
const soon = () => Math.ceil(app.clock.ms() / 1000) + 3600;

const takeOver = (scene: AlarmScene, who: Person, from: number) =>
  who.ok('POST', scene.url('on-call/overrides'), {
    user_id: who.userId,
    starts_at_unix: from,
    ends_at_unix: from + 3600,
  });

test('a calendar has the shifts of the API, including overrides', async () => {
  const scene = await makeAlarmScene(app);
  const from = soon();
  await takeOver(scene, scene.carl, from);
  const shifts = await scene.carl.ok<Shift[]>('GET', scene.url('on-call/shifts?weeks=26'));
  assert.ok(shifts.some(({ source }) => source === 'override'));
  const all = await events(await make(scene, scene.carl, 'everybody'));
  assert.deepEqual(
    all.slice(1).map(({ from, until, summary }) => [from, until, summary]),
    shifts.slice(1).map(({ from_unix, until_unix, name }) => [from_unix, until_unix, `On call: ${name}`]),
  );
  const [own, ...others] = await events(await make(scene, scene.carl));
  assert.deepEqual(
    [own?.from, own?.until, own?.summary, others.length],
    [from, from + 3600, 'On call: carl', 0],
  );
  const annas = await events(await make(scene, scene.anna));
  assert.deepEqual([...new Set(annas.map(({ summary }) => summary))], ['On call: anna']);
  assert.ok(annas.length > 10);
});

test('shifts hand over at midnight local time, before and after the clocks change', async () => {
  const scene = await makeAlarmScene(app);
  // The clocks of one of them change within half a year, whatever the season.
  const offsetIn = (zone: string, weeks: number) =>
    Temporal.Instant.fromEpochMilliseconds(app.clock.ms() + weeks * 604_800_000).toZonedDateTimeISO(zone)
      .offset;
  const timezone = ['Europe/Berlin', 'America/Santiago'].find(
    (zone) => offsetIn(zone, 0) !== offsetIn(zone, 24),
  );
  assert.ok(timezone);
  await scene.configure({ timezone });
  const all = await events(await make(scene, scene.anna, 'everybody'));
  const starts = all.map(({ from }) =>
    Temporal.Instant.fromEpochMilliseconds(from * 1000).toZonedDateTimeISO(timezone),
  );
  for (const start of starts) assert.deepEqual([start.dayOfWeek, start.hour, start.minute], [1, 0, 0]);
  assert.equal(new Set(starts.map(({ offset }) => offset)).size, 2);
});

test('an overridden shift is the same calendar entry, under another name', async () => {
  const scene = await makeAlarmScene(app);
  const from = soon();
  const address = await make(scene, scene.anna, 'everybody');
  await takeOver(scene, scene.carl, from);
  const before = (await events(address)).find((event) => event.from === from);
  await takeOver(scene, scene.ben, from);
  const after = (await events(address)).find((event) => event.from === from);
  assert.deepEqual([before?.summary, after?.summary], ['On call: carl', 'On call: ben']);
  assert.equal(before?.uid, after?.uid);
});

test('names cannot add lines to the file', async () => {
  const scene = await makeAlarmScene(app);
  const evil = await app.person('mallory');
  await app.db
    .insertInto('members')
    .values({
      org_id: scene.orgId,
      user_id: evil.userId,
      role: 'member',
      joined_at: new Date(app.clock.ms()),
    })
    .execute();
  await app.db
    .updateTable('users')
    .set({ name: 'mallory\r\nEND:VEVENT\r\nX-EVIL:1;,\\' })
    .where('id', '=', evil.userId)
    .execute();
  await scene.setRoster(evil);
  const address = await make(scene, scene.anna, 'everybody');
  const [first] = await events(address);
  assert.match(first?.summary ?? '', /^On call: mallory.*X-EVIL/s);
  assert.doesNotMatch(await (await get(address)).text(), /^X-EVIL/m);
});

test('a name from right to left keeps its brackets, in folded lines too', async () => {
  const scene = await makeAlarmScene(app);
  const someone = await app.person('noor');
  const name = 'نور (الليل) '.repeat(8).trim();
  await app.db
    .insertInto('members')
    .values({
      org_id: scene.orgId,
      user_id: someone.userId,
      role: 'member',
      joined_at: new Date(app.clock.ms()),
    })
    .execute();
  await app.db.updateTable('users').set({ name }).where('id', '=', someone.userId).execute();
  await scene.setRoster(someone);
  const [first] = await events(await make(scene, scene.anna, 'everybody'));
  assert.equal(first?.summary, `On call: \u2068${name}\u2069`);
});

test('a calendar names only people on call, and no id or mail address', async () => {
  const scene = await makeAlarmScene(app);
  const text = await (await get(await make(scene, scene.anna, 'everybody'))).text();
  const whole = text.replaceAll('\r\n ', '');
  assert.match(whole, /anna/);
  assert.doesNotMatch(whole, /carl|alice/);
  assert.doesNotMatch(whole, /usr_|@example|@test/);
});

test('a client with the current calendar gets 304 until something changes', async () => {
  const scene = await makeAlarmScene(app);
  const address = await make(scene, scene.anna, 'everybody');
  const first = await get(address);
  const etag = first.headers.get('etag') ?? '';
  assert.match(first.headers.get('cache-control') ?? '', /private/);
  const again = await get(address, { 'if-none-match': etag });
  assert.deepEqual([again.status, await again.text()], [304, '']);
  await takeOver(scene, scene.carl, soon());
  assert.equal((await get(address, { 'if-none-match': etag })).status, 200);
  assert.equal((await fetch(app.url + address, { method: 'HEAD' })).status, 200);
});

test('a new address invalidates the last one, and so does deleting it', async () => {
  const scene = await makeAlarmScene(app);
  const first = await make(scene, scene.carl);
  const second = await make(scene, scene.carl);
  assert.notEqual(first, second);
  assert.equal((await get(first)).status, 404);
  assert.equal((await get(second)).status, 200);
  const has = () => scene.carl.ok<Calendar>('GET', path(scene));
  assert.equal((await has()).shifts, 'mine');
  await scene.carl.ok('DELETE', path(scene));
  const [gone, never] = [await get(second), await get(`/calendars/${'a'.repeat(43)}/on-call.ics`)];
  assert.deepEqual([gone.status, never.status], [404, 404]);
  assert.equal(await gone.text(), await never.text());
  assert.deepEqual(await has(), { shifts: null, created_at_unix: null });
});

test('a person who leaves has no calendar any more, even after coming back', async () => {
  const scene = await makeAlarmScene(app);
  const address = await make(scene, scene.carl);
  await app.alice.ok('DELETE', scene.url(`members/${scene.carl.userId}`));
  assert.equal((await get(address)).status, 404);
  await app.db
    .insertInto('members')
    .values({ org_id: scene.orgId, user_id: scene.carl.userId, role: 'member', joined_at: new Date() })
    .execute();
  assert.equal((await get(address)).status, 404);
});

test('the first proof of an account invalidates its calendars, and counts them', async () => {
  const scene = await makeAlarmScene(app);
  const address = await make(scene, scene.carl);
  const calendars = app.db.selectFrom('on_call_calendars').where('user_id', '=', scene.carl.userId);
  const had = await calendars.select('org_id').execute();
  const removed = {
    passwords: 0,
    passkeys: 0,
    authenticators: 0,
    identities: 0,
    sessions: 0,
    push_subscriptions: 0,
    calendars: 0,
    wall_links: 0,
    api_keys: 0,
    invitations: 0,
  };
  await runWork(app.db, app.clock.now(), SYSTEM, (work) =>
    addressProven.run(work, { userId: scene.carl.userId, removed }),
  );
  assert.equal(removed.calendars, had.length);
  assert.deepEqual(await calendars.select('org_id').execute(), []);
  assert.equal((await get(address)).status, 404);
});

test('an error while a calendar is read does not put its address into the log', async () => {
  const lines: string[] = [];
  const log = createLog('info', false, (line) => void lines.push(line));
  await using own = await startTestApp({ log });
  await sql`ALTER TABLE on_call_calendars RENAME TO elsewhere`.execute(own.db);
  assert.equal((await fetch(`${own.url}/calendars/very-secret/on-call.ics`)).status, 500);
  assert.match(lines.join(''), /request failed.*on-call\.ics|on-call\.ics.*request failed/s);
  assert.doesNotMatch(lines.join(''), /very-secret/);
});

test('the address is nowhere in the database and the activity log, which says that it was created', async () => {
  const scene = await makeAlarmScene(app);
  const address = await make(scene, scene.carl);
  const [, , token = ''] = address.split('/');
  assert.match(token, /^[0-9A-Za-z]{43}$/);
  const entries = await app.alice.ok<ActivityEntry[]>('GET', scene.url('activity'));
  assert.ok(
    entries.some(({ action, actor }) => action === 'on_call.create_calendar' && actor.name === 'carl'),
  );
  assert.ok(!JSON.stringify(entries).includes(token));
  const rows = await app.db.selectFrom('on_call_calendars').selectAll().execute();
  assert.ok(!JSON.stringify(rows).includes(token));
});

test('nobody can try many addresses', async () => {
  await using limited = await startTestApp({ env: { RATE_LIMITS: 'on' } });
  const statuses: number[] = [];
  for (let i = 0; i <= REQUESTS_PER_ADDRESS; i++)
    statuses.push((await fetch(`${limited.url}/calendars/guess${i}/on-call.ics`)).status);
  assert.deepEqual([...new Set(statuses.slice(0, -1))], [404]);
  assert.equal(statuses.at(-1), 429);
});
