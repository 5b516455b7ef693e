// An incident's life as each provider gets it: real receivers that judge every document with code of their own
// (docs/rules/notifications.md).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { WebhookTarget } from '#src/notifications/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { closeAfterTests } from '#test/harness/database.ts';
import { resultOf } from '#test/harness/probe.ts';
import { discordRules } from '#test/harness/providers/discord.ts';
import { mattermostRules } from '#test/harness/providers/mattermost.ts';
import { msteamsRules } from '#test/harness/providers/msteams.ts';
import { opsgenieRules } from '#test/harness/providers/opsgenie.ts';
import { pagerdutyRules } from '#test/harness/providers/pagerduty.ts';
import {
  type Provider,
  type ProviderRules,
  type Received,
  startProvider,
} from '#test/harness/providers/provider.ts';
import { slackRules } from '#test/harness/providers/slack.ts';

const KEY = '0123456789abcdef0123456789abcdef';
const EVENTS = ['opened', 'acknowledged', 'updated', 'resolved', 'discarded', 'restored'];
const CHATS = ['slack', 'msteams', 'discord', 'mattermost'] as const;
const PAGERS = ['pagerduty', 'opsgenie'] as const;
type Kind = (typeof CHATS)[number] | (typeof PAGERS)[number];
const RULES: Record<Kind, ProviderRules> = {
  slack: slackRules,
  msteams: msteamsRules,
  discord: discordRules,
  mattermost: mattermostRules,
  pagerduty: pagerdutyRules,
  opsgenie: opsgenieRules,
};

let app: TestApp;
const providers = {} as Record<Kind, Provider>;
before(async () => {
  for (const kind of [...CHATS, ...PAGERS])
    providers[kind] = await startProvider({ after: closeAfterTests }, RULES[kind]);
  app = await startAppOfFile({
    env: {
      // What the operator configures is reached although nothing private is for organizations.
      ALLOW_PRIVATE_WEBHOOKS: 'off',
      CHAT_WEBHOOK_HOSTS: CHATS.map((kind) => providers[kind].host).join(','),
      PAGERDUTY_URL: providers.pagerduty.url,
      PAGERDUTY_EU_URL: `${providers.pagerduty.url}/`,
      OPSGENIE_URL: providers.opsgenie.url,
      OPSGENIE_EU_URL: providers.opsgenie.url,
    },
  });
});

const isChat = (kind: Kind) => (CHATS as readonly string[]).includes(kind);

const target = (place: Place, kind: Kind) =>
  app.alice.ok<WebhookTarget>('POST', `/organizations/${place.orgId}/webhooks`, {
    name: kind,
    kind,
    events: EVENTS,
    ...(isChat(kind) ? { url: `${providers[kind].url}/hooks/secret` } : { credential: KEY }),
  });

async function monitorOf(place: Place, name: string): Promise<Monitor> {
  return app.alice.ok<Monitor>('POST', `/projects/${place.projectId}/monitors`, {
    name,
    type: 'http',
    config: { url: 'https://shop.example.com/' },
    interval_seconds: 10,
  });
}

async function say(monitor: Monitor, ...statuses: ('up' | 'down')[]): Promise<void> {
  for (const status of statuses) {
    app.clock.advance(1000);
    await app.probe().says(monitor.id, status);
  }
}

/** What a chat message says first. */
function headline({ body }: Received): string {
  const said: string =
    body.attachments?.[0]?.title ??
    body.attachments?.[0]?.content?.body[0].items[0].inlines[0].text ??
    body.content ??
    body.text;
  return said.replaceAll('\\', '').replace(/^\S+ /, '');
}

