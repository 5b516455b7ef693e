// Organizations: renamed, looked at, deleted with everything they own (docs/rules/access.md#organizations).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Organization } from '#src/organizations/contract.ts';
import type { PlanInUse } from '#src/plans/contract.ts';
import { type Person, type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { findTraces } from '#test/harness/traces.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

const rename = (orgId: string, body: unknown, who: Pick<Person, 'send'> = app.alice) =>
  who.send<Organization>('PATCH', `/organizations/${orgId}`, body);
type Entry = { action: string; before: unknown; after: unknown; actor: { id: string } };

test('an organization is renamed, its slug stays, and the log has both names', async () => {
  const { orgId } = await app.place();
  const [was] = (await app.alice.ok<Organization[]>('GET', '/me/organizations')).filter(
    ({ id }) => id === orgId,
  );
  assert.ok(was);
  const answer = await rename(orgId, { ...was, name: '  Acme & Söhne  ' });
  assert.deepEqual(
    [answer.status, answer.body],
    [200, { id: orgId, name: 'Acme & Söhne', slug: was.slug, language: 'en' }],
  );
  const [entry] = await app.alice.ok<Entry[]>('GET', `/organizations/${orgId}/activity`);
  const { role: _role, ...before } = was as Organization & { role: string };
  assert.deepEqual(
    { action: entry?.action, before: entry?.before, after: entry?.after, by: entry?.actor.id },
    { action: 'organization.rename', before, after: answer.body, by: app.alice.userId },
  );
});

test('invalid renames are refused', async () => {
  const { orgId } = await app.place();
  for (const name of ['', '   ', '\n\t'])
    assertRefused(await rename(orgId, { name }), { status: 400, error: 'empty_name', field: 'name' });
  for (const [body, field] of [
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ name: 7 }, 'name'],
    [{}, 'name'],
    [{ name: 'X', id: 'org_other' }, 'id'],
    [{ name: 'X', slug: 'another' }, 'slug'],
    [{ name: 'X', role: 'member' }, 'role'],
    [{ name: 'X', plan: 'business' }, 'plan'],
  ] as const)
    assertRefused(await rename(orgId, body), { status: 400, error: 'invalid_request', field });
  assert.equal((await rename(orgId, { name: '🔔'.repeat(200) })).status, 200);
  const manager = await app.person('manager', { [orgId]: 'manager' });
  assertRefused(await rename(orgId, { name: 'X' }, manager), { status: 403, error: 'forbidden' });
  const admin = await app.person('admin', { [orgId]: 'admin' });
  assert.equal((await rename(orgId, { name: 'Theirs' }, admin)).status, 200);
});

test('an invisible name is refused everywhere', async () => {
  const { orgId, projectId } = await app.place();
  const config = { url: 'https://shop.example.com/' };
  const monitor = await app.alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, {
    name: 'Shop',
    type: 'http',
    config,
  });
  for (const name of ['\u200b', '\u202e\u2069', '\u3164', ' \u00ad '])
    for (const [method, path, more] of [
      ['POST', '/organizations', {}],
      ['PATCH', `/organizations/${orgId}`, {}],
      ['POST', `/organizations/${orgId}/projects`, {}],
      ['PATCH', `/projects/${projectId}`, {}],
      ['POST', `/projects/${projectId}/monitors`, { type: 'http', config }],
      ['PATCH', `/monitors/${monitor.id}`, {}],
      ['POST', `/organizations/${orgId}/api-keys`, { scopes: ['monitors:read'] }],
      [
        'POST',
        `/organizations/${orgId}/webhooks`,
        { kind: 'webhook', url: 'https://hooks.example.com/', events: ['opened'] },
      ],
    ] as const)
      assertRefused(
        await app.alice.send(method, path, { name, ...more }),
        { status: 400, error: 'empty_name', field: 'name' },
        `${method} ${path} ${JSON.stringify(name)}`,
      );
});

test('a member reads the plan with its usage; seats are members and open invitations', async () => {
  const { orgId, projectId } = await app.place(app.alice, 'pro');
  const member = await app.person('member', { [orgId]: 'member' });
  const invite = (email: string) =>
    app.alice.ok('POST', `/organizations/${orgId}/invitations`, { email, role: 'member' });
  const plan = () => member.ok<PlanInUse>('GET', `/organizations/${orgId}/plan`);
  await invite('old@example.com');
  app.clock.advance(7 * 86_400_000);
  await app.runTask('partitions');
  assert.deepEqual((await plan()).used, { monitors: 0, seats: 2 }, 'the invitation has run out');
  await invite('new@example.com');
  const body = { name: 'One', type: 'http', config: { url: 'https://shop.example.com/' }, enabled: false };
  await app.alice.ok('POST', `/projects/${projectId}/monitors`, body);
  assert.deepEqual(await plan(), {
    name: 'pro',
    limits: {
      monitors: 100,
      regions_per_monitor: 6,
      seats: 10,
      custom_domains_per_page: 3,
      min_interval_seconds: 30,
      raw_check_retention_days: 30,
    },
    capabilities: { on_call: true, incident_command: true, private_status_pages: false, white_label: false },
    used: { monitors: 1, seats: 3 },
  });
});

