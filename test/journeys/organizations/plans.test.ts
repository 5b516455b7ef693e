// Plans are data (docs/rules/access.md#plans, docs/rules/access.md#downgrades): every limit where it applies, and downgrades
// that never delete.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Monitor } from '#src/monitors/contract.ts';
import { type Place, startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';
import type { Answer } from '#test/harness/client.ts';
import { resultOf } from '#test/harness/probe.ts';
import { assertRefused } from '#test/harness/refused.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
  for (const slug of ['north', 'east', 'south', 'west']) await app.region(slug);
});

const ALL = ['local', 'north', 'east', 'south', 'west'];
const setPlan = ({ orgId }: Place, plan: string) =>
  app.alice.ok('PATCH', `/admin/organizations/${orgId}`, { plan });

let made = 0;
const create = ({ projectId }: Place, more: Record<string, unknown> = {}): Promise<Answer<Monitor>> => {
  made += 1;
  const body = { name: `Monitor ${made}`, type: 'http', config: { url: 'https://shop.example.com/' } };
  return app.alice.send<Monitor>('POST', `/projects/${projectId}/monitors`, { ...body, ...more });
};
const change = (monitor: Monitor, body: unknown) =>
  app.alice.send<Monitor>('PATCH', `/monitors/${monitor.id}`, body);
const QUOTA = { status: 400, error: 'quota_reached', limit: 10 };

/** A monitor of an organization that was on the large plan, and is on the small one now. */
async function downgraded(): Promise<{ place: Place; monitor: Monitor }> {
  const place = await app.place();
  const first = await create(place, { regions: ALL, interval_seconds: 10 });
  for (let i = 0; i < 10; i++) assert.equal((await create(place)).status, 201);
  await setPlan(place, 'free');
  return { place, monitor: first.body };
}

test('the plan limits the number of monitors, disabled ones included, until one is deleted', async () => {
  const place = await app.place(app.alice, 'free');
  for (let i = 0; i < 10; i++) assert.equal((await create(place, { enabled: i % 2 === 0 })).status, 201);
  assertRefused(await create(place), QUOTA);
  assertRefused(await create(place, { enabled: false }), QUOTA);
  const other = await app.alice.ok<{ id: string }>('POST', `/organizations/${place.orgId}/projects`, {
    name: 'Other',
  });
  assertRefused(await create({ ...place, projectId: other.id }), QUOTA, 'counted over all projects');
  const [one] = await app.alice.ok<Monitor[]>('GET', `/projects/${place.projectId}/monitors`);
  await app.alice.ok('DELETE', `/monitors/${one?.id}`);
  assert.equal((await create(place)).status, 201);
  assert.equal((await create(await app.place(app.alice, 'free'))).status, 201, 'by organization');
});

test('of twenty requests at once for the last monitor, one succeeds', async () => {
  const place = await app.place(app.alice, 'free');
  for (let i = 0; i < 9; i++) await create(place);
  const answers = await Promise.all(Array.from({ length: 20 }, () => create(place)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(19).fill(400)]);
  for (const answer of answers) if (answer.status === 400) assertRefused(answer, QUOTA);
});

test('of twenty requests at once for the last organization, one succeeds', async () => {
  await using small = await startTestApp({ env: { ORGANIZATIONS_PER_USER: '2' } });
  const carol = await small.person('carol');
  await carol.ok('POST', '/organizations', { name: 'First' });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => carol.send('POST', '/organizations', { name: `Number ${i}` })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(19).fill(409)]);
});

test('a monitor created while the plan shrinks is judged by one of the two plans', async () => {
  for (let round = 0; round < 5; round++) {
    const place = await app.place();
    for (let i = 0; i < 10; i++) await create(place);
    const [created] = await Promise.all([create(place), setPlan(place, 'free')]);
    if (created.status === 400) assertRefused(created, QUOTA);
    else assert.equal(created.status, 201);
    assertRefused(await create(place), QUOTA);
  }
});

test('more regions than the plan allows are 402, on create and on update', async () => {
  const place = await app.place(app.alice, 'free');
  const refusal = { status: 402, error: 'too_many_regions', field: 'regions', limit: 3 };
  assertRefused(await create(place, { regions: ALL.slice(0, 4) }), refusal);
  const { body: monitor } = await create(place, { regions: ALL.slice(0, 3) });
  assertRefused(await change(monitor, { regions: ALL.slice(0, 4) }), refusal);
  assert.equal((await change(monitor, { regions: ALL.slice(2) })).status, 200);
});

