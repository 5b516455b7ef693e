// What each kind of target takes and shows, over HTTP (docs/rules/notifications.md#targets).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { WebhookTarget } from '#src/notifications/contract.ts';
import { secretContext } from '#src/notifications/delivery/send.ts';
import { startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';
import { assertRefused } from '#test/harness/refused.ts';

let app: TestApp;
let hooks: string;
before(async () => {
  app = await startAppOfFile();
  hooks = `/organizations/${app.home.orgId}/webhooks`;
});

const BODY = {
  name: 'Hook',
  kind: 'webhook',
  url: 'https://hooks.example.com/in',
  events: ['opened', 'resolved'],
};
type Created = WebhookTarget & { secret?: string };
const create = (fields: object = {}) => app.alice.ok<Created>('POST', hooks, { ...BODY, ...fields });

const KEY = '0123456789abcdef0123456789abcdef';
const SLACK = { kind: 'slack', url: 'https://hooks.slack.com/services/T0/B0/sEcReTpart' };
const PAGER = { kind: 'pagerduty', url: undefined, credential: KEY };

test('a chat target shows a masked address, no secret and no hint, and the log shows no more', async () => {
  const answer = await app.alice.send<Created>('POST', hooks, { ...BODY, ...SLACK });
  assert.equal(answer.status, 201);
  const { kind, url, region, secret_hint, secret } = answer.body;
  assert.deepEqual(
    [kind, url, region, secret_hint, secret],
    ['slack', 'https://hooks.slack.com/••••part', null, '', undefined],
  );
  await app.alice.ok('PATCH', `${hooks}/${answer.body.id}`, { name: 'Other' });
  await app.alice.ok('DELETE', `${hooks}/${answer.body.id}`);
  const log = await app.db
    .selectFrom('activity')
    .select(['before', 'after'])
    .where('resource_id', '=', answer.body.id)
    .execute();
  assert.equal(log.length, 3);
  assert.ok(!JSON.stringify(log).includes('sEcReTpart'));
  assert.match(JSON.stringify(log), /hooks\.slack\.com\/••••part/);
});

test('a paging target’s address follows from its region, and its key is never returned', async () => {
  const answer = await app.alice.send<Created>('POST', hooks, { ...BODY, ...PAGER });
  assert.equal(answer.status, 201);
  const { secret, ...target } = answer.body;
  assert.equal(secret, undefined);
  assert.deepEqual(
    [target.url, target.region, target.secret_hint],
    ['https://events.pagerduty.com/v2/enqueue', 'global', '••••cdef'],
  );
  const path = `${hooks}/${target.id}`;
  const eu = await app.alice.ok<WebhookTarget>('PATCH', path, { ...target, region: 'eu' });
  assert.deepEqual([eu.url, eu.region], ['https://events.eu.pagerduty.com/v2/enqueue', 'eu']);
  assert.deepEqual(await app.alice.ok('PATCH', path, eu), eu);
  const renewed = await app.alice.ok<WebhookTarget>('PATCH', path, { credential: 'another-key-WXYZ' });
  assert.deepEqual([renewed.secret_hint, renewed.region], ['••••WXYZ', 'eu']);
  assert.deepEqual(await app.alice.ok('PATCH', path, { credential: null, region: null, url: null }), renewed);
  const kept = await app.db
    .selectFrom('webhook_targets')
    .selectAll()
    .where('id', '=', target.id)
    .executeTakeFirstOrThrow();
  assert.equal(app.vault.open(kept.secret_sealed ?? '', secretContext(target.id)), 'another-key-WXYZ');
  const log = await app.db.selectFrom('activity').selectAll().where('resource_id', '=', target.id).execute();
  const everything = JSON.stringify([kept, log, await app.alice.ok('GET', hooks)]);
  for (const key of [KEY, 'another-key']) assert.ok(!everything.includes(key));
});

test('each paging kind and region has its endpoint', async () => {
  const endpoints: string[] = [];
  for (const kind of ['pagerduty', 'opsgenie'])
    for (const region of ['global', 'eu']) endpoints.push((await create({ ...PAGER, kind, region })).url);
  assert.deepEqual(endpoints, [
    'https://events.pagerduty.com/v2/enqueue',
    'https://events.eu.pagerduty.com/v2/enqueue',
    'https://api.opsgenie.com/v2/alerts',
    'https://api.eu.opsgenie.com/v2/alerts',
  ]);
  const same = { ...PAGER, url: endpoints[0] };
  assert.equal((await create(same)).url, endpoints[0]);
});

const REFUSED_BY_KIND: [fields: Record<string, unknown>, error: string, field: string, reason?: string][] = [
  [{ ...SLACK, url: undefined }, 'invalid_target', 'url', 'missing'],
  [{ ...SLACK, url: 'https://example.com/services/T0' }, 'invalid_target', 'url'],
  [{ ...SLACK, credential: KEY }, 'invalid_request', 'credential'],
  [{ ...SLACK, region: 'eu' }, 'invalid_request', 'region'],
  [{ credential: KEY }, 'invalid_request', 'credential'],
  [{ region: 'global' }, 'invalid_request', 'region'],
  [{ kind: 'msteams', url: 'https://acme.webhook.office.com/webhookb2/x' }, 'invalid_target', 'url'],
  [{ kind: 'discord', url: 'https://discord.com/api/webhooks/1/x/slack' }, 'invalid_target', 'url'],
  [{ ...PAGER, credential: undefined }, 'invalid_request', 'credential'],
  [{ ...PAGER, credential: ' ' }, 'invalid_request', 'credential'],
  [{ ...PAGER, credential: 'two words' }, 'invalid_request', 'credential'],
  [{ ...PAGER, credential: 'schlüssel' }, 'invalid_request', 'credential'],
  [{ ...PAGER, credential: 'key\r\nX-Evil: 1' }, 'invalid_request', 'credential'],
  [{ ...PAGER, region: 'mars' }, 'invalid_request', 'region'],
  [{ ...PAGER, url: 'https://evil.example/v2/enqueue' }, 'invalid_request', 'url'],
];
test('each kind accepts its own fields and no others', async () => {
  for (const [fields, error, field, reason] of REFUSED_BY_KIND)
    assertRefused(
      await app.alice.send('POST', hooks, { ...BODY, ...fields }),
      { status: 400, error, field, ...(reason ? { reason } : {}) },
      JSON.stringify(fields),
    );
});

test('an update must fit the kind of the target', async () => {
  const [chat, pager] = [await create(SLACK), await create(PAGER)];
  const cases: [id: string, fields: object, error: string, field: string][] = [
    [chat.id, { url: 'https://example.com/x' }, 'invalid_target', 'url'],
    [chat.id, { credential: KEY }, 'invalid_request', 'credential'],
    [chat.id, { region: 'eu' }, 'invalid_request', 'region'],
    [chat.id, { kind: 'webhook' }, 'invalid_request', 'kind'],
    [pager.id, { url: 'https://evil.example/' }, 'invalid_request', 'url'],
    [pager.id, { region: 'mars' }, 'invalid_request', 'region'],
    [pager.id, { credential: '' }, 'invalid_request', 'credential'],
    [pager.id, { kind: 'opsgenie' }, 'invalid_request', 'kind'],
  ];
  for (const [id, fields, error, field] of cases)
    assertRefused(
      await app.alice.send('PATCH', `${hooks}/${id}`, fields),
      { status: 400, error, field },
      JSON.stringify(fields),
    );
  for (const { id } of [chat, pager])
    assertRefused(await app.alice.send('POST', `${hooks}/${id}/rotate-secret`), {
      status: 400,
      error: 'not_rotatable',
    });
});

test('targets of this installation itself are refused', async () => {
  await using named = await startTestApp({ env: { BASE_URL: 'https://tocsin.example.com' } });
  const url = 'https://tocsin.example.com/hook';
  const answer = await named.alice.send('POST', `/organizations/${named.home.orgId}/webhooks`, {
    ...BODY,
    url,
  });
  assertRefused(answer, { status: 400, error: 'invalid_target', field: 'url' });
});
