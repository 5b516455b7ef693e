// What people do in incidents: open them by hand, hold the alarm, write notes, put them on status pages
// (docs/rules/confirmation.md#manual-incidents).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { ActivityEntry } from '#src/activity/contract.ts';
import type { Note, PageLink } from '#src/incidents/actions-contract.ts';
import type { IncidentDetail, IncidentSummary } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { StatusPage } from '#src/status-pages/contract.ts';
import { PASSWORD, type Person, type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { openEventStream } from '#test/harness/event-stream.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { grantKey } from '#test/harness/scene.ts';
import { speakFor } from '#test/harness/spoken-monitors.ts';

let app: TestApp;
let place: Place;
let driver: ReturnType<typeof speakFor>;
let bob: Person;
let org: string;
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
  driver = speakFor(app, place);
  org = `/organizations/${place.orgId}`;
  bob = await app.person('bob', { [place.orgId]: 'member' });
  // Nobody listens there: what is told stays in the outbox to be read.
  const events = ['opened', 'acknowledged', 'resolved', 'updated'];
  await app.alice.ok('POST', `${org}/webhooks`, {
    name: 'Hook',
    kind: 'webhook',
    url: 'http://127.0.0.1:9/hook',
    events,
  });
});

const nowUnix = () => Math.floor(app.clock.ms() / 1000);
const GIVEN = { severity: 'critical', cause: 'Nobody can pay' };
const open = (body: object = {}, who: Pick<Person, 'ok'> = app.alice) =>
  who.ok<IncidentDetail>('POST', `${org}/incidents`, { ...GIVEN, ...body });
const tryOpen = (body: object) => app.alice.send('POST', `${org}/incidents`, { ...GIVEN, ...body });
const at = ({ id }: { id: string }, verb = '') => `${org}/incidents/${id}${verb}`;
const resolve = (incident: { id: string }) => app.alice.ok<IncidentDetail>('POST', at(incident, '/resolve'));
const hold = (incident: { id: string }, seconds: number, who: Pick<Person, 'ok'> = app.alice) =>
  who.ok<IncidentDetail>('POST', at(incident, '/hold'), { seconds });
/** What is of this part of the house: who was reached is told by others. */
const OF_OTHERS = new Set(['delivered', 'delivery_failed', 'paged', 'escalated', 'suppressed']);
const story = async ({ id }: { id: string }) =>
  (await driver.timeline(id))
    .filter(({ kind }) => !OF_OTHERS.has(kind))
    .map(({ kind, actor_name }) => [kind, actor_name]);
const enqueuedFor = async ({ id }: { id: string }) =>
  (
    await app.db
      .selectFrom('outbox')
      .select(['event', 'body'])
      .where('incident_id', '=', id)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
  ).map(({ event, body }) => ({ event, body: JSON.parse(body) as Record<string, unknown> }));
const keyed = async (options: Parameters<typeof grantKey>[2] = {}) => {
  const { key } = await grantKey(app, place.orgId, options);
  const headers = { authorization: `Bearer ${key}` };
  const visitor = app.visitor();
  return {
    send: (method: string, path: string, body?: unknown) => visitor.send(method, path, body, headers),
    async ok<T>(method: string, path: string, body?: unknown): Promise<T> {
      const answer = await visitor.send<T>(method, path, body, headers);
      assert.ok(answer.status < 300, JSON.stringify(answer.body));
      return answer.body;
    },
  };
};

test('an incident of a monitor can be opened by hand: announced, in the timeline and the log, without evidence', async () => {
  const monitor = await driver.create();
  const began = nowUnix() - 600;
  const incident = await open(
    { monitor_id: monitor.id, severity_level: 'sev1', started_at_unix: began, cause: '  Nobody can pay ' },
    bob,
  );
  assert.deepEqual(incident, {
    ...incident,
    monitor_id: monitor.id,
    monitor_name: monitor.name,
    project_id: place.projectId,
    check_kind: null,
    cause: 'Nobody can pay',
    summary: 'Nobody can pay',
    status: 'open',
    lifecycle_state: 'triggered',
    severity: 'critical',
    severity_level: 'sev1',
    auto_resolved: false,
    down_regions: [],
    region_count: 1,
    started_at_unix: began,
    resolved_at_unix: null,
    commander_email: null,
    alarm_held_until_unix: null,
    failure_phase_started_at_unix: null,
    evidence: null,
  });
  assert.deepEqual(await driver.detail(incident.id), incident);
  assert.deepEqual(await story(incident), [['opened', 'bob']]);
  const [enqueued] = await enqueuedFor(incident);
  assert.equal(enqueued?.event, 'opened');
  assert.deepEqual(enqueued?.body.incident, incident);
  const [entry] = await app.alice.ok<ActivityEntry[]>('GET', `${org}/activity?action=incident.create`);
  assert.equal(entry?.resource.id, incident.id);
});