test('the plan limits the interval, even while failing', async () => {
  const place = await app.place(app.alice, 'free');
  const refusal = { status: 400, error: 'invalid_request', field: 'interval_seconds' };
  assertRefused(await create(place, { interval_seconds: 59 }), refusal);
  const { body: monitor } = await create(place, { interval_seconds: 60 });
  assertRefused(await change(monitor, { interval_seconds: 59 }), refusal);
  const failing = { status: 400, error: 'invalid_request', field: 'policy.failed_interval_seconds' };
  assertRefused(await create(place, { policy: { failed_interval_seconds: 1 } }), failing);
  assertRefused(await change(monitor, { policy: { failed_interval_seconds: 14 } }), failing);
  assert.equal((await change(monitor, { policy: { failed_interval_seconds: 15 } })).status, 200);
  const large = await app.place(app.alice, 'business');
  assert.equal(
    (await create(large, { interval_seconds: 10, policy: { failed_interval_seconds: 10 } })).status,
    201,
  );
  assertRefused(await create(large, { policy: { failed_interval_seconds: 9 } }), failing);
});

test('after a downgrade monitors over the limit are still checked', async () => {
  const { monitor } = await downgraded();
  for (const region of ALL) {
    const { monitors } = await app.probe(region).assignments();
    assert.equal(monitors.find(({ monitor_id }) => monitor_id === monitor.id)?.interval_seconds, 10, region);
    app.clock.advance(1000);
    const reply = await app.probe(region).post([resultOf(monitor.id, app.clock.ms(), 'up')]);
    assert.equal(reply.body.accepted, 1, region);
  }
  assert.equal((await app.alice.ok<Monitor>('GET', `/monitors/${monitor.id}`)).last_status, 'passed');
});

test('after a downgrade they may be edited and made smaller, but not larger', async () => {
  const { place, monitor } = await downgraded();
  const edited = {
    ...(await app.alice.ok<Monitor>('GET', `/monitors/${monitor.id}`)),
    name: 'Renamed',
    config: { url: 'https://shop.example.com/other' },
  };
  const answer = await change(monitor, edited);
  assert.deepEqual([answer.status, answer.body.name], [200, 'Renamed'], JSON.stringify(answer.body));
  assert.deepEqual([answer.body.regions, answer.body.interval_seconds], [ALL, 10]);

  const shorter = { status: 400, error: 'invalid_request', field: 'interval_seconds' };
  assertRefused(await change(monitor, { interval_seconds: 9 }), shorter);
  assert.equal((await change(monitor, { interval_seconds: 20 })).status, 200, 'closer to what the plan has');
  assertRefused(await change(monitor, { interval_seconds: 10 }), shorter, 'and not back');
  assert.equal((await change(monitor, { regions: ALL.slice(0, 4) })).status, 200);
  assertRefused(await change(monitor, { regions: ALL }), {
    status: 402,
    error: 'too_many_regions',
    field: 'regions',
    limit: 3,
  });
  assertRefused(await create(place), QUOTA);
  assert.equal((await change(monitor, { enabled: false })).status, 200);
  assert.equal((await change(monitor, { enabled: true })).status, 200, 'it counted all the time');
  await app.alice.ok('DELETE', `/monitors/${monitor.id}`);
  assertRefused(await create(place), QUOTA, 'still as many as the plan has');
  await setPlan(place, 'pro');
  assert.equal((await create(place)).status, 201);
});

test('checks older than the plan keeps are hidden, and shown again after an upgrade', async () => {
  const place = await app.place();
  const { body: monitor } = await create(place);
  await app.probe().says(monitor.id, 'up');
  app.clock.advance(8 * 86_400_000);
  await app.runTask('partitions');
  await app.probe().says(monitor.id, 'up');
  const shown = async () => (await app.alice.ok<unknown[]>('GET', `/monitors/${monitor.id}/checks`)).length;
  assert.equal(await shown(), 2);
  await setPlan(place, 'free');
  assert.equal(await shown(), 1);
  await setPlan(place, 'unlimited');
  assert.equal(await shown(), 2);
});
