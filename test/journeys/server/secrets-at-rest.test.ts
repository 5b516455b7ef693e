// Addresses that are secrets themselves: those of heartbeats and of chats. In no table in clear, and shown to nobody who may
// not change them.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { Monitor } from '#src/monitors/contract.ts';
import type { WebhookTarget } from '#src/notifications/contract.ts';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import { sealWhatIsClear } from '#src/secret-key/seal-at-start.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import type { Client } from '#test/harness/client.ts';
import { closeAfterTests } from '#test/harness/database.ts';
import { makeKeyHolder } from '#test/harness/keys.ts';
import { mattermostRules } from '#test/harness/providers/mattermost.ts';
import { type Provider, startProvider } from '#test/harness/providers/provider.ts';
import { assertRefused } from '#test/harness/refused.ts';

const MASK = '••••';
const SLACK = 'https://hooks.slack.com/services/T0AB/B0CD/sEcReTpArT9xyz';

let app: TestApp;
let monitors: string;
let webhooks: string;
let chat: Provider;
before(async () => {
  chat = await startProvider({ after: closeAfterTests }, mattermostRules);
  app = await startAppOfFile({ env: { CHAT_WEBHOOK_HOSTS: chat.host } });
  monitors = `/projects/${app.home.projectId}/monitors`;
  webhooks = `/organizations/${app.home.orgId}/webhooks`;
});

let made = 0;
const heartbeat = () => {
  made += 1;
  const config = { schedule: { kind: 'period', period_seconds: 60 } };
  return app.alice.ok<Monitor>('POST', monitors, { name: `Beat ${made}`, type: 'heartbeat', config });
};
const addressOf = (monitor: Monitor) => (monitor.config as { ping_url: string }).ping_url;
const tokenOf = (monitor: Monitor) => addressOf(monitor).split('/').at(-1) ?? '';
const target = (kind: string, url: string) =>
  app.alice.ok<WebhookTarget>('POST', webhooks, { name: `To ${kind}`, kind, url, events: ['opened'] });

/** The tables that hold a text anywhere. */
async function holding(text: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')`.execute(
    app.db,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const { rows: hits } = await sql`
      SELECT 1 FROM ${sql.raw(name)} t WHERE strpos(t::text, ${text}) > 0 LIMIT 1`.execute(app.db);
    if (hits.length > 0) found.push(name);
  }
  return found;
}

test('the search finds a stored secret', async () => {
  await app.alice.ok('POST', monitors, {
    name: 'Needle-4711',
    type: 'tcp',
    config: { host: 'a.example.com', port: 1 },
  });
  assert.ok((await holding('Needle-4711')).includes('monitors'));
});

test('no table contains the token of a heartbeat or the address of a chat, and both work', async () => {
  const monitor = await heartbeat();
  await app.alice.ok('PATCH', `/monitors/${monitor.id}`, { config: { grace_seconds: 7 } });
  assert.equal((await fetch(new URL(new URL(addressOf(monitor)).pathname, app.url))).status, 200);
  const slack = await target('slack', SLACK);
  await app.alice.ok('PATCH', `${webhooks}/${slack.id}`, { name: 'Renamed' });
  assert.deepEqual(await holding(tokenOf(monitor)), []);
  assert.deepEqual(await holding('sEcReTpArT'), []);
});

test('plain values from an earlier version are encrypted at the start, and keep working', async () => {
  const monitor = await heartbeat();
  const { id } = await target('slack', SLACK);
  const token = tokenOf(monitor);
  await sql`UPDATE heartbeats SET token_clear = ${token}, token_sealed = NULL
    FROM monitors m WHERE m.no = monitor_no AND m.id = ${monitor.id}`.execute(app.db);
  await sql`UPDATE webhook_targets SET url = ${SLACK}, secret_sealed = NULL WHERE id = ${id}`.execute(app.db);
  assert.deepEqual(await holding(token), ['heartbeats']);
  await runWork(app.db, app.clock.now(), SYSTEM, (work) => sealWhatIsClear(work, app.vault));
  assert.deepEqual([...(await holding(token)), ...(await holding('sEcReTpArT'))], []);
  assert.equal(addressOf(await app.alice.ok<Monitor>('GET', `/monitors/${monitor.id}`)), addressOf(monitor));
  assert.equal((await fetch(new URL(new URL(addressOf(monitor)).pathname, app.url))).status, 200);
});

test('the address of a heartbeat is shown to people who may change the monitor, and to nobody else', async () => {
  const monitor = await heartbeat();
  const member = await app.person('reader');
  await app.db
    .insertInto('members')
    .values({ org_id: app.home.orgId, user_id: member.userId, role: 'member', joined_at: app.clock.now() })
    .execute();
  const key = (scope: string) => makeKeyHolder(app, app.alice, app.home.orgId, { scopes: [scope] as never });
  const seen = async (client: Client) => {
    const one = await client.ok<Monitor>('GET', `/monitors/${monitor.id}`);
    const all = await client.ok<Monitor[]>('GET', monitors);
    const listed = all.find(({ id }) => id === monitor.id);
    assert.equal(addressOf(one), listed && addressOf(listed));
    return addressOf(one);
  };
  assert.equal(await seen(member), MASK);
  assert.equal(await seen(await key('monitors:read')), MASK);
  const writer = await key('monitors:write');
  assert.equal(await seen(writer), addressOf(monitor));
  assert.equal(await seen(app.alice), addressOf(monitor));
  const masked = { config: { ...(monitor.config as object), ping_url: MASK } };
  const after = await writer.ok<Monitor>('PATCH', `/monitors/${monitor.id}`, masked);
  assert.equal(addressOf(after), addressOf(monitor));
});

test('the address of a chat is shown masked, kept when it is sent back, and used in full', async () => {
  const whole = `${chat.url}/hooks/secretpart1234`;
  const mattermost = await target('mattermost', whole);
  const { origin } = new URL(whole);
  assert.equal(mattermost.url, `${origin}/${MASK}1234`);
  const path = `${webhooks}/${mattermost.id}`;
  const { url } = await app.alice.ok<WebhookTarget>('PATCH', path, mattermost);
  assert.equal(url, mattermost.url);
  const refused = { status: 400, error: 'invalid_request', field: 'url' };
  assertRefused(await app.alice.send('PATCH', path, { url: `${origin}/${MASK}9999` }), refused);
  const other = `${origin.replace('127.0.0.1', 'localhost')}/${MASK}1234`;
  assertRefused(await app.alice.send('PATCH', path, { url: other }), refused);
  await app.alice.send('POST', `${path}/test`);
  assert.deepEqual(
    chat.received.map(({ path: at }) => at),
    ['/hooks/secretpart1234'],
  );
  const log = await app.alice.ok(
    'GET',
    `/organizations/${app.home.orgId}/activity?resource_id=${mattermost.id}`,
  );
  assert.doesNotMatch(JSON.stringify(log), /secretpart/);
});
