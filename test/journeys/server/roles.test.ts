// One installation on three processes with different roles (docs/rules/command-line.md#roles-of-servers).
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import type { ServerRole } from '#src/domain/names.ts';
import { hashToken } from '#src/platform/secrets.ts';
import type { PublicStatusPage } from '#src/status-pages/public/contract.ts';
import { realClock, SECRET_KEY } from '#test/harness/app.ts';
import { type Client, makeClient } from '#test/harness/client.ts';
import { tocsin } from '#test/harness/command.ts';
import { closeAfterTests, type FreshDatabase, freshDatabase } from '#test/harness/database.ts';
import { type Installation, startInstallation } from '#test/harness/installation.ts';
import { makeProbe, type Probe } from '#test/harness/probe.ts';
import { startReceiver } from '#test/harness/receiver.ts';
import { until } from '#test/harness/until.ts';

let database: FreshDatabase;
let work: Installation;
let ingest: Installation;
let pages: Installation;
let alice: Client;
let probe: Probe;
let orgId: string;
let projectId: string;
let page: { id: string; slug: string };

async function startServer(
  roles: readonly ServerRole[],
  env: Record<string, string> = {},
): Promise<Installation> {
  const server = await startInstallation({
    dataDir: await mkdtemp(join(tmpdir(), 'tocsin-roles-')),
    words: ['--roles', roles.join()],
    env: { DATABASE_URL: database.url, SECRET_KEY, RATE_LIMITS: 'off', ...env },
  });
  closeAfterTests(() => server.remove());
  return server;
}

before(async () => {
  database = await freshDatabase();
  closeAfterTests(async () => database[Symbol.asyncDispose]());
  work = await startServer(['api', 'jobs']);
  [ingest, pages] = await Promise.all([
    startServer(['ingest'], { LOCAL_PROBE: 'off' }),
    startServer(['pages']),
  ]);
  alice = await work.admin();
  [{ id: orgId = '' } = {}] = await alice.ok<{ id?: string }[]>('GET', '/me/organizations');
  [{ id: projectId = '' } = {}] = await alice.ok<{ id?: string }[]>(
    'GET',
    `/organizations/${orgId}/projects`,
  );
  const named = { name: 'How we are', slug: 'how-we-are' };
  page = await alice.ok('POST', `/organizations/${orgId}/status-pages`, named);
  const open = { enabled: true, public_viewable: true, password_protected: false, access_mode: 'public' };
  await alice.ok('PATCH', `/status-pages/${page.id}`, { name: named.name, ...open });
  const token = `tcp_${randomBytes(32).toString('base64url')}`;
  const { no } = await database.db
    .insertInto('regions')
    .values({ slug: 'eu', name: 'EU', allow_private_targets: true, created_at: new Date() })
    .returning('no')
    .executeTakeFirstOrThrow();
  await database.db
    .insertInto('probe_tokens')
    .values({ hash: hashToken(token), region_no: no, created_at: new Date() })
    .execute();
  probe = makeProbe(ingest.url, token, realClock);
});

test('a failure at one process is announced by the second, listed by it, and shown by the third', async (t) => {
  const receiver = await startReceiver();
  t.after(() => receiver.stop());
  const hook = { name: 'Hook', kind: 'webhook', url: receiver.url, events: ['opened'] };
  const { secret } = await alice.ok<{ secret: string }>('POST', `/organizations/${orgId}/webhooks`, hook);
  receiver.trust(secret);
  const monitor = await alice.ok<{ id: string }>('POST', `/projects/${projectId}/monitors`, {
    ...{ name: 'Shop', type: 'http', config: { url: 'https://shop.example.com/' }, regions: ['eu'] },
  });
  const path = `/status-pages/${page.id}/monitors`;
  await alice.ok('PUT', path, { monitors: [{ monitor_id: monitor.id }] });
  const shown = () => makeClient(pages.url).ok<PublicStatusPage>('GET', `/public/status-pages/${page.slug}`);
  assert.deepEqual((await shown()).incidents, []);

  const incidents = () => alice.ok<{ id: string }[]>('GET', `/monitors/${monitor.id}/incidents`);
  await until(async () => {
    await probe.says(monitor.id, 'down');
    return (await incidents()).length > 0;
  }, 'an incident opens');
  const [open] = await incidents();
  const delivered = await receiver.next(({ event }) => event === 'opened', 60_000);
  assert.ok(delivered.genuine);
  assert.equal(delivered.body.incident?.id, open?.id);
  await until(async () => (await shown()).incidents.length > 0, 'the page shows the incident');
  assert.equal((await shown()).state, 'major_outage');
});

test('a server refuses requests outside its roles, and names the role', async () => {
  const cases: [Installation, string, string, ServerRole][] = [
    [work, 'POST', '/probe/results', 'ingest'],
    [work, 'GET', '/heartbeat/anything', 'ingest'],
    [work, 'POST', '/agent/heartbeat', 'ingest'],
    [pages, 'POST', '/agent/enroll', 'ingest'],
    [work, 'GET', '/status/how-we-are', 'pages'],
    [work, 'GET', '/public/status-pages/how-we-are/badge.svg', 'pages'],
    [work, 'GET', '/subscriptions/anything', 'pages'],
    [ingest, 'GET', '/me', 'api'],
    [ingest, 'GET', '/app', 'api'],
    [ingest, 'POST', '/auth/sign-in/email', 'api'],
    [ingest, 'GET', '/ack/anything', 'api'],
    [ingest, 'GET', '/status/how-we-are', 'pages'],
    [pages, 'GET', '/openapi.json', 'api'],
    [pages, 'GET', '/docs', 'api'],
    [pages, 'GET', '/', 'api'],
    [pages, 'GET', '/probe/assignments', 'ingest'],
  ];
  for (const [server, method, path, role] of cases) {
    const { status, body } = await makeClient(server.url).send<{ error: string; message: string }>(
      method,
      path,
    );
    assert.deepEqual([status, body.error], [404, 'not_found'], path);
    assert.match(
      body.message,
      new RegExp(
        `^There is nothing at ${method} ${path}\\. This server was started with --roles [a-z,]+; ask one that has the role ${role}\\.$`,
      ),
    );
  }
});

test('every server says whether it is ready for its roles, and has its metrics', async () => {
  const cases: [Installation, ServerRole[], boolean | null][] = [
    [work, ['api', 'jobs'], true],
    [ingest, ['ingest'], null],
    [pages, ['pages'], null],
  ];
  for (const [server, roles, jobs] of cases) {
    const { ok, ...ready } = await makeClient(server.url).ok<{
      ok: boolean;
      roles: string[];
      jobs: boolean | null;
    }>('GET', '/readyz');
    assert.deepEqual([ok, ready.roles, ready.jobs], [true, roles, jobs]);
    assert.match(await makeClient(server.url).ok<string>('GET', '/metrics'), /^tocsin_open_incidents \d+$/m);
  }
});

test('the doctor names a role that no server has any more', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tocsin-roles-'));
  const doctor = async () => {
    const env = { DATABASE_URL: database.url, SECRET_KEY };
    return (await tocsin(dataDir, ['doctor'], undefined, env)).out;
  };
  assert.match(await doctor(), /^OK +servers +Servers on this database: 3; every role has one\.$/m);
  await pages.interrupt();
  await ingest.interrupt();
  const said = await doctor();
  assert.match(
    said,
    /^FAIL +servers +No server has the role ingest: .+\n +Start one: tocsin serve --roles ingest/m,
  );
  assert.match(said, /^FAIL +servers +No server has the role pages/m);
  assert.doesNotMatch(said, /role (?:api|jobs)/);
});
