// Many monitors made at once over HTTP (docs/rules/monitor-types.md#many-at-once).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Monitor } from '#src/monitors/contract.ts';
import type { CreatedMonitor } from '#src/monitors/many/contract.ts';
import { type Person, type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { fingerprint } from '#test/harness/fingerprint.ts';
import { makeKeyHolder } from '#test/harness/keys.ts';
import { assertRefused } from '#test/harness/refused.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

const http = (name: string, fields: Record<string, unknown> = {}) => ({
  name,
  type: 'http',
  config: { url: 'https://shop.example.com/' },
  ...fields,
});
const pathOf = ({ projectId }: Pick<Place, 'projectId'>) => `/projects/${projectId}/monitors/bulk`;
const make = (place: Place, monitors: unknown[], more: object = {}, person: Person = app.alice) =>
  person.ok<CreatedMonitor[]>('POST', pathOf(place), { monitors, ...more });
const listed = ({ projectId }: Place) =>
  app.alice.ok<Monitor[]>('GET', `/projects/${projectId}/monitors?limit=1000`);
const shown = (answers: readonly CreatedMonitor[]) =>
  answers.map(({ name, refusal }) =>
    refusal === null ? name : `${name}: ${refusal.error} ${refusal.field}`,
  );

test('each monitor has a result, a refusal does not stop the others, and probes get the created ones', async () => {
  const place = await app.place();
  const profile = await app.alice.ok<{ id: string }>(
    'POST',
    `/organizations/${app.home.orgId}/alert-profiles`,
    { name: 'Of somebody else', alarm_consecutive: 5 },
  );
  const answers = await make(place, [
    http('Shop', { tags: ['Prod'] }),
    http('Nowhere', { config: { url: 'https://' } }),
    http('Foreign', { policy: { alert_profile_id: profile.id } }),
    http('Far', { regions: ['nowhere'] }),
    { name: ' ', type: 'heartbeat', config: {} },
    { name: 'Night job', type: 'heartbeat', config: { schedule: { kind: 'period', period_seconds: 60 } } },
  ]);
  assert.deepEqual(shown(answers), [
    'Shop',
    'Nowhere: invalid_target config.url',
    'Foreign: invalid_request policy.alert_profile_id',
    'Far: unknown_region regions',
    ': empty_name name',
    'Night job',
  ]);
  const made = await listed(place);
  assert.deepEqual(
    made.map(({ id }) => id).sort(),
    answers.flatMap(({ monitor_id }) => monitor_id ?? []).sort(),
  );
  const shop = made.find(({ name }) => name === 'Shop');
  assert.deepEqual([shop?.tags, shop?.regions, shop?.slug], [['prod'], ['local'], 'shop']);
  const night = made.find(({ name }) => name === 'Night job') ?? assert.fail();
  assert.match((night.config as { ping_url: string }).ping_url, /heartbeat/);
  const { monitors } = await app.probe().assignments();
  assert.ok(monitors.some(({ monitor_id }) => monitor_id === shop?.id));
});

test('a name that exists gets a number, even within the request', async () => {
  const place = await app.place();
  await make(place, [http('Shop')]);
  const long = 'x'.repeat(200);
  const answers = await make(place, [http('Shop'), http('Shop 2'), http('Shop'), http(long), http(long)]);
  assert.deepEqual(shown(answers), ['Shop 2', 'Shop 2 2', 'Shop 3', long, `${'x'.repeat(198)} 2`]);
  assert.equal((await listed(place)).length, 6);
});

test('a preview gives the same results, and writes nothing', async () => {
  const place = await app.place(app.alice, 'free');
  await make(
    place,
    Array.from({ length: 8 }, (_, i) => http(`Before ${i}`)),
  );
  const monitors = [http('Before 1'), http('Bad', { interval_seconds: 1 }), http('Last'), http('Too many')];
  const before = await fingerprint(app.db);
  const foreseen = await make(place, monitors, { preview: true });
  assert.deepEqual(await fingerprint(app.db), before);
  assert.deepEqual(shown(foreseen), [
    'Before 1 2',
    'Bad: invalid_request interval_seconds',
    'Last',
    'Too many: quota_reached undefined',
  ]);
  const later = await make(place, [http('Last')], { preview: true, preview_after: 2 });
  assert.deepEqual(shown(later), ['Last: quota_reached undefined']);
  const made = await make(place, monitors);
  assert.deepEqual(shown(made), shown(foreseen));
  assert.equal((await listed(place)).length, 10);
});

test('two simultaneous requests stay within the plan and never share a name', async () => {
  const place = await app.place(app.alice, 'free');
  const monitors = Array.from({ length: 7 }, () => http('Same'));
  const answers = (await Promise.all([make(place, monitors), make(place, monitors)])).flat();
  assert.equal(answers.filter(({ monitor_id }) => monitor_id !== null).length, 10);
  assert.equal(new Set((await listed(place)).map(({ name }) => name)).size, 10);
});

test('a malformed body creates nothing, and no key creates monitors outside of its projects', async () => {
  const place = await app.place();
  const malformed = await app.alice.send('POST', pathOf(place), {
    monitors: [http('Fine'), { name: 'No type' }],
  });
  assertRefused(malformed, { status: 400, error: 'invalid_request', field: 'monitors.1.type' });
  const over = await app.alice.send('POST', pathOf(place), {
    monitors: Array.from({ length: 101 }, (_, i) => http(`Monitor ${i}`)),
  });
  assertRefused(over, { status: 400, error: 'invalid_request', field: 'monitors' });
  const other = await app.alice.ok<{ id: string }>('POST', `/organizations/${place.orgId}/projects`, {
    name: 'Other',
  });
  const narrow = await makeKeyHolder(app, app.alice, place.orgId, {
    scopes: ['monitors:write'],
    project_ids: [other.id],
  });
  assertRefused(await narrow.send('POST', pathOf(place), { monitors: [http('Fine')] }), {
    status: 403,
    error: 'forbidden',
  });
  assert.deepEqual(await listed(place), []);
});