test('its name and its slug are free again', async () => {
  const carol = await app.person('carol');
  const one = await carol.ok<Organization>('POST', '/organizations', { name: 'Phoenix' });
  await carol.ok('DELETE', `/organizations/${one.id}`);
  const two = await carol.ok<Organization>('POST', '/organizations', { name: 'Phoenix' });
  assert.deepEqual([two.slug, two.id === one.id], ['phoenix', false]);
});

test('only an owner can delete it, in a session, and without a body', async () => {
  const { orgId } = await app.place();
  const admin = await app.person('admin', { [orgId]: 'admin' });
  assertRefused(await admin.send('DELETE', `/organizations/${orgId}`), { status: 403, error: 'forbidden' });
  const { key } = await app.alice.ok<{ key: string }>('POST', `/organizations/${orgId}/api-keys`, {
    name: 'Key',
    scopes: ['organization:write'],
  });
  const headers = { authorization: `Bearer ${key}` };
  assertRefused(await app.visitor().send('DELETE', `/organizations/${orgId}`, undefined, headers), {
    status: 401,
    error: 'key_not_accepted',
  });
  const renamed = await app.visitor().send('PATCH', `/organizations/${orgId}`, { name: 'By key' }, headers);
  assert.equal(renamed.status, 200);
  const owner = await app.person('owner', { [orgId]: 'owner' });
  assert.equal((await owner.send('DELETE', `/organizations/${orgId}`)).status, 204);
});

test('deleting it twice at once, and while things are created in it, is one deletion, without a 5xx or remains', async () => {
  const carol = await app.person('carol');
  for (let round = 0; round < 5; round++) {
    const { orgId, projectId } = await app.place(carol);
    const path = `/organizations/${orgId}`;
    const body = (name: string) => ({ name, type: 'http', config: { url: 'https://shop.example.com/' } });
    const monitor = await carol.ok<Monitor>('POST', `/projects/${projectId}/monitors`, body('First'));
    app.clock.advance(1000);
    const hook = { name: 'Hook', kind: 'webhook', url: 'http://127.0.0.1:1/hook', events: ['opened'] };
    const answers = await Promise.all([
      carol.send('POST', `/projects/${projectId}/monitors`, body('Second')),
      carol.send('POST', `${path}/projects`, { name: 'Late' }),
      carol.send('POST', `${path}/webhooks`, hook),
      carol.send('DELETE', path),
      carol.send('POST', `${path}/api-keys`, { name: 'Key', scopes: ['monitors:read'] }),
      carol.send('POST', `${path}/invitations`, { email: 'x@example.com', role: 'member' }),
      carol.send('PATCH', `/monitors/${monitor.id}`, { name: 'Renamed' }),
      carol.send('PATCH', path, { name: 'Renamed' }),
      app
        .probe()
        .says(monitor.id, 'down')
        .then(() => ({ status: 200 })),
      carol.send('DELETE', path),
    ]);
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual([statuses[3], statuses[9]].sort(), [204, 404], statuses.join());
    assert.ok(
      statuses.every((status) => [200, 201, 204, 403, 404].includes(status)),
      statuses.join(),
    );
    await app.runTask('purge_organization', { org_id: orgId });
    const tables = (await findTraces(app.db, [orgId], [])).map(({ table }) => table);
    assert.deepEqual(tables, ['activity']);
  }
});

type Furnished = Place & {
  texts: string[];
  monitors: Monitor[];
  nos: number[];
  incidents: string[];
};