test('a standalone incident has no monitor, no project and no regions; its summary may differ from its cause', async () => {
  const incident = await open({ monitor_id: null, summary: 'The\nstreet is closed', severity: 'degraded' });
  assert.deepEqual(
    [incident.monitor_id, incident.monitor_name, incident.project_id, incident.region_count],
    ['', null, null, 0],
  );
  assert.equal(incident.summary, 'The\nstreet is closed');
  const closed = await resolve(incident);
  assert.deepEqual([closed.lifecycle_state, closed.auto_resolved], ['resolved', false]);
  const list = await app.alice.ok<IncidentSummary[]>('GET', `${org}/incidents?status=all`);
  assert.ok(list.some(({ id }) => id === incident.id));
});

test('an invalid incident opened by hand is refused with the field', async () => {
  const { projectId } = await app.place();
  const body = { name: 'Theirs', type: 'http', config: { url: 'https://a.example.com/' } };
  const theirs = await app.alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, body);
  for (const [wrong, field] of [
    [{ cause: ' \u200b ' }, 'cause'],
    [{ cause: 'one\ntwo' }, 'cause'],
    [{ cause: undefined }, 'cause'],
    [{ summary: ' ' }, 'summary'],
    [{ severity: 'bad' }, 'severity'],
    [{ severity_level: 'sev4' }, 'severity_level'],
    [{ started_at_unix: nowUnix() + 1 }, 'started_at_unix'],
    [{ started_at_unix: 946_684_799 }, 'started_at_unix'],
    [{ started_at_unix: 1.5 }, 'started_at_unix'],
    [{ monitor_id: theirs.id }, 'monitor_id'],
    [{ monitor_id: 'mon_nobody' }, 'monitor_id'],
    [{ monitor: 'x' }, 'monitor'],
  ] as const)
    assertRefused(
      await tryOpen(wrong),
      { status: 400, error: 'invalid_request', field },
      JSON.stringify(wrong),
    );
  assert.equal((await open({ started_at_unix: nowUnix() })).started_at_unix, nowUnix());
});

test('a plan without incident command refuses to open one, before the body is read', async () => {
  const own = await app.place(app.alice, 'free');
  const answer = await app.alice.send('POST', `/organizations/${own.orgId}/incidents`, { nonsense: true });
  assertRefused(answer, { status: 402, error: 'plan_capability', field: 'incident_command' });
});

test('a narrowed key opens incidents of its own monitors only, under its own name', async () => {
  const [mine, other] = await Promise.all([driver.create(), driver.create()]);
  const robot = await keyed({ monitorIds: [mine.id] });
  const forbidden = { status: 403, error: 'forbidden', field: 'monitor_id' };
  for (const body of [
    GIVEN,
    { ...GIVEN, monitor_id: other.id },
    { ...GIVEN, monitor_id: 'mon_x' },
    { nonsense: true },
  ])
    assertRefused(await robot.send('POST', `${org}/incidents`, body), forbidden, JSON.stringify(body));
  const incident = await robot.ok<IncidentDetail>('POST', `${org}/incidents`, {
    ...GIVEN,
    monitor_id: mine.id,
  });
  assert.deepEqual(await story(incident), [['opened', 'Robot']]);
  const acknowledged = await robot.ok<IncidentDetail>('POST', at(incident, '/ack'));
  assert.deepEqual(
    [acknowledged.lifecycle_state, acknowledged.acknowledged_by_email, acknowledged.commander_email],
    ['acknowledged', null, null],
  );
  const byName = await robot.ok<IncidentDetail>('POST', at(incident, '/hold'), { seconds: 60 });
  assert.equal(byName.alarm_held_by_name, 'Robot');
  const note = await robot.ok<Note>('POST', at(incident, '/notes'), {
    body: 'Seen',
    kind: 'note',
    visibility: 'internal',
  });
  assert.equal(note.author_name, 'Robot');
});

