// An organization moves from one installation to another while its target fails: nobody is notified twice, and nothing is
// missed (docs/scaling.md#moving-an-organization).
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { OPERATOR } from '#src/cli/open-installation.ts';
import { HOUR_MS } from '#src/domain/durations.ts';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { WebhookTarget } from '#src/notifications/contract.ts';
import { exportOrganization } from '#src/organization-export/export.ts';
import { LINES_FILE } from '#src/organization-export/format.ts';
import { importOrganization } from '#src/organization-export/import.ts';
import { writePrivateFile } from '#src/platform/private-file.ts';
import type { Series } from '#src/series/contract.ts';
import type { StatusPage } from '#src/status-pages/contract.ts';
import { PASSWORD, type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { startReceiver } from '#test/harness/receiver.ts';

const dir = mkdtempSync(join(tmpdir(), 'tocsin-move-'));
after(() => rmSync(dir, { recursive: true }));

let from: TestApp;
let to: TestApp;
before(async () => {
  from = await startAppOfFile();
  to = await startAppOfFile({
    clock: from.clock,
    env: { SECRET_KEY: 'quite another key, long enough as well' },
  });
});

async function exportFrom(app: TestApp, { orgId }: Place, name: string, checksDays?: number): Promise<void> {
  await exportOrganization({
    url: app.databaseUrl,
    organizationId: orgId,
    vault: app.vault,
    version: '0.0.0',
    now: app.clock.now(),
    checksDays,
    file: (file, write) => writePrivateFile(join(dir, `${name}-${file}`), write),
  });
}

const importInto = (app: TestApp, name: string) =>
  importOrganization({
    db: app.db,
    vault: app.vault,
    path: join(dir, `${name}-${LINES_FILE}`),
    slug: null,
    plan: 'unlimited',
    now: app.clock.now(),
    actor: OPERATOR,
  });

const makeMonitor = (app: TestApp, { projectId }: Place) =>
  app.alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, {
    name: 'Shop',
    type: 'http',
    config: { url: 'https://shop.example.com/' },
  });

/** A turn takes some spans: as many turns as there is something left. */
async function rollUpAll(app: TestApp): Promise<void> {
  await app.runTask('partitions');
  for (let turns = 0, done = false; !done; turns++) {
    assert.ok(turns < 100, 'it ends');
    await app.runTask('roll_up');
    const { rows } = await sql<{ done: boolean }>`
      SELECT rolled_until = closed_until AND NOT EXISTS (SELECT FROM rollup_dirty) AS done FROM rollup_state`.execute(
      app.db,
    );
    done = rows[0]?.done ?? false;
  }
}

test('an outage during a move inside a maintenance window is announced once, by the new installation', async (t) => {
  const place = await from.place();
  const receiver = await startReceiver();
  t.after(() => receiver.stop());
  const { secret } = await from.alice.ok<{ secret: string }>(
    'POST',
    `/organizations/${place.orgId}/webhooks`,
    {
      name: 'Hook',
      kind: 'webhook',
      url: receiver.url,
      events: ['opened', 'resolved'],
    },
  );
  receiver.trust(secret);
  const { id } = await makeMonitor(from, place);
  const says = async (app: TestApp, status: 'up' | 'down') => {
    from.clock.advance(10_000);
    await app.probe().says(id, status);
    for (const each of [from, to]) await each.runTask('deliver');
  };
  const windows = `/organizations/${place.orgId}/maintenance-windows`;
  await says(from, 'up');

  const nowUnix = Math.floor(from.clock.ms() / 1000);
  const window = await from.alice.ok<MaintenanceWindow>('POST', windows, {
    title: 'Move',
    scheduled_start: nowUnix,
    scheduled_end: nowUnix + 6 * 3600,
    public_visible: false,
    monitors: [id],
  });
  await says(from, 'up');
  await exportFrom(from, place, 'move');
  await says(from, 'down');
  await says(from, 'down');
  await importInto(to, 'move');
  await says(from, 'down');
  await says(to, 'down');
  await says(to, 'down');
  assert.equal(receiver.received.length, 0, 'the window holds in both');

  await to.alice.ok('POST', `${windows}/${window.id}/cancel`);
  await from.alice.ok('DELETE', `/organizations/${place.orgId}`);
  await to.runTask('maintenance', { window_id: window.id });
  await says(to, 'down');
  await says(to, 'up');
  await says(to, 'up');
  assert.deepEqual(
    receiver.received.map(({ event, genuine }) => [event, genuine]),
    [
      ['opened', true],
      ['resolved', true],
    ],
  );
  assert.equal(receiver.received[0]?.body.incident?.id, receiver.received[1]?.body.incident?.id);
});

