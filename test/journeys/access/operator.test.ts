// What the operator of the installation does with organizations (docs/rules/access.md#operator).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { makeKey } from '#src/api-keys/format.ts';
import type { AdministeredOrganization } from '#src/operator/contract.ts';
import type { Plan } from '#src/plans/contract.ts';
import { type Person, type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { assertRefused } from '#test/harness/refused.ts';

let app: TestApp;
let carol: Person;
let hers: Place;
before(async () => {
  app = await startAppOfFile();
  carol = await app.person('carol');
  hers = await app.place(carol);
});

const UNKNOWN = 'org_01h455vb4pex5vsknk084sn02q';
const setPlan = (plan: unknown, orgId = hers.orgId, who = app.alice) =>
  who.send<AdministeredOrganization>('PATCH', `/admin/organizations/${orgId}`, { plan });

test('the operator sees every organization, newest first, with its size and without its content', async () => {
  const body = { name: 'One', type: 'http', config: { url: 'https://shop.example.com/' } };
  await carol.ok('POST', `/projects/${hers.projectId}/monitors`, body);
  await app.person('dave', { [hers.orgId]: 'member' });
  const list = await app.alice.ok<AdministeredOrganization[]>('GET', '/admin/organizations');
  const shown = list.find(({ id }) => id === hers.orgId);
  assert.ok(shown);
  const { name, slug, created_at_unix, ...rest } = shown;
  assert.deepEqual(rest, { id: hers.orgId, language: 'en', plan: 'unlimited', members: 2, monitors: 1 });
  assert.ok(name.startsWith('Place') && slug.startsWith('place') && created_at_unix > 1_700_000_000);
  assert.equal(list.at(-1)?.id, app.home.orgId, 'the first of the installation comes last');
});

test('the list is paginated with Link, without gaps or repetitions', async () => {
  await app.place(carol);
  app.clock.advance(1000);
  await app.place(carol);
  const all = await app.alice.ok<AdministeredOrganization[]>('GET', '/admin/organizations');
  const seen: string[] = [];
  let next: string | undefined = '/admin/organizations?limit=2';
  while (next !== undefined) {
    const page: { body: AdministeredOrganization[]; headers: Headers } = await app.alice.send('GET', next);
    seen.push(...page.body.map(({ id }) => id));
    next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
  }
  assert.deepEqual(
    seen,
    all.map(({ id }) => id),
  );
  for (const before of [UNKNOWN, 'x', ''])
    assertRefused(await app.alice.send('GET', `/admin/organizations?before=${before}`), {
      status: 404,
      error: 'not_found',
    });
});

test('the plans of the installation are listed, the smallest first', async () => {
  const plans = await app.alice.ok<Plan[]>('GET', '/admin/plans');
  assert.deepEqual(
    plans.map(({ name, limits }) => [name, limits.monitors, limits.min_interval_seconds]),
    [
      ['free', 10, 60],
      ['pro', 100, 30],
      ['business', 1000, 10],
      ['unlimited', null, 1],
    ],
  );
  assert.deepEqual(plans[1]?.capabilities, {
    on_call: true,
    incident_command: true,
    private_status_pages: false,
    white_label: false,
  });
});

test('setting a plan is recorded in the organization’s log as an operation of the operator', async () => {
  const answer = await setPlan('pro');
  assert.deepEqual([answer.status, answer.body.plan, answer.body.id], [200, 'pro', hers.orgId]);
  const plan = await carol.ok<Plan>('GET', `/organizations/${hers.orgId}/plan`);
  assert.equal(plan.name, 'pro');
  await setPlan('pro');
  type Entry = {
    actor: { kind: string; id: string; name: string };
    action: string;
    before: unknown;
    after: unknown;
  };
  const path = `/organizations/${hers.orgId}/activity?action=organization.set_plan`;
  const log = await carol.ok<Entry[]>('GET', path);
  assert.deepEqual(
    log.map(({ actor, before, after }) => ({ kind: actor.kind, id: actor.id, before, after })),
    [{ kind: 'operator', id: app.alice.userId, before: { plan: 'unlimited' }, after: { plan: 'pro' } }],
    'the same plan again is no change',
  );
  assert.equal((await setPlan('unlimited')).body.plan, 'unlimited');
});

test('an organization can be sent back as read with another plan, and nothing else changed', async () => {
  type Read = { id: string; name: string; members: number };
  const list = await app.alice.ok<Read[]>('GET', '/admin/organizations');
  const read = list.find(({ id }) => id === hers.orgId);
  assert.ok(read);
  const path = `/admin/organizations/${hers.orgId}`;
  const answer = await app.alice.send('PATCH', path, { ...read, plan: 'business' });
  assert.deepEqual([answer.status, answer.body], [200, { ...read, plan: 'business' }]);
  for (const [field, value] of [
    ['name', 'Other'],
    ['slug', 'other'],
    ['language', 'de'],
    ['id', app.home.orgId],
    ['members', read.members + 1],
    ['monitors', null],
    ['created_at_unix', 0],
  ] as const)
    assertRefused(await app.alice.send('PATCH', path, { ...read, plan: 'pro', [field]: value }), {
      status: 400,
      error: 'invalid_request',
      field,
    });
  assert.equal((await setPlan('unlimited')).body.plan, 'unlimited');
});

test('an unknown plan is refused, and the refusal names the known ones', async () => {
  for (const plan of ['gold', '', 'FREE', "free'"]) {
    const answer = await setPlan(plan);
    assertRefused(answer, { status: 400, error: 'invalid_request', field: 'plan' });
    assert.match((answer.body as unknown as { message: string }).message, /free, pro, business, unlimited/);
  }
  assertRefused(await setPlan(7), { status: 400, error: 'invalid_request', field: 'plan' });
  assertRefused(await setPlan('pro', UNKNOWN), { status: 404, error: 'not_found' });
});

test('nobody else may, whatever their role in their own organization; keys are not accepted', async () => {
  for (const [method, path, body] of [
    ['GET', '/admin/organizations', undefined],
    ['GET', '/admin/plans', undefined],
    ['PATCH', `/admin/organizations/${hers.orgId}`, { plan: 'free' }],
  ] as const) {
    assertRefused(await carol.send(method, path, body), { status: 403, error: 'forbidden' }, path);
    assertRefused(
      await app.visitor().send(method, path, body),
      { status: 401, error: 'unauthenticated' },
      path,
    );
    const headers = { authorization: `Bearer ${makeKey()}` };
    const key = await app.alice.send(method, path, body, headers);
    assertRefused(key, { status: 401, error: 'key_not_accepted' }, path);
  }
  assertRefused(await setPlan('free', UNKNOWN, carol), { status: 404, error: 'not_found' });
  assert.equal((await carol.ok<Plan>('GET', `/organizations/${hers.orgId}/plan`)).name, 'unlimited');
});