/** An organization with something in every corner, and every id that there is of it. */
async function furnish(owner: Person): Promise<Furnished> {
  const place = await app.place(owner);
  const { orgId, projectId } = place;
  const path = `/organizations/${orgId}`;
  const made: string[] = [];
  const make = async <T extends { id: string }>(at: string, body: unknown): Promise<T> => {
    const resource = await owner.ok<T>('POST', at, body);
    made.push(resource.id);
    return resource;
  };
  await make(`${path}/projects`, { name: 'Empty' });
  const events = ['opened', 'acknowledged', 'resolved'];
  const hook = { name: 'Hook', kind: 'webhook', url: 'http://127.0.0.1:1/hook', events };
  await make(`${path}/webhooks`, hook);
  await make(`${path}/api-keys`, { name: 'Key', scopes: ['monitors:read'] });
  await owner.ok('POST', `${path}/invitations`, { email: 'someone@example.com', role: 'admin' });
  await app.person('member', { [orgId]: 'member' });
  const monitors: Monitor[] = [];
  for (const name of ['One', 'Two', 'Three'])
    monitors.push(
      await make(`/projects/${projectId}/monitors`, {
        name,
        type: 'http',
        config: {
          url: 'https://shop.example.com/',
          headers: { 'x-token': 'secret' },
        },
        regions: ['local', 'north'],
      }),
    );
  const [one, two] = monitors;
  for (let i = 0; i < 4; i++) {
    app.clock.advance(1000);
    for (const { id } of monitors)
      for (const region of ['local', 'north']) await app.probe(region).says(id, 'down');
  }
  for (let i = 0; i < 4; i++) {
    app.clock.advance(1000);
    for (const region of ['local', 'north']) await app.probe(region).says(one?.id ?? '', 'up');
  }
  const [open] = await owner.ok<IncidentSummary[]>('GET', `/monitors/${two?.id}/incidents`);
  await owner.ok('POST', `${path}/incidents/${open?.id}/ack`);

  const ids = async (table: 'incidents' | 'invitations' | 'deliveries' | 'outbox' | 'activity') =>
    (await app.db.selectFrom(table).select('id').where('org_id', '=', orgId).execute()).map(({ id }) => id);
  const incidents = await ids('incidents');
  const logs = [...(await ids('deliveries')), ...(await ids('outbox')), ...(await ids('activity'))];
  assert.ok(incidents.length === 3 && logs.length > 10);
  const numbered = await app.db.selectFrom('monitors').select('no').where('org_id', '=', orgId).execute();
  return {
    ...place,
    monitors,
    incidents,
    nos: numbered.map(({ no }) => no),
    texts: [orgId, projectId, ...made, ...incidents, ...logs, ...(await ids('invitations'))],
  };
}

/** The tables that have something of it, one entry a row. */
const tablesWith = async ({ texts, nos }: Furnished) =>
  (await findTraces(app.db, texts, nos)).map(({ table }) => table);

/** Until the day on which the tombstones of assignments are swept. */
async function advanceTime(): Promise<void> {
  app.clock.advance(3 * 86_400_000);
  await app.runTask('partitions');
  await app.runTask('sweep');
}

test('a deleted organization leaves one row of the log and nothing else in any table', async () => {
  await app.region('north');
  const carol = await app.person('carol');
  const doomed = await furnish(carol);
  const neighbour = await furnish(carol);
  const { revision } = await app.probe().assignments();
  const stream = await fetch(`${app.url}/organizations/${doomed.orgId}/events`, {
    headers: { cookie: carol.cookie() },
  });
  assert.ok((await findTraces(app.db, doomed.texts, doomed.nos)).length > 50);
  const untouched = await tablesWith(neighbour);

  assert.equal((await carol.send('DELETE', `/organizations/${doomed.orgId}`)).status, 204);

  // At once, for everybody: nothing of it can be reached, and its probes are told to forget.
  for (const [method, path] of [
    ['GET', `/organizations/${doomed.orgId}/plan`],
    ['DELETE', `/organizations/${doomed.orgId}`],
    ['GET', `/monitors/${doomed.monitors[0]?.id}`],
    ['GET', `/projects/${doomed.projectId}/monitors`],
  ] as const)
    assertRefused(await carol.send(method, path), { status: 404, error: 'not_found' }, path);
  const changes = await app.probe().assignments({ since: revision, wait: 0 });
  assert.deepEqual([...changes.removed].sort(), doomed.monitors.map(({ id }) => id).sort());
  assert.deepEqual(changes.monitors, []);
  const late = await app.probe().says(doomed.monitors[0]?.id ?? '', 'down');
  assert.deepEqual([late.accepted, late.ignored], [0, 1]);

  // Stored jobs that were waiting find nothing, and say nothing.
  for (const monitor_no of doomed.nos) await app.runTask('confirm', { monitor_no });
  await app.runTask('deliver');
  // What runs in the background by itself, done now.
  for (const monitor_no of doomed.nos) await app.runTask('purge_checks', { monitor_no });
  await app.runTask('purge_organization', { org_id: doomed.orgId });
  assert.deepEqual(await tablesWith(neighbour), untouched);
  assert.deepEqual(
    (await carol.ok<Organization[]>('GET', '/me/organizations')).map(({ id }) => id),
    [neighbour.orgId],
  );
  const users = await app.db
    .selectFrom('users')
    .select('name')
    .where('name', 'in', ['member', 'carol'])
    .execute();
  assert.equal(users.length >= 3, true, 'the accounts of its members stay');
  const reader = stream.body!.getReader();
  while (!(await reader.read()).done);

  await advanceTime();
  const traces = await findTraces(app.db, doomed.texts, doomed.nos);
  assert.deepEqual(
    traces.map(({ table, row }) => [table, row.org_id, row.action, row.resource_id, row.actor_id]),
    [['activity', null, 'organization.delete', doomed.orgId, carol.userId]],
  );
});