test('a target keeps its filter after a move, and receives the end of exactly what it received before', async (t) => {
  const place = await from.place();
  const receiver = await startReceiver();
  t.after(() => receiver.stop());
  const hooks = `/organizations/${place.orgId}/webhooks`;
  const add = (name: string, fields: object) =>
    from.alice.ok<WebhookTarget>('POST', hooks, {
      name,
      kind: 'webhook',
      url: `${receiver.url}?${name}`,
      events: ['opened', 'resolved'],
      ...fields,
    });
  const narrowed = await add('narrowed', {});
  await add('deaf', { tags: ['shop'], min_severity: 'default', project_ids: [place.projectId] });
  const { id } = await makeMonitor(from, place);
  const says = async (app: TestApp, status: 'up' | 'down') => {
    from.clock.advance(10_000);
    await app.probe().says(id, status);
    await app.runTask('deliver');
  };
  await says(from, 'down');
  await says(from, 'down');
  await from.alice.ok('PATCH', `${hooks}/${narrowed.id}`, { tags: ['other'] });
  await from.alice.ok('PATCH', `/monitors/${id}`, { tags: ['shop'] });
  await exportFrom(from, place, 'routed');
  await importInto(to, 'routed');
  const routing = (targets: WebhookTarget[]) =>
    targets.map(({ name, project_ids, tags, min_severity }) => ({ name, project_ids, tags, min_severity }));
  assert.deepEqual(
    routing(await to.alice.ok('GET', hooks)),
    routing(await from.alice.ok<WebhookTarget[]>('GET', hooks)),
  );
  await from.alice.ok('DELETE', `/organizations/${place.orgId}`);
  await says(to, 'up');
  await says(to, 'up');
  assert.deepEqual(
    receiver.received.map(({ event }) => event),
    ['opened', 'resolved'],
  );
});

test('after a move, a target hears that an incident was a false alarm exactly if it heard of the incident before', async (t) => {
  const place = await from.place();
  const hooks = `/organizations/${place.orgId}/webhooks`;
  const add = async (tags: string[]) => {
    const receiver = await startReceiver();
    t.after(() => receiver.stop());
    const body = { name: 'Hook', kind: 'webhook', url: receiver.url, events: ['discarded'], tags };
    const { id } = await from.alice.ok<WebhookTarget>('POST', hooks, body);
    return { id, events: () => receiver.received.map(({ event }) => event) };
  };
  const concerned = await add([]);
  const leftOut = await add(['other']);
  const { id } = await makeMonitor(from, place);
  for (const status of ['down', 'down', 'up', 'up'] as const) {
    from.clock.advance(10_000);
    await from.probe().says(id, status);
  }
  from.clock.advance(10_000);
  await from.alice.ok('PATCH', `${hooks}/${concerned.id}`, { tags: ['other'] });
  await from.alice.ok('PATCH', `${hooks}/${leftOut.id}`, { tags: [] });
  await exportFrom(from, place, 'false-alarm');
  await importInto(to, 'false-alarm');
  await from.alice.ok('DELETE', `/organizations/${place.orgId}`);
  const [incident] = await to.alice.ok<IncidentSummary[]>(
    'GET',
    `/organizations/${place.orgId}/incidents?status=closed`,
  );
  await to.alice.ok('POST', `/organizations/${place.orgId}/incidents/${incident?.id}/discard`, {});
  await to.runTask('deliver');
  assert.deepEqual([concerned.events(), leftOut.events()], [['discarded'], []]);
});

test('after a move, a target receives nothing about what happened while it was off', async (t) => {
  const place = await from.place();
  const hooks = `/organizations/${place.orgId}/webhooks`;
  const receiver = await startReceiver();
  t.after(() => receiver.stop());
  const target = await from.alice.ok<WebhookTarget>('POST', hooks, {
    ...{ name: 'Hook', kind: 'webhook', url: receiver.url, events: ['discarded'] },
    ...{ active: false, project_ids: [place.projectId] },
  });
  const { id } = await makeMonitor(from, place);
  for (const status of ['down', 'down', 'up', 'up'] as const) {
    from.clock.advance(10_000);
    await from.probe().says(id, status);
  }
  await exportFrom(from, place, 'off');
  await importInto(to, 'off');
  await from.alice.ok('DELETE', `/organizations/${place.orgId}`);
  await to.alice.ok('PATCH', `${hooks}/${target.id}`, { active: true });
  const incidents = `/organizations/${place.orgId}/incidents`;
  const [incident] = await to.alice.ok<IncidentSummary[]>('GET', `${incidents}?status=closed`);
  await to.alice.ok('POST', `${incidents}/${incident?.id}/discard`, {});
  await to.runTask('deliver');
  assert.deepEqual(receiver.received, []);
});

