// Machines become agents (docs/rules/agents.md#enrolment, docs/rules/agents.md#credential).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Agent, EnrollmentToken } from '#src/agents/contract.ts';
import { MAX_AGENTS } from '#src/agents/enroll.ts';
import { MAX_TOKENS } from '#src/agents/enrollment-tokens.ts';
import type { Enrolled } from '#src/agents/protocol-contract.ts';
import { REQUESTS_PER_ADDRESS } from '#src/platform/http/rate-limits.ts';
import { newId } from '#src/platform/ids.ts';
import { hashToken } from '#src/platform/secrets.ts';
import { startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';
import { assertRefused } from '#test/harness/refused.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile({ env: { BASE_URL: 'https://watch.example.com:8443' } });
});

type Made = EnrollmentToken & { token: string; command: string; checked_command: string };
const tokensPath = (orgId = app.home.orgId) => `/organizations/${orgId}/agents/enrollment-tokens`;
const newToken = (body: object = {}, orgId?: string) => app.alice.ok<Made>('POST', tokensPath(orgId), body);
const MACHINE = {
  ...{ hostname: 'web-1.example.com', platform: 'linux', os: 'Debian GNU/Linux 13 (trixie)' },
  ...{ arch: 'x64', agent_version: '0.0.0' },
};
const enroll = (token: string, fields: object = {}) =>
  app.visitor().send('POST', '/agent/enroll', { token, ...MACHINE, ...fields });
const enrolled = async (token: string, fields: object = {}) => {
  const answer = await enroll(token, fields);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body as Enrolled;
};
const agentOf = (agentId: string) =>
  app.alice.ok<Agent>('GET', `/organizations/${app.home.orgId}/agents/${agentId}`);

test('a token enrols a machine, which is then listed with everything it reported', async () => {
  const { token } = await newToken({ labels: ' env=prod , web' });
  const { agent_id, credential, interval_seconds } = await enrolled(token, { labels: 'env=test,rack=7' });
  assert.match(agent_id, /^agt_/);
  assert.match(credential, /^tca_[A-Za-z0-9_-]{43}$/);
  assert.equal(interval_seconds, 60);
  const now = Math.floor(app.clock.ms() / 1000);
  assert.deepEqual(await agentOf(agent_id), {
    ...MACHINE,
    ...{ id: agent_id, latest_version: '0.0.0', outdated: false, labels: 'env=test,web,rack=7', modules: [] },
    ...{ enrolled_at_unix: now, last_heartbeat_at_unix: null, online: false, monitor_count: 0 },
    ...{ last_cpu_pct: null, last_mem_pct: null, last_disk_pct: null, readings: {}, services: [] },
    ...{ inventory_enabled: false, process_inventory: [], process_inventory_at_unix: null },
    ...{ service_inventory: [], expected_offline: false, booted_at_unix: null, silent_since_unix: null },
    upgrade_asked: false,
  });
  const [row] = await app.db.selectFrom('agents').selectAll().where('id', '=', agent_id).execute();
  assert.deepEqual(row?.credential_hash, hashToken(credential));
  const [entry] = await app.alice.ok<{ action: string; actor: object }[]>(
    'GET',
    `/organizations/${app.home.orgId}/activity?limit=1`,
  );
  assert.equal(entry?.action, 'agent.enroll');
  assert.deepEqual(entry.actor, { kind: 'agent', id: agent_id, name: 'agent web-1.example.com' });
  const events = await app.db
    .selectFrom('agent_events')
    .select('kind')
    .where('agent_no', '=', row.no)
    .execute();
  assert.deepEqual(events, [{ kind: 'enrolled' }]);
});

test('the commands contain the installation’s address with its port and path', async () => {
  const { token, command, checked_command } = await newToken();
  const base = 'https://watch.example.com:8443';
  assert.equal(
    command,
    `curl -fsSL ${base}/download/install-agent.sh | sudo sh -s -- --url ${base} --token ${token}`,
  );
  assert.deepEqual(checked_command.split('\n'), [
    `curl -fsSLO ${base}/download/tocsin-agent.mjs &&`,
    `curl -fsSL ${base}/download/tocsin-agent.mjs.sha256 | sha256sum -c &&`,
    `sudo node tocsin-agent.mjs install --url ${base} --token ${token}`,
  ]);
});

