// On-call over HTTP: settings, roster, who is on duty, and what an alarm would do (docs/rules/on-call-and-alarms.md).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { ActivityEntry } from '#src/activity/contract.ts';
import type { ChainStep, Duty, OnCallSettings, Roster, Shift } from '#src/on-call/contract.ts';
import { type Person, type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { assertRefused } from '#test/harness/refused.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

const WEEK = 7 * 86_400;
const now = () => Math.floor(app.clock.ms() / 1000);
/** Monday 00:00 UTC of the week that is on. */
const monday = () => now() - ((now() - 4 * 86_400) % WEEK);
const url = ({ orgId }: Place, path: string) => `/organizations/${orgId}/on-call/${path}`;
const put = (place: Place, body: object, who: Person = app.alice) =>
  who.send<OnCallSettings>('PUT', url(place, 'settings'), body);
const roster = (place: Place, ...userIds: string[]) =>
  app.alice.send<Roster>('PUT', url(place, 'members'), {
    members: userIds.map((user_id, position) => ({ position, user_id })),
  });
const get = <T>(place: Place, path: string) => app.alice.ok<T>('GET', url(place, path));
const onDuty = async (place: Place) => {
  const { user_id, source, until_unix } = await get<Duty>(place, 'duty');
  return [user_id, source, until_unix];
};
const invalid = (field: string) => ({ status: 400, error: 'invalid_request', field });

const DEFAULTS: OnCallSettings = {
  enabled: false,
  entitled: true,
  timezone: 'UTC',
  rotation_mode: 'weekly',
  channel_step_minutes: 3,
  escalation_stage1_minutes: 10,
  escalation_stage2_minutes: 20,
  reminder_minutes: 60,
  manual_duty_user_id: null,
  current_duty_user_id: null,
};

test('unset settings read as the defaults; written ones merge, and settings can be sent back as read', async () => {
  const place = await app.place();
  assert.deepEqual(await get(place, 'settings'), DEFAULTS);
  const first = await put(place, { enabled: true, timezone: 'Europe/Berlin', channel_step_minutes: 0 });
  const expected = { ...DEFAULTS, enabled: true, timezone: 'Europe/Berlin', channel_step_minutes: 0 };
  assert.deepEqual([first.status, first.body], [200, expected]);
  const second = await put(place, { escalation_stage1_minutes: 5, timezone: null, rotation_mode: 'manual' });
  assert.deepEqual(second.body, { ...expected, escalation_stage1_minutes: 5, rotation_mode: 'manual' });
  assert.deepEqual((await put(place, second.body)).body, second.body);
  assert.deepEqual(await get(place, 'settings'), second.body);
});

test('settings that are out of range, contradict each other or name no time zone are refused by name', async () => {
  const place = await app.place();
  for (const [field, ...values] of [
    ['channel_step_minutes', -1, 121, 1.5, '3'],
    ['escalation_stage1_minutes', 0, 1441],
    ['escalation_stage2_minutes', 0, 1441],
    ['timezone', '', 'Mars/Olympus', '+02:00', 'Europe/Berlin ', 5],
    ['rotation_mode', 'daily'],
    ['enabled', 'yes'],
    ['entitled', false],
    ['current_duty_user_id', app.alice.userId],
    ['nonsense', 1],
  ] as const)
    for (const value of values) assertRefused(await put(place, { [field]: value }), invalid(field));
  // Judged on what it comes to: 10 and 20 are the defaults.
  assertRefused(await put(place, { escalation_stage1_minutes: 21 }), invalid('escalation_stage1_minutes'));
  assertRefused(await put(place, { escalation_stage2_minutes: 9 }), invalid('escalation_stage2_minutes'));
  assertRefused(
    await put(place, { escalation_stage1_minutes: 30, escalation_stage2_minutes: 29 }),
    invalid('escalation_stage2_minutes'),
  );
  assert.equal((await put(place, { escalation_stage2_minutes: 10 })).status, 200);
  assert.deepEqual(await get(place, 'settings'), { ...DEFAULTS, escalation_stage2_minutes: 10 });
});

test('plan, role and membership decide who may write', async () => {
  const place = await app.place(app.alice, 'free');
  const manager = await app.person('mona', { [place.orgId]: 'manager' });
  const capability = { status: 402, error: 'plan_capability', field: 'on_call' };
  assertRefused(await put(place, { nonsense: 1 }), capability);
  assertRefused(await roster(place, 'nobody'), capability);
  assert.equal((await put(place, {}, manager)).status, 403);
  // Reading is for any member, and not part of the plan.
  assert.equal((await manager.ok<OnCallSettings>('GET', url(place, 'settings'))).entitled, false);
  for (const path of ['members', 'duty', 'shifts', 'preview', 'ringing'])
    assert.equal((await manager.send('GET', url(place, path))).status, 200, path);
});

test('a person set by hand is on call indefinitely, must be a member, and null clears it', async () => {
  const place = await app.place();
  const anna = await app.person('anna', { [place.orgId]: 'member' });
  const stranger = await app.person('stranger');
  const field = invalid('manual_duty_user_id');
  for (const id of [stranger.userId, 'usr_nobody', 'x'])
    assertRefused(await put(place, { manual_duty_user_id: id }), field);
  const named = { manual_duty_user_id: anna.userId };
  const set = await put(place, { enabled: true, rotation_mode: 'manual', ...named });
  assert.equal(set.body.current_duty_user_id, anna.userId);
  assert.deepEqual(await onDuty(place), [anna.userId, 'manual', null]);
  assert.equal((await get<Duty>(place, 'duty')).name, 'anna');
  assert.deepEqual(await get(place, 'shifts'), [
    { from_unix: now(), until_unix: null, user_id: anna.userId, name: 'anna', source: 'manual' },
  ]);
  // Who leaves is on duty no longer, and what is read then can be sent back.
  await app.alice.ok('DELETE', `/organizations/${place.orgId}/members/${anna.userId}`);
  const left = await get<OnCallSettings>(place, 'settings');
  assert.deepEqual([left.manual_duty_user_id, left.current_duty_user_id], [null, null]);
  assert.deepEqual(await onDuty(place), [null, null, null]);
  assert.equal((await put(place, left)).status, 200);
  assert.equal((await put(place, { manual_duty_user_id: app.alice.userId })).status, 200);
  assert.equal((await put(place, { manual_duty_user_id: null })).body.manual_duty_user_id, null);
});

test('a person named by hand who was a viewer for a while is on duty again, whatever else was set meanwhile', async () => {
  const place = await app.place();
  const anna = await app.person('anna', { [place.orgId]: 'member' });
  const become = (role: string) =>
    app.alice.ok('PATCH', `/organizations/${place.orgId}/members/${anna.userId}`, { role });
  await put(place, { enabled: true, rotation_mode: 'manual', manual_duty_user_id: anna.userId });
  await become('viewer');
  assert.equal((await put(place, { reminder_minutes: 30 })).body.manual_duty_user_id, null);
  await become('member');
  assert.deepEqual(await onDuty(place), [anna.userId, 'manual', null]);
  await become('viewer');
  await put(place, { manual_duty_user_id: null });
  await become('member');
  assert.deepEqual(await onDuty(place), [null, null, null]);
});

test('a roster is ordered by position; strangers are skipped, duplicates count once', async () => {
  const place = await app.place();
  const [anna, ben] = await Promise.all(
    ['anna', 'ben'].map((n) => app.person(n, { [place.orgId]: 'member' })),
  );
  const stranger = await app.person('stranger');
  assert.ok(anna && ben);
  assert.deepEqual(await get(place, 'members'), { members: [] });
  const members = [
    { position: 30, user_id: anna.userId },
    { position: 7, user_id: ben.userId },
    { position: 8, user_id: stranger.userId },
    { position: 40, user_id: ben.userId },
    { position: 9, user_id: 'no id at all' },
  ];
  const answer = await app.alice.send<Roster>('PUT', url(place, 'members'), { members });
  const expected = {
    members: [
      { position: 0, user_id: ben.userId },
      { position: 1, user_id: anna.userId },
    ],
  };
  assert.deepEqual([answer.status, answer.body], [200, expected]);
  assert.deepEqual(await get(place, 'members'), expected);
  const none = { status: 400, error: 'no_resolvable_member', field: 'members' };
  assertRefused(await roster(place, stranger.userId, 'x'), none);
  assert.deepEqual(await get(place, 'members'), expected);
  assertRefused(await app.alice.send('PUT', url(place, 'members'), {}), invalid('members'));
  assert.deepEqual((await roster(place)).body, { members: [] });
});

test('the weekly rotation starts with the roster’s first member on this week’s Monday, and restarts when it is set', async () => {
  const place = await app.place();
  const [anna, ben] = await Promise.all(
    ['anna', 'ben'].map((n) => app.person(n, { [place.orgId]: 'member' })),
  );
  assert.ok(anna && ben);
  await put(place, { enabled: true });
  assert.deepEqual(await onDuty(place), [null, null, null]);
  await roster(place, anna.userId, ben.userId);
  const start = monday();
  assert.deepEqual(await onDuty(place), [anna.userId, 'rotation', start + WEEK]);
  assert.deepEqual(
    (await get<Shift[]>(place, 'shifts?weeks=3')).map((s) => [s.from_unix, s.until_unix, s.name]),
    [
      [start, start + WEEK, 'anna'],
      [start + WEEK, start + 2 * WEEK, 'ben'],
      [start + 2 * WEEK, start + 3 * WEEK, 'anna'],
    ],
  );
  assert.equal((await get<Shift[]>(place, 'shifts')).length, 8);
  assertRefused(await app.alice.send('GET', url(place, 'shifts?weeks=53')), invalid('weeks'));
  app.clock.advance((start + WEEK - now()) * 1000 - 1);
  assert.deepEqual(await onDuty(place), [anna.userId, 'rotation', start + WEEK]);
  app.clock.advance(1);
  assert.deepEqual(await onDuty(place), [ben.userId, 'rotation', start + 2 * WEEK]);
  await roster(place, anna.userId, ben.userId);
  assert.deepEqual(await onDuty(place), [anna.userId, 'rotation', start + 2 * WEEK]);
  // The week of who leaves is a gap, and nobody else's moves.
  await app.alice.ok('DELETE', `/organizations/${place.orgId}/members/${anna.userId}`);
  assert.deepEqual(await onDuty(place), [null, null, start + 2 * WEEK]);
  assert.deepEqual(await get(place, 'members'), { members: [{ position: 1, user_id: ben.userId }] });
  await put(place, { enabled: false });
  assert.deepEqual(await onDuty(place), [null, null, null]);
});

test('the preview shows whom each step would reach, and through which targets', async () => {
  const place = await app.place();
  const people = await Promise.all(['anna', 'ben'].map((n) => app.person(n, { [place.orgId]: 'member' })));
  const [anna, ben] = people;
  assert.ok(anna && ben);
  const { userId: alice } = app.alice;
  const short = async () =>
    (await get<ChainStep[]>(place, 'preview')).map((s) => [s.step, s.after_minutes, s.user_ids, s.fallback]);
  assert.deepEqual(await short(), [['start', 0, [alice], true]]);
  await put(place, { enabled: true, channel_step_minutes: 15 });
  assert.deepEqual(await short(), [
    ['start', 0, [alice], true],
    ['stage1', 10, [alice], true],
    ['stage2', 20, [alice], false],
  ]);
  await roster(place, anna.userId, ben.userId);
  await app.db
    .insertInto('webhook_targets')
    .values(
      [
        ['Pager', 'pagerduty', ['opened', 'escalated']],
        ['Chat', 'slack', ['opened']],
        ['Hook', 'webhook', ['opened']],
      ].map(([name, kind, events], i) => ({
        id: `wht_${place.orgId.slice(4, -1)}${i}`,
        org_id: place.orgId,
        name: name as string,
        kind: kind as string,
        url: 'https://example.com/x',
        events: events as string[],
        active: true,
        secret_hint: '',
        created_at: app.clock.now(),
      })),
    )
    .execute();
  const steps = await get<ChainStep[]>(place, 'preview');
  assert.deepEqual(
    steps.map(({ step, names, targets, fallback }) => [step, names, targets, fallback]),
    [
      ['start', ['anna'], ['Chat', 'Pager'], false],
      ['stage1', ['ben'], ['Pager'], false],
      ['mail', ['anna'], [], false],
      ['stage2', ['anna', 'ben', 'Admin'], ['Pager'], false],
    ],
  );
});

test('every change is in the activity log, with the values before and after', async () => {
  const place = await app.place();
  await put(place, { enabled: true });
  await roster(place, app.alice.userId);
  const entries = await app.alice.ok<ActivityEntry[]>('GET', `/organizations/${place.orgId}/activity`);
  const [second, first] = entries.filter(({ resource }) => resource.kind === 'on_call');
  assert.equal(first?.action, 'on_call.configure');
  assert.deepEqual(
    [first.before, first.after].map((s) => (s as OnCallSettings).enabled),
    [false, true],
  );
  assert.equal(second?.action, 'on_call.set_roster');
  assert.deepEqual(
    [second.before, second.after],
    [{ members: [] }, { members: [{ position: 0, user_id: app.alice.userId }] }],
  );
});