test('with the single checks of only two days, every longer range and all uptime are the same', async () => {
  const place = await from.place();
  const { id } = await makeMonitor(from, place);
  for (let day = 0; day < 3; day++) {
    await from.runTask('partitions');
    for (const status of ['up', 'up', 'down', 'up'] as const) {
      from.clock.advance(6 * HOUR_MS);
      await from.probe().says(id, status);
    }
  }
  await rollUpAll(from);
  await exportFrom(from, place, 'all');
  await exportFrom(from, place, 'days', 2);

  const text = (name: string) => readFileSync(join(dir, name), 'utf8');
  const checksIn = (name: string) =>
    text(`${name}-${LINES_FILE}`)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string; data: { checked_at: string } })
      .filter(({ kind }) => kind === 'check')
      .map(({ data }) => Date.parse(data.checked_at));
  const since = Math.floor(from.clock.ms() / 86_400_000) * 86_400_000 - 86_400_000;
  assert.equal(checksIn('all').length, 12);
  assert.deepEqual(
    checksIn('days'),
    checksIn('all').filter((ms) => ms >= since),
  );
  assert.equal(text('days-uptime.csv'), text('all-uptime.csv'));

  await importInto(to, 'days');
  await rollUpAll(to);
  for (const range of ['1d', '7d', '14d', '30d', '90d']) {
    const [before, afterwards] = await Promise.all(
      [from, to].map((app) => app.alice.ok<Series>('GET', `/monitors/${id}/series?range=${range}`)),
    );
    assert.deepEqual(afterwards, before, range);
  }
});

test('checks that are not rolled up yet are exported one by one, however old they are', async () => {
  const place = await from.place();
  const { id } = await makeMonitor(from, place);
  for (let day = 0; day < 4; day++) {
    await from.runTask('partitions');
    await from.probe().says(id, 'up');
    from.clock.advance(24 * HOUR_MS);
  }
  await exportFrom(from, place, 'behind', 2);
  const lines = readFileSync(join(dir, `behind-${LINES_FILE}`), 'utf8').split('\n');
  assert.equal(lines.filter((line) => line.startsWith('{"kind":"check"')).length, 4);
});

test('an organization whose monitors have left a region moves with what was measured there', async () => {
  const place = await from.place();
  const earlier = await from.region('earlier');
  const { id } = await makeMonitor(from, place);
  await from.alice.ok('PATCH', `/monitors/${id}`, { regions: ['earlier'] });
  await earlier.says(id, 'up');
  await from.alice.ok('PATCH', `/monitors/${id}`, { regions: ['local'] });
  await exportFrom(from, place, 'left-region');
  const { madeRegions } = await importInto(to, 'left-region');
  assert.deepEqual(madeRegions, ['earlier']);
  const [original, moved] = await Promise.all(
    [from, to].map((app) => app.alice.ok<Series>('GET', `/monitors/${id}/series?range=1d`)),
  );
  assert.equal(moved?.stats.checks, 1);
  assert.deepEqual(moved, original);
});