test('a token is shown once, stored as a hash, and listed while it is valid', async () => {
  const { orgId } = await app.place();
  const made = await newToken({ uses: 2, expires_in_seconds: 120, labels: 'a' }, orgId);
  const { token, command, checked_command, ...shown } = made;
  assert.deepEqual(await app.alice.ok('GET', tokensPath(orgId)), [shown]);
  assert.equal(shown.expires_at_unix - shown.created_at_unix, 120);
  const rows = await app.db
    .selectFrom('agent_enrollment_tokens')
    .selectAll()
    .where('id', '=', made.id)
    .execute();
  assert.deepEqual(rows[0]?.hash, hashToken(token));
  await enrolled(token);
  const listed = () => app.alice.ok<EnrollmentToken[]>('GET', tokensPath(orgId));
  assert.equal((await listed())[0]?.used, 1);
  await enrolled(token);
  assert.deepEqual(await listed(), []);
});

test('without a body a token is valid for an hour and enrols one host', async () => {
  const made = await app.alice.ok<Made>('POST', tokensPath());
  assert.equal(made.uses, 1);
  assert.equal(made.expires_at_unix - made.created_at_unix, 3600);
});

test('a token used once too often enrols nobody, and the error says what to do', async () => {
  const { token } = await newToken();
  await enrolled(token);
  const refused = await enroll(token);
  assertRefused(refused, { status: 401, error: 'unauthenticated' });
  assert.match((refused.body as { message: string }).message, /used up.*Create another one/);
});

test('two machines that race for the last use of a token: one gets it', async () => {
  const { token, id } = await newToken({ uses: 3 });
  const answers = await Promise.all(Array.from({ length: 8 }, () => enroll(token)));
  const statuses = answers.map(({ status }) => status).toSorted();
  assert.deepEqual(statuses, [200, 200, 200, 401, 401, 401, 401, 401]);
  const agents = await app.db.selectFrom('agents').select('id').where('enrolled_with', '=', id).execute();
  assert.equal(agents.length, 3);
});

test('an expired, a revoked and an unknown token are 401', async () => {
  const short = await newToken({ expires_in_seconds: 60 });
  app.clock.advance(60_000);
  const revoked = await newToken();
  await app.alice.ok('DELETE', `${tokensPath()}/${revoked.id}`);
  for (const [token, says] of [
    [short.token, /expired at/],
    [revoked.token, /not known/],
    [`tce_${'x'.repeat(43)}`, /not known/],
    ['', /not known/],
  ] as const) {
    const refused = await enroll(token);
    assertRefused(refused, { status: 401, error: 'unauthenticated' });
    assert.match((refused.body as { message: string }).message, says);
  }
  assertRefused(await app.alice.send('DELETE', `${tokensPath()}/${revoked.id}`), {
    status: 404,
    error: 'not_found',
  });
});

test('an agent that was enrolled with a token stays when the token is revoked', async () => {
  const { token, id } = await newToken();
  const { agent_id } = await enrolled(token);
  await app.alice.ok('DELETE', `${tokensPath()}/${id}`);
  assert.equal((await agentOf(agent_id)).id, agent_id);
});

test('a machine whose answer was lost enrols again as the same agent, with a fresh credential and no further use', async () => {
  const { token, id } = await newToken();
  const enrollment_id = 'f3b1c2d4e5f60718293a4b5c6d7e8f90';
  const lost = await enrolled(token, { enrollment_id });
  const again = await enrolled(token, { enrollment_id, hostname: 'renamed' });
  assert.equal(again.agent_id, lost.agent_id);
  assert.notEqual(again.credential, lost.credential);
  assert.equal((await agentOf(lost.agent_id)).hostname, 'renamed');
  const row = await app.db
    .selectFrom('agents')
    .select('credential_hash')
    .where('id', '=', lost.agent_id)
    .executeTakeFirst();
  assert.deepEqual(row?.credential_hash, hashToken(again.credential));
  const tokens = await app.db
    .selectFrom('agent_enrollment_tokens')
    .select('used')
    .where('id', '=', id)
    .execute();
  assert.deepEqual(tokens, [{ used: 1 }]);
  // Said with another token it is another machine.
  const other = await newToken();
  assert.notEqual((await enrolled(other.token, { enrollment_id })).agent_id, lost.agent_id);
  assertRefused(await enroll(token, { enrollment_id: `${enrollment_id}0` }), {
    status: 401,
    error: 'unauthenticated',
  });
});