test('while an incident opened by hand is open its monitor is failed, whatever its checks say; afterwards the checks decide again', async () => {
  const monitor = await driver.create();
  const status = async () => (await driver.read(monitor)).last_status;
  const group = await driver.create({
    type: 'group',
    config: { members: [monitor.id], rule: 'any_failed' },
    regions: [],
  });
  await driver.say(monitor, 'up', 'up');
  const stream = await openEventStream(`${app.url}${org}/events`, app.alice.cookie());
  try {
    const [first, second] = [await open({ monitor_id: monitor.id }), await open({ monitor_id: monitor.id })];
    assert.equal(await status(), 'failed');
    await stream.next(({ data }) => data.monitor_id === monitor.id && data.last_status === 'failed');
    await driver.say(monitor, 'up', 'degraded');
    assert.equal(await status(), 'failed');
    const no = async (id: string) =>
      (await app.db.selectFrom('monitors').select('no').where('id', '=', id).executeTakeFirstOrThrow()).no;
    await app.runTask('group', { monitor_no: await no(group.id) });
    assert.equal((await driver.read(group)).last_status, 'failed');
    await resolve(first);
    assert.equal(await status(), 'failed', 'another one is open');
    // One that its checks open, beside it.
    await driver.say(monitor, 'down', 'down', 'up', 'up');
    assert.equal(await status(), 'failed');
    app.clock.advance(1000);
    await resolve(second);
    assert.equal(await status(), 'passed');
    await stream.next(({ data }) => data.monitor_id === monitor.id && data.last_status === 'passed');
  } finally {
    stream.stop();
  }
});

test('switching a monitor off also closes a declared incident, and the monitor is no longer failed', async () => {
  const monitor = await driver.create();
  const incident = await open({ monitor_id: monitor.id });
  const off = await driver.change(monitor, { enabled: false });
  assert.equal(off.last_status, null);
  const closed = await driver.detail(incident.id);
  assert.deepEqual([closed.status, closed.auto_resolved], ['closed', true]);
  assert.equal((await driver.change(monitor, { enabled: true })).last_status, null);
});

test('if several people acknowledge, close and hold an incident at once, each transition happens once', async () => {
  for (let round = 0; round < 4; round++) {
    const monitor = await driver.create();
    await driver.say(monitor, 'down', 'down', 'up');
    const automatic = await driver.incidentOf(monitor);
    const manual = await open({ monitor_id: monitor.id });
    const answers = await Promise.all([
      driver.say(monitor, 'up').then(() => ({ status: 200 })),
      ...[automatic, manual].flatMap((incident) => [
        app.alice.send('POST', at(incident, '/ack')),
        bob.send('POST', at(incident, '/ack')),
        app.alice.send('POST', at(incident, '/hold'), { seconds: 60 }),
        app.alice.send('POST', at(incident, '/resolve')),
        bob.send('POST', at(incident, '/resolve')),
      ]),
    ]);
    assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200]);
    for (const incident of [automatic, manual]) {
      const kinds = (await story(incident)).map(([kind]) => kind);
      for (const once of ['opened', 'resolved'])
        assert.equal(kinds.filter((kind) => kind === once).length, 1, `${once} in ${kinds}`);
      assert.ok(kinds.filter((kind) => kind === 'acknowledged').length <= 1);
      const enqueued = (await enqueuedFor(incident)).map(({ event }) => event);
      assert.deepEqual(
        enqueued,
        kinds.filter((kind) => ['opened', 'acknowledged', 'resolved'].includes(kind ?? '')),
        'told what happened, in its order',
      );
    }
    assert.notEqual((await driver.read(monitor)).last_status, 'failed');
  }
});

test('an alarm can be held by hand: longer, shorter, ended, each under the caller’s name', async () => {
  const incident = await open();
  const held = ({ alarm_held_until_unix, alarm_held_by_name }: IncidentDetail) => [
    alarm_held_until_unix,
    alarm_held_by_name,
  ];
  assert.deepEqual(held(await hold(incident, 600)), [nowUnix() + 600, 'Admin']);
  app.clock.advance(10_000);
  assert.deepEqual(held(await hold(incident, 86_400, bob)), [nowUnix() + 86_400, 'bob']);
  assert.deepEqual(held(await hold(incident, 60)), [nowUnix() + 60, 'Admin']);
  assert.deepEqual(held(await hold(incident, 0, bob)), [null, null]);
  const before = await story(incident);
  assert.deepEqual(held(await hold(incident, 0)), [null, null]);
  assert.deepEqual(await story(incident), before, 'nothing was held any more');
  assert.deepEqual(before, [
    ['opened', 'Admin'],
    ['held', 'Admin'],
    ['held', 'bob'],
    ['held', 'Admin'],
    ['hold_ended', 'bob'],
  ]);
  await hold(incident, 30);
  app.clock.advance(29_000);
  await app.runTask('end_hold', { incident_id: incident.id });
  assert.equal((await story(incident)).at(-1)?.[0], 'held', 'too early');
  app.clock.advance(1_000);
  await app.runTask('end_hold', { incident_id: incident.id });
  assert.deepEqual((await story(incident)).at(-1), ['hold_ended', null]);
  for (const seconds of [-1, 86_401, 1.5, '60', null])
    assertRefused(await app.alice.send('POST', at(incident, '/hold'), { seconds }), {
      status: 400,
      error: 'invalid_request',
      field: 'seconds',
    });
  const closed = await resolve(incident);
  assert.deepEqual(await hold(incident, 600), closed);
});