test('whoever deletes their account is nameless in what was imported too', async () => {
  const place = await from.place();
  const addresses = new Map<string, string>();
  for (const name of ['nils', 'noel', 'nora']) {
    const person = await from.person(name, { [place.orgId]: 'member' });
    addresses.set(name, person.email);
    const incidents = `/organizations/${place.orgId}/incidents`;
    const { id } = await person.ok<{ id: string }>('POST', incidents, {
      ...{ cause: `Seen by ${name}`, severity: 'critical' },
    });
    const body = { body: 'Seen', kind: 'note', visibility: 'internal' };
    await person.ok('POST', `${incidents}/${id}/notes`, body);
    await person.ok('POST', `${incidents}/${id}/hold`, { seconds: 3600 });
  }
  const accountOf = async (name: string, email_verified: boolean) => {
    const person = await to.person(name);
    const email = addresses.get(name) ?? '';
    await to.db.updateTable('users').set({ email, email_verified }).where('id', '=', person.userId).execute();
    return person;
  };
  const nora = await accountOf('nora', true);
  await exportFrom(from, place, 'people');
  await importInto(to, 'people');
  const noel = await accountOf('noel', true);
  // An address that nobody proved may be somebody else's.
  const nils = await accountOf('nils', false);
  for (const person of [nora, noel, nils]) await person.ok('DELETE', '/me', { password: PASSWORD });

  const { rows: log } = await sql<{ names: string[] }>`
    SELECT array_agg(DISTINCT actor_name ORDER BY actor_name) AS names FROM activity
    WHERE org_id = ${place.orgId} AND action = 'incident.note'`.execute(to.db);
  assert.deepEqual(log[0]?.names, ['Deleted user', 'nils']);
  const { rows: incidents } = await sql<{ names: string[] }>`
    SELECT ARRAY[n.author_name, i.alarm_held_by_name, t.actor_name] AS names
    FROM incidents i JOIN incident_notes n ON n.incident_id = i.id
    JOIN incident_timeline t ON t.incident_id = i.id AND t.kind = 'note'
    WHERE i.org_id = ${place.orgId} ORDER BY i.cause`.execute(to.db);
  // Timelines, notes and holds know those alone who were here at the import.
  const all = (name: string) => [name, name, name];
  assert.deepEqual(
    incidents.map(({ names }) => names),
    [all('nils'), all('noel'), all('Deleted user')],
  );
});

test('a server that runs during an import shows the pages that come in', async () => {
  const place = await from.place();
  const page = await from.alice.ok<StatusPage>('POST', `/organizations/${place.orgId}/status-pages`, {
    name: `Page of ${place.orgId}`,
  });
  await from.alice.ok('PATCH', `/status-pages/${page.id}`, {
    ...{ name: page.name, enabled: true, public_viewable: true, access_mode: 'public' },
  });
  const seen = async (app: TestApp) => (await fetch(`${app.url}/public/status-pages/${page.slug}`)).status;
  assert.deepEqual([await seen(from), await seen(to)], [200, 404]);
  await exportFrom(from, place, 'page');
  await importInto(to, 'page');
  assert.equal(await seen(to), 200);
});

test('the log says that the second organization, which comes in, turns off keeping answers of private targets', async () => {
  await using alone = await startAppOfFile({ clock: from.clock });
  const place = await from.place();
  await exportFrom(from, place, 'second');
  await importInto(alone, 'second');
  const logged = alone.db
    .selectFrom('activity')
    .select(['resource_id', 'after'])
    .where('action', '=', 'region.update');
  assert.deepEqual(await logged.execute(), [
    { resource_id: 'local', after: { keep_private_responses: false } },
  ]);
});

test('neither an imported id nor an address that nobody proved takes the names of others out of the log', async () => {
  const place = await from.place();
  const { email, userId } = await from.person('mallory', { [place.orgId]: 'member' });
  await exportFrom(from, place, 'forged');
  const path = join(dir, `forged-${LINES_FILE}`);
  // The file says that the operator of the other installation is one of its members, under this address.
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(userId, to.alice.userId));
  await importInto(to, 'forged');
  const home = await to.place();
  const invited = 'victim@example.com';
  await to.alice.ok('POST', `/organizations/${home.orgId}/invitations`, { email: invited, role: 'member' });
  for (const account of [
    { email, email_verified: true },
    { email: invited, email_verified: false },
  ]) {
    const person = await to.person('mallory');
    await to.db.updateTable('users').set(account).where('id', '=', person.userId).execute();
    await person.ok('DELETE', '/me', { password: PASSWORD });
  }
  const { rows } = await sql<{ actor: string; email: string }>`
    SELECT actor_name AS actor, after ->> 'email' AS email FROM activity
    WHERE org_id = ${home.orgId} AND resource_kind = 'invitation'`.execute(to.db);
  assert.deepEqual(rows, [{ actor: 'Admin', email: invited }]);
});

test('a failure that is not confirmed yet is shown as such after a move', async () => {
  const place = await from.place();
  const { id } = await makeMonitor(from, place);
  await from.alice.ok('PATCH', `/monitors/${id}`, { policy: { alarm_consecutive: 10 } });
  for (let i = 0; i < 3; i++) {
    from.clock.advance(10_000);
    await from.probe().says(id, 'down');
  }
  await exportFrom(from, place, 'unconfirmed');
  await importInto(to, 'unconfirmed');
  const [before, after] = await Promise.all(
    [from, to].map(({ alice }) => alice.ok<Monitor>('GET', `/monitors/${id}`)),
  );
  assert.deepEqual(before?.confirming, { failures: 3, required: 10 });
  assert.deepEqual(after?.confirming, before?.confirming);
});