test('throughout an incident every provider gets its own messages, in order, and nothing it would refuse', async () => {
  const place = await app.place();
  for (const kind of [...CHATS, ...PAGERS]) await target(place, kind);
  const name = 'Shop <!channel> @all *x*';
  const monitor = await monitorOf(place, name);
  await say(monitor, 'down', 'down');
  const [incident] = await app.alice.ok<IncidentSummary[]>('GET', `/monitors/${monitor.id}/incidents`);
  assert.ok(incident);
  const path = `/organizations/${place.orgId}/incidents/${incident.id}`;
  await app.alice.ok('POST', `${path}/ack`);
  await app.alice.ok('POST', `${path}/notes`, {
    body: 'On @channel it',
    kind: 'note',
    visibility: 'internal',
  });
  await say(monitor, 'up', 'up');
  await app.alice.ok('POST', `${path}/discard`, { reason: 'deployment' });
  await app.alice.ok('POST', `${path}/restore`, {});

  const last = await Promise.all(
    CHATS.map((kind) => providers[kind].next((message) => /Restored/.test(headline(message)))),
  );
  assert.equal(last.length, CHATS.length);
  for (const kind of CHATS) {
    const { received } = providers[kind];
    const words = received.map((message) => headline(message).replace(/:.*$/s, ''));
    assert.deepEqual(
      words,
      ['Down', 'Acknowledged', 'Note', 'Resolved', 'False alarm', 'Restored, it counts again'],
      kind,
    );
  }

  await providers.pagerduty.next(({ body }) => body.event_action === 'resolve');
  await providers.opsgenie.next(({ path: at }) => at.includes('/close'));
  const asked = providers.opsgenie.received.map(({ path: at }) => at.replace('/v2/alerts', ''));
  assert.deepEqual(asked.slice(0, 4), [
    '',
    `/${incident.id}/acknowledge?identifierType=alias`,
    `/${incident.id}/notes?identifierType=alias`,
    `/${incident.id}/close?identifierType=alias`,
  ]);
  const events = providers.pagerduty.received.map(({ body }) => [body.event_action, body.dedup_key]);
  assert.deepEqual(events.slice(0, 3), [
    ['trigger', incident.id],
    ['acknowledge', incident.id],
    ['resolve', incident.id],
  ]);
  for (const kind of [...CHATS, ...PAGERS])
    for (const { problems, body } of providers[kind].received)
      assert.deepEqual(problems, [], `${kind}: ${JSON.stringify(body)}`);
  // Whoever took it is named; no address of anybody is.
  for (const kind of CHATS) assert.doesNotMatch(JSON.stringify(providers[kind].received), /example\.com"/);
});

test('chats use their organization’s language; paging providers always get English', async () => {
  const place = await app.place();
  await app.alice.ok('PATCH', `/organizations/${place.orgId}`, { language: 'de' });
  for (const kind of [...CHATS, ...PAGERS]) await target(place, kind);
  const monitor = await monitorOf(place, 'Laden');
  await say(monitor, 'down', 'down');
  const about = ({ body }: Received) => JSON.stringify(body).includes('Laden');
  for (const kind of CHATS)
    assert.match(headline(await providers[kind].next(about)), /^Ausgefallen: Laden/, kind);
  const paged = await providers.pagerduty.next(about);
  assert.match(paged.body.payload.summary, /^Down: Laden/);
});

test('a test message says at each provider that nothing is wrong', async () => {
  const place = await app.place();
  for (const kind of [...CHATS, ...PAGERS]) {
    const { id } = await target(place, kind);
    const from = providers[kind].received.length;
    const answer = await app.alice.ok<{ ok: boolean }>(
      'POST',
      `/organizations/${place.orgId}/webhooks/${id}/test`,
    );
    assert.equal(answer.ok, true, kind);
    const got = providers[kind].received.slice(from);
    assert.equal(got.length, isChat(kind) ? 1 : 2, kind);
    for (const { problems } of got) assert.deepEqual(problems, [], kind);
  }
});

const CONTRADICTIONS: [kind: Kind, status: number, body: string, error: string][] = [
  ['slack', 200, 'invalid_token', 'not_accepted 200'],
  ['msteams', 202, '{"error":{"code":"x"}}', 'not_accepted 202'],
  ['discord', 200, '<html>', 'not_accepted 200'],
  ['mattermost', 200, '<html>', 'not_accepted 200'],
  ['pagerduty', 202, '{"status":"invalid event"}', 'not_accepted 202'],
  ['opsgenie', 202, '{}', 'not_accepted 202'],
  ['slack', 404, 'channel_not_found secret', 'http_status 404'],
];
test('a provider that answers 200 without accepting the message has failed, and its words are not repeated', async () => {
  const place = await app.place();
  for (const [kind, status, body, error] of CONTRADICTIONS) {
    const { id } = await target(place, kind);
    providers[kind].once({ status, body });
    const path = `/organizations/${place.orgId}/webhooks`;
    const answer = await app.alice.ok<Record<string, unknown>>('POST', `${path}/${id}/test`);
    assert.deepEqual([answer.ok, answer.status_code, answer.error], [false, status, error], kind);
    const list = await app.alice.ok<WebhookTarget[]>('GET', path);
    const read = list.find((one) => one.id === id);
    assert.deepEqual([read?.last_delivery_ok, read?.last_error], [false, error], kind);
  }
});

test('Discord gets nothing for as long as its 429 says', async () => {
  const place = await app.place();
  await target(place, 'discord');
  const monitor = await monitorOf(place, 'Slow down');
  const limited = '{"message":"You are being rate limited.","retry_after":64.57,"global":false}';
  providers.discord.once({ status: 429, body: limited });
  await say(monitor, 'down', 'down');
  await providers.discord.next((message) => /Slow down/.test(headline(message)));
  const waits = async () => {
    const row = await app.db
      .selectFrom('deliveries')
      .select(['next_attempt_at', 'status_code'])
      .where('org_id', '=', place.orgId)
      .executeTakeFirstOrThrow();
    return row.status_code === 429 ? (row.next_attempt_at?.getTime() ?? 0) - app.clock.ms() : null;
  };
  let waited: number | null = null;
  while (waited === null) waited = await waits();
  assert.ok(waited >= 64_570, `${waited} ms`);
});

test('an organization cannot use the operator’s configuration for another purpose', async () => {
  const place = await app.place();
  const path = `/organizations/${place.orgId}/webhooks`;
  const hook = { name: 'x', kind: 'webhook', events: ['opened'] };
  for (const kind of ['slack', 'pagerduty'] as const) {
    const { status } = await app.alice.send('POST', path, { ...hook, url: `${providers[kind].url}/x` });
    assert.equal(status, 400);
  }
});

test('at the start paging targets follow the configured base addresses', async () => {
  const place = await app.place();
  const { id, url } = await target(place, 'opsgenie');
  await app.db
    .updateTable('webhook_targets')
    .set({ url: 'https://old.example.com/v2/alerts' })
    .where('id', '=', id)
    .execute();
  await using _node = await app.another();
  const list = await app.alice.ok<WebhookTarget[]>('GET', `/organizations/${place.orgId}/webhooks`);
  assert.equal(list[0]?.url, url);
});

test('a storm is one message per chat and one page, which follows people’s actions', async () => {
  const place = await app.place();
  for (const kind of [...CHATS, ...PAGERS]) await target(place, kind);
  const from = Object.fromEntries(
    [...CHATS, ...PAGERS].map((kind) => [kind, providers[kind].received.length]),
  ) as Record<Kind, number>;
  const since = (kind: Kind) => providers[kind].received.slice(from[kind]);
  const monitors: Monitor[] = [];
  for (let i = 0; i < 25; i++) monitors.push(await monitorOf(place, `Monitor ${i}`));
  const all = async (status: 'up' | 'down') => {
    for (let i = 0; i < 2; i++) {
      app.clock.advance(1000);
      const results = monitors.map(({ id }) => resultOf(id, app.clock.ms(), status));
      assert.equal((await app.probe().post(results)).status, 200);
    }
  };
  const gathered = async (ms: number) => {
    // What is under way keeps its lease: the clock must not run away from it.
    await app.runTask('deliver');
    app.clock.advance(ms);
    await app.runTask('deliver');
  };
  await all('down');
  await gathered(0);
  for (const kind of CHATS) {
    const got = since(kind);
    assert.equal(got.length, 1, kind);
    assert.deepEqual(got[0]?.problems, []);
    assert.match(
      headline(got[0]!),
      /^Alarm storm: shop.example.com, unexpected status: 25 incidents, 25 open, 25 not acknowledged/,
    );
    assert.match(got[0]!.raw, /Monitor 19.*and 5 more/s);
  }
  const incidents = await app.alice.ok<IncidentSummary[]>('GET', `/organizations/${place.orgId}/incidents`);
  const path = `/organizations/${place.orgId}/incidents/${incidents[0]?.id}`;
  await app.alice.ok('POST', `${path}/ack?group=true`);
  await gathered(0);
  await all('up');
  await gathered(0);

  const pages = since('pagerduty').map(({ body }) => [body.event_action, body.dedup_key]);
  const [[, key] = []] = pages;
  assert.match(key, new RegExp(`^group:${place.orgId}:[0-9]+$`));
  assert.deepEqual(pages, [
    ['trigger', key],
    ['acknowledge', key],
    ['resolve', key],
  ]);
  const alias = `/v2/alerts/${encodeURIComponent(key)}`;
  assert.deepEqual(
    since('opsgenie').map((message) => message.path),
    ['/v2/alerts', `${alias}/acknowledge?identifierType=alias`, `${alias}/close?identifierType=alias`],
  );
  assert.match(
    headline(since('slack').at(-1)!),
    /^Alarm storm over: shop.example.com, unexpected status: 25 incidents, all resolved/,
  );
  for (const kind of [...CHATS, ...PAGERS])
    for (const { problems } of since(kind)) assert.deepEqual(problems, [], kind);
});