test('a hold by hand replaces an announced one, and neither its end nor a dependency changes it', async () => {
  const [base, dependent] = [await driver.create(), await driver.create()];
  await driver.change(dependent, { depends_on: [base.id], alarm_gate: { origins: ['deployment'] } });
  await driver.say(base, 'down', 'down');
  await app.alice.ok('POST', `/monitors/${dependent.id}/alarm-holds`, { origin: 'deployment' });
  await driver.say(dependent, 'down', 'down');
  const incident = await driver.incidentOf(dependent);
  assert.ok(incident.alarm_held_until_unix);
  const until = (await hold(incident, 60, bob)).alarm_held_until_unix;
  await app.alice.ok('POST', `/monitors/${dependent.id}/alarm-holds`, { origin: 'deployment', seconds: 0 });
  const still = await driver.detail(incident.id);
  assert.deepEqual([still.alarm_held_until_unix, still.alarm_held_by_name], [until, 'bob']);
  app.clock.advance(61_000);
  await app.runTask('end_hold', { incident_id: incident.id });
  assert.equal(
    (await driver.detail(incident.id)).alarm_held_until_unix,
    null,
    'the dependency is still down',
  );
  assert.equal((await story(incident)).at(-1)?.[0], 'hold_ended');
});

test('an announced change does not hold the alarm of an incident opened by hand', async () => {
  const monitor = await driver.create({ alarm_gate: { origins: ['deployment'] } });
  await app.alice.ok('POST', `/monitors/${monitor.id}/alarm-holds`, { origin: 'deployment' });
  assert.equal((await open({ monitor_id: monitor.id })).alarm_held_until_unix, null);
});

test('notes are announced as `updated`, listed oldest first, and accepted on closed incidents too', async () => {
  const incident = await open();
  const add = (body: object, who = app.alice) => who.ok<Note>('POST', at(incident, '/notes'), body);
  const first = await add({ body: '  Looking at it\n', kind: 'note', visibility: 'internal' }, bob);
  assert.deepEqual(first, {
    id: first.id,
    body: 'Looking at it',
    kind: 'note',
    visibility: 'internal',
    author_name: 'bob',
    created_at_unix: nowUnix(),
  });
  await resolve(incident);
  const long = 'ä'.repeat(20_000);
  const second = await add({ body: long, kind: 'status_update', visibility: 'public' });
  assert.deepEqual(await bob.ok('GET', at(incident, '/notes')), [first, second]);
  const enqueued = (await enqueuedFor(incident)).filter(({ event }) => event === 'updated');
  assert.deepEqual(
    enqueued.map(({ body }) => body.note),
    [first, second],
  );
  assert.deepEqual(await story(incident), [
    ['opened', 'Admin'],
    ['note', 'bob'],
    ['resolved', 'Admin'],
    ['note', 'Admin'],
  ]);
  for (const [wrong, field] of [
    [{ body: ' \n ' }, 'body'],
    [{ body: `${long}x` }, 'body'],
    [{ kind: 'x' }, 'kind'],
    [{ visibility: 'secret' }, 'visibility'],
  ] as const) {
    const body = { body: 'x', kind: 'note', visibility: 'internal', ...wrong };
    assertRefused(await app.alice.send('POST', at(incident, '/notes'), body), {
      status: 400,
      error: 'invalid_request',
      field,
    });
  }
});

test('deleting a person removes their name from notes, timelines and holds; the records stay', async () => {
  const carol = await app.person('carol', { [place.orgId]: 'member' });
  const incident = await open({}, carol);
  await carol.ok('POST', at(incident, '/notes'), { body: 'Seen', kind: 'note', visibility: 'internal' });
  await hold(incident, 3600, carol);
  await carol.ok('POST', at(incident, '/ack'));
  await carol.ok('DELETE', '/me', { password: PASSWORD });
  const [note] = await app.alice.ok<Note[]>('GET', at(incident, '/notes'));
  assert.deepEqual([note?.author_name, note?.body], ['Deleted user', 'Seen']);
  assert.deepEqual([...new Set((await story(incident)).map(([, name]) => name))], ['Deleted user']);
  assert.equal((await driver.detail(incident.id)).alarm_held_by_name, 'Deleted user');
});

