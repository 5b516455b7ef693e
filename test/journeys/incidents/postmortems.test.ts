// Post-mortems over HTTP (docs/rules/confirmation.md#post-mortems): written, read, published.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { ActivityEntry } from '#src/activity/contract.ts';
import { POSTMORTEM_FIELDS } from '#src/domain/names.ts';
import type { Postmortem } from '#src/incidents/actions-contract.ts';
import type { IncidentDetail, IncidentWithCapsule, TimelineEntry } from '#src/incidents/contract.ts';
import { type Person, type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { assertRefused } from '#test/harness/refused.ts';

let app: TestApp;
let place: Place;
let bob: Person;
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
  bob = await app.person('bob', { [place.orgId]: 'member' });
});

const NOT_FOUND = { status: 404, error: 'not_found' };
const open = async ({ orgId } = place) => {
  const body = { severity: 'critical', cause: 'Nobody can pay' };
  const { id } = await app.alice.ok<IncidentDetail>('POST', `/organizations/${orgId}/incidents`, body);
  return `/organizations/${orgId}/incidents/${id}`;
};
const put = (incident: string, body: object, who = app.alice) =>
  who.ok<Postmortem>('PUT', `${incident}/postmortem`, body);
const publish = (incident: string) => app.alice.ok<Postmortem>('POST', `${incident}/postmortem/publish`);
const EMPTY = Object.fromEntries(POSTMORTEM_FIELDS.map((field) => [field, '']));

test('an unwritten field is "", an omitted or null one stays, and a post-mortem can be sent back as read', async () => {
  const incident = await open();
  assertRefused(await bob.send('GET', `${incident}/postmortem`), NOT_FOUND);
  const first = await put(incident, { title: 'How it came', impact: 'No sales' }, bob);
  const rest = { status: 'draft', visibility: 'internal', published_at_unix: null };
  assert.deepEqual(first, { ...EMPTY, title: 'How it came', impact: 'No sales', ...rest });
  const second = await put(incident, { impact: null, lessons: 'Two of them', visibility: 'public' });
  assert.deepEqual(second, { ...first, lessons: 'Two of them', visibility: 'public' });
  assert.deepEqual(await put(incident, second), second);
  assert.deepEqual(await bob.ok('GET', `${incident}/postmortem`), second);
  assert.equal((await put(incident, { lessons: '' })).lessons, '');
});

test('an incident says whether it has a post-mortem, from its first draft on', async () => {
  const incident = await open();
  const says = async () => (await bob.ok<IncidentWithCapsule>('GET', incident)).has_postmortem;
  assert.equal(await says(), false);
  await put(incident, { title: 'How it came' });
  assert.equal(await says(), true);
});

test('invalid values are refused with the field, and so are other values of read-only fields', async () => {
  const incident = await open();
  for (const [body, field] of [
    [{ status: 'published' }, 'status'],
    [{ published_at_unix: 1 }, 'published_at_unix'],
    [{ visibility: 'secret' }, 'visibility'],
    [{ title: 'x'.repeat(201) }, 'title'],
    [{ summary: 'x'.repeat(20_001) }, 'summary'],
    [{ lesson: 'x' }, 'lesson'],
  ] as const)
    assertRefused(await app.alice.send('PUT', `${incident}/postmortem`, body), {
      status: 400,
      error: 'invalid_request',
      field,
    });
  assertRefused(await app.alice.send('GET', `${incident}/postmortem`), NOT_FOUND);
});

test('every text may have its full length in any script', async () => {
  const incident = await open();
  const texts = Object.fromEntries(
    POSTMORTEM_FIELDS.map((field) => [field, 'ж'.repeat(field === 'title' ? 200 : 20_000)]),
  );
  const written = await put(incident, texts);
  assert.deepEqual({ ...written, ...texts }, written);
});

test('it is published once: announced, in the timeline and the log; later changes keep it published', async () => {
  const incident = await open();
  const target = {
    name: 'Hook',
    kind: 'webhook',
    url: 'http://127.0.0.1:9/hook',
    events: ['postmortem_published'],
  };
  await app.alice.ok('POST', `/organizations/${place.orgId}/webhooks`, target);
  await put(incident, { title: 'How it came', visibility: 'public' });
  const at = Math.floor(app.clock.ms() / 1000);
  const published = await publish(incident);
  assert.deepEqual([published.status, published.published_at_unix], ['published', at]);
  app.clock.advance(60_000);
  assert.deepEqual(await publish(incident), published);
  const changed = await put(incident, { summary: 'In short' });
  assert.deepEqual(changed, { ...published, summary: 'In short' });
  const timeline = await app.alice.ok<TimelineEntry[]>('GET', `${incident}/timeline`);
  assert.deepEqual(
    timeline.filter(({ kind }) => kind === 'postmortem_published').map(({ detail }) => detail),
    ['How it came'],
  );
  const enqueued = await app.db
    .selectFrom('outbox')
    .select('event')
    .where('incident_id', '=', incident.split('/').at(-1) ?? '')
    .execute();
  assert.deepEqual(
    enqueued.map(({ event }) => event),
    ['postmortem_published'],
  );
  const log = await app.alice.ok<ActivityEntry[]>('GET', `/organizations/${place.orgId}/activity`);
  const [written, publishing] = log.filter(({ action }) => action.endsWith('_postmortem'));
  assert.deepEqual([written?.before, written?.after], [{ summary: '' }, { summary: 'In short' }]);
  assert.deepEqual(publishing?.before, { status: 'draft', published_at_unix: null });
});

test('without the plan it can be read and not written; the plan is checked before existence', async () => {
  const own = await app.place();
  const incident = await open(own);
  const written = await put(incident, { title: 'Before' });
  const none = await open(own);
  await app.db.updateTable('organizations').set({ plan: 'free' }).where('id', '=', own.orgId).execute();
  assert.deepEqual(await app.alice.ok('GET', `${incident}/postmortem`), written);
  assertRefused(await app.alice.send('GET', `${none}/postmortem`), NOT_FOUND);
  const refusal = { status: 402, error: 'plan_capability', field: 'incident_command' };
  for (const path of [incident, none]) {
    assertRefused(await app.alice.send('POST', `${path}/postmortem/publish`), refusal);
    assertRefused(await app.alice.send('PUT', `${path}/postmortem`, { nonsense: true }), refusal);
  }
});

test('an empty post-mortem cannot be published', async () => {
  assertRefused(await app.alice.send('POST', `${await open()}/postmortem/publish`), NOT_FOUND);
});

test('simultaneous writes keep every field, and of simultaneous publications one counts', async () => {
  const incident = await open();
  await Promise.all(POSTMORTEM_FIELDS.map((field) => put(incident, { [field]: `of ${field}` })));
  await Promise.all(Array.from({ length: 4 }, () => publish(incident)));
  const { status, visibility, published_at_unix, ...texts } = await app.alice.ok<Postmortem>(
    'GET',
    `${incident}/postmortem`,
  );
  assert.deepEqual(texts, Object.fromEntries(POSTMORTEM_FIELDS.map((field) => [field, `of ${field}`])));
  assert.ok(status === 'published' && visibility === 'internal' && published_at_unix !== null);
  const timeline = await app.alice.ok<TimelineEntry[]>('GET', `${incident}/timeline`);
  assert.equal(timeline.filter(({ kind }) => kind === 'postmortem_published').length, 1);
});