test('invalid fields of an enrolling machine are refused by name', async () => {
  const { token } = await newToken({ uses: 10_000, labels: `long=${'x'.repeat(200)},a=${'x'.repeat(200)}` });
  const long = ['b', 'c', 'd'].map((key) => `${key}=${'x'.repeat(200)}`).join();
  for (const [field, value] of [
    ['hostname', ''],
    ['hostname', '   '],
    ['hostname', 'web\u0000one'],
    ['hostname', 'web\u001b[31m'],
    ['hostname', 'web\u202eone'],
    ['hostname', 'x'.repeat(254)],
    ['hostname', 5],
    ['platform', ''],
    ['os', 'Debian\n13'],
    ['arch', '\u0007'],
    ['agent_version', ''],
    ['labels', 'a=b\u0000'],
    ['labels', 'web,web'],
    ['labels', long],
    ['enrollment_id', 'short'],
    ['enrollment_id', ''],
    ['nonsense', 1],
  ] as const)
    assertRefused(
      await enroll(token, { [field]: value }),
      { status: 400, error: 'invalid_request', field },
      String(value),
    );
  assert.equal(
    (await agentOf((await enrolled(token, { os: '', hostname: ' ok ' })).agent_id)).hostname,
    'ok',
  );
});

test('the fields of a new token are validated', async () => {
  for (const [field, value] of [
    ['labels', 'a b'],
    ['expires_in_seconds', 59],
    ['expires_in_seconds', 604_801],
    ['uses', 0],
    ['uses', 10_001],
    ['nonsense', 1],
  ] as const)
    assertRefused(
      await app.alice.send('POST', tokensPath(), { [field]: value }),
      { status: 400, error: 'invalid_request', field },
      String(value),
    );
});

test('an organization has a limited number of valid tokens', async () => {
  const { orgId } = await app.place();
  const now = app.clock.now();
  const rows = Array.from({ length: MAX_TOKENS }, (_, i) => ({
    ...{ id: newId('aet'), org_id: orgId, hash: hashToken(`${orgId} ${i}`), labels: '', uses: 1 },
    ...{ created_at: now, expires_at: new Date(now.getTime() + 60_000) },
  }));
  await app.db.insertInto('agent_enrollment_tokens').values(rows).execute();
  const refused = await app.alice.send('POST', tokensPath(orgId), {});
  assertRefused(refused, { status: 409, error: 'limit_reached', limit: MAX_TOKENS });
  app.clock.advance(60_000);
  await newToken({}, orgId);
});

test('an organization has a limited number of agents; a refused enrolment does not use the token', async () => {
  const { orgId } = await app.place();
  const { token, id } = await newToken({}, orgId);
  const now = app.clock.now();
  for (let i = 0; i < MAX_AGENTS; i += 1000)
    await app.db
      .insertInto('agents')
      .values(
        Array.from({ length: 1000 }, (_, j) => ({
          ...{
            id: newId('agt'),
            org_id: orgId,
            hostname: `h${i + j}`,
            platform: 'linux',
            os: '',
            arch: 'x64',
          },
          ...{ enrolled_at: now, credential_hash: hashToken(`${orgId} ${i + j}`) },
        })),
      )
      .execute();
  const refused = await enroll(token);
  assertRefused(refused, { status: 409, error: 'limit_reached', limit: MAX_AGENTS });
  const row = await app.db
    .selectFrom('agent_enrollment_tokens')
    .select('used')
    .where('id', '=', id)
    .executeTakeFirst();
  assert.equal(row?.used, 0);
});

test('expired tokens are deleted at night', async () => {
  const { id } = await newToken({ expires_in_seconds: 60 });
  const kept = await newToken({ expires_in_seconds: 604_800 });
  app.clock.advance(61_000);
  await app.runTask('sweep');
  const rows = await app.db
    .selectFrom('agent_enrollment_tokens')
    .select('id')
    .where('id', 'in', [id, kept.id])
    .execute();
  assert.deepEqual(rows, [{ id: kept.id }]);
});

test('a token of another organization is not found', async () => {
  const stranger = await app.person('stranger');
  const { orgId } = await app.place(stranger);
  const foreign = await stranger.ok<Made>('POST', tokensPath(orgId), {});
  assertRefused(await app.alice.send('DELETE', `${tokensPath()}/${foreign.id}`), {
    status: 404,
    error: 'not_found',
  });
  assertRefused(await app.alice.send('GET', `${tokensPath()}?before=${foreign.id}`), {
    status: 404,
    error: 'not_found',
  });
});

test('tokens cannot be guessed: an address gets 60 enrolment attempts a minute', async () => {
  await using limited = await startTestApp({ env: { RATE_LIMITS: 'on' } });
  const body = { token: 'guessed', ...MACHINE };
  const statuses: number[] = [];
  for (let i = 0; i <= REQUESTS_PER_ADDRESS; i++)
    statuses.push((await limited.visitor().send('POST', '/agent/enroll', body)).status);
  assert.deepEqual(new Set(statuses.slice(0, -1)), new Set([401]));
  assert.equal(statuses.at(-1), 429);
});