test('an incident is linked to status pages and unlinked; repeating changes nothing, foreign pages are unknown', async () => {
  const incident = await open();
  const page = await app.alice.ok<StatusPage>('POST', `${org}/status-pages`, { name: 'Wie es uns geht' });
  const path = at(incident, `/status-pages/${page.id}`);
  const link = await app.alice.ok<PageLink>('PUT', path);
  assert.deepEqual(link, {
    status_page_id: page.id,
    name: 'Wie es uns geht',
    slug: 'wie-es-uns-geht',
    linked_at_unix: nowUnix(),
  });
  app.clock.advance(5000);
  assert.deepEqual(await app.alice.ok('PUT', path), link);
  const links = () => bob.ok<PageLink[]>('GET', at(incident, '/status-pages'));
  assert.deepEqual(await links(), [link]);
  for (let i = 0; i < 2; i++) assert.equal((await app.alice.send('DELETE', path)).status, 204);
  assert.deepEqual(await links(), []);
  assert.deepEqual((await story(incident)).slice(1), [
    ['linked', 'Admin'],
    ['unlinked', 'Admin'],
  ]);
  await app.alice.ok('PUT', path);
  const own = await app.place();
  const theirs = await app.alice.ok<StatusPage>('POST', `/organizations/${own.orgId}/status-pages`, {
    name: 'Theirs',
  });
  assert.equal((await app.alice.send('DELETE', `/status-pages/${page.id}`)).status, 204);
  assert.deepEqual(await links(), [], 'an archived page is gone from the links');
  for (const id of [page.id, theirs.id, 'stp_x'])
    for (const method of ['PUT', 'DELETE'])
      assertRefused(await app.alice.send(method, at(incident, `/status-pages/${id}`)), {
        status: 404,
        error: 'not_found',
      });
  assertRefused(await bob.send('PUT', path), { status: 403, error: 'forbidden' });
});

test('a status page starts as a draft; its slug is given or derived, and unique on the installation until it is archived', async () => {
  const own = await app.place();
  const pages = `/organizations/${own.orgId}/status-pages`;
  const create = (body: object) => app.alice.send<StatusPage>('POST', pages, body);
  const { status, body: page } = await create({ name: ' Über uns ', slug: 'So GEHT es!' });
  assert.equal(status, 201);
  assert.deepEqual(page, {
    id: page.id,
    organization_id: own.orgId,
    name: 'Über uns',
    slug: 'so-geht-es',
    description: null,
    headline: null,
    enabled: true,
    public_viewable: false,
    password_protected: false,
    shared_password_protected: false,
    shared_password_set: false,
    hide_platform_brand: false,
    collapsed_groups: [],
    header_nav: [],
    auto_link_incidents: true,
    timezone: 'UTC',
  });
  assertRefused(await create({ name: 'So geht es' }), { status: 409, error: 'slug_taken', field: 'name' });
  assertRefused(await create({ name: '🔔' }), { status: 400, error: 'empty_slug', field: 'name' });
  assertRefused(await create({ name: 'X', slug: '—' }), { status: 400, error: 'empty_slug', field: 'slug' });
  assertRefused(await create({ name: 'X', slug: 'Metrics' }), {
    status: 409,
    error: 'slug_reserved',
    field: 'slug',
  });
  assertRefused(await create({ name: 'Status' }), { status: 409, error: 'slug_reserved', field: 'name' });
  assertRefused(await create({ name: ' ' }), { status: 400, error: 'empty_name', field: 'name' });
  const elsewhere = (await app.place()).orgId;
  assertRefused(
    await app.alice.send('POST', `/organizations/${elsewhere}/status-pages`, {
      name: 'X',
      slug: 'so-geht-es',
    }),
    { status: 409, error: 'slug_taken', field: 'slug' },
  );
  assert.deepEqual(await app.alice.ok('GET', pages), [{ ...page, monitor_count: 0 }]);
  assert.equal((await app.alice.send('DELETE', `/status-pages/${page.id}`)).status, 204);
  assertRefused(await app.alice.send('DELETE', `/status-pages/${page.id}`), {
    status: 404,
    error: 'not_found',
  });
  assert.deepEqual(await app.alice.ok('GET', pages), []);
  const again = await create({ name: 'Anew', slug: 'so-geht-es' });
  assert.equal(again.body.slug, 'so-geht-es');
  assert.deepEqual(await app.alice.ok('GET', pages), [{ ...again.body, monitor_count: 0 }]);
});
