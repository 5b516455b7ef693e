// 25 monitors of one host fail one after the other, somebody takes all of it, and they recover: what each kind of target
// gets of that, from start to end, counted by real receivers.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { openTogether } from '#test/harness/automatic-incidents.ts';
import { closeAfterTests } from '#test/harness/database.ts';
import { resultOf } from '#test/harness/probe.ts';
import { discordRules } from '#test/harness/providers/discord.ts';
import { mattermostRules } from '#test/harness/providers/mattermost.ts';
import { msteamsRules } from '#test/harness/providers/msteams.ts';
import { opsgenieRules } from '#test/harness/providers/opsgenie.ts';
import { pagerdutyRules } from '#test/harness/providers/pagerduty.ts';
import { type Provider, type ProviderRules, startProvider } from '#test/harness/providers/provider.ts';
import { slackRules } from '#test/harness/providers/slack.ts';
import { type Receiver, startReceiver } from '#test/harness/receiver.ts';

const CHATS = ['slack', 'msteams', 'discord', 'mattermost'] as const;
type Kind = (typeof CHATS)[number] | 'pagerduty' | 'opsgenie';
const RULES: Record<Kind, ProviderRules> = {
  slack: slackRules,
  msteams: msteamsRules,
  discord: discordRules,
  mattermost: mattermostRules,
  pagerduty: pagerdutyRules,
  opsgenie: opsgenieRules,
};
const KINDS = Object.keys(RULES) as Kind[];
const MANY = 25;

let app: TestApp;
const providers = {} as Record<Kind, Provider>;
let receiver: Receiver;
before(async () => {
  for (const kind of KINDS) providers[kind] = await startProvider({ after: closeAfterTests }, RULES[kind]);
  receiver = await startReceiver();
  closeAfterTests(() => receiver.stop());
  app = await startAppOfFile({
    env: {
      CHAT_WEBHOOK_HOSTS: CHATS.map((kind) => providers[kind].host).join(','),
      PAGERDUTY_URL: providers.pagerduty.url,
      OPSGENIE_URL: providers.opsgenie.url,
    },
  });
});

const isChat = (kind: Kind) => (CHATS as readonly string[]).includes(kind);

async function addTargets({ orgId }: Place, kinds: readonly Kind[]): Promise<void> {
  const events = ['opened', 'acknowledged', 'resolved', 'updated'];
  const add = (fields: object) =>
    app.alice.ok('POST', `/organizations/${orgId}/webhooks`, { events, ...fields });
  for (const kind of kinds) {
    const where = isChat(kind)
      ? { url: `${providers[kind].url}/hooks/secret` }
      : { credential: '0123456789abcdef0123456789abcdef' };
    await add({ name: kind, kind, ...where });
  }
  await add({ name: 'Hook', kind: 'webhook', url: receiver.url });
}

async function monitorsOf({ projectId }: Place): Promise<Monitor[]> {
  const monitors: Monitor[] = [];
  for (let i = 0; i < MANY; i++)
    monitors.push(
      await app.alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, {
        name: `Page ${i}`,
        type: 'http',
        config: { url: `https://shop.example.com/${i}` },
        interval_seconds: 10,
      }),
    );
  return monitors;
}

async function all(status: 'up' | 'down', some: readonly Monitor[]): Promise<void> {
  for (let i = 0; i < 2; i++) {
    app.clock.advance(1000);
    const results = some.map(({ id }) => resultOf(id, app.clock.ms(), status));
    assert.equal((await app.probe().post(results)).status, 200);
  }
  await app.runTask('deliver');
}

async function after(seconds: number): Promise<void> {
  // What is under way keeps its lease: the clock must not run away from it.
  await app.runTask('deliver');
  app.clock.advance(seconds * 1000);
  await app.runTask('deliver');
}

test('25 monitors of one host cause six messages in each chat, three pages of which one stays, and every webhook event', async () => {
  const place = await app.place();
  await addTargets(place, KINDS);
  const monitors = await monitorsOf(place);

  for (const one of monitors.slice(0, 3)) await all('down', [one]);
  await after(5);
  for (let i = 3; i < MANY; i += 2) await all('down', monitors.slice(i, i + 2));
  await after(60);
  const [incident] = await app.alice.ok<IncidentSummary[]>('GET', `/organizations/${place.orgId}/incidents`);
  await app.alice.ok('POST', `/organizations/${place.orgId}/incidents/${incident?.id}/ack?group=true`);
  await app.runTask('deliver');
  for (let i = 0; i < MANY; i += 5) await all('up', monitors.slice(i, i + 5));
  await after(3600);

  for (const kind of KINDS)
    for (const { problems, raw } of providers[kind].received)
      assert.deepEqual(problems, [], `${kind}: ${raw}`);
  const posts = (kind: Kind) => providers[kind].received.filter(({ method }) => method === 'POST').length;
  assert.deepEqual(
    KINDS.map((kind) => [kind, posts(kind)]),
    [
      // Two on their own, the storm, what came within the next minute, the acknowledgement, the end.
      ['slack', 6],
      ['msteams', 6],
      // Two on their own, the storm, the end. The others are edits.
      ['discord', 4],
      ['mattermost', 6],
      // The page of the storm replaces two, and is triggered again with what came later: no provider calls for that.
      ['pagerduty', 8],
      ['opsgenie', 8],
    ],
  );
  const edits = providers.discord.received.filter(({ method }) => method === 'PATCH');
  assert.equal(edits.length, 3);
  assert.match(edits[0]?.body.content, /25 incidents, 25 open, 25 not acknowledged/);
  assert.match(edits[1]?.body.content, /25 open, all of these acknowledged/);
  const said = providers.slack.received.map(({ body }) => String(body.text).replace(/^\S+ /, ''));
  const storm = 'shop.example.com, unexpected status';
  assert.deepEqual(said, [
    'Down: Page 0',
    'Down: Page 1',
    `Alarm storm: ${storm}: 3 incidents, 3 open, 3 not acknowledged`,
    `Alarm storm: ${storm}: 25 incidents, 25 open, 25 not acknowledged`,
    `Alarm storm: ${storm}: 25 incidents, 25 open, all of these acknowledged`,
    `Alarm storm over: ${storm}: 25 incidents, all resolved`,
  ]);
  const pages = providers.pagerduty.received.map(({ body }) => [body.event_action, body.dedup_key]);
  const open = new Set<string>();
  for (const [action, key] of pages) action === 'resolve' ? open.delete(key) : open.add(key);
  assert.deepEqual([...open], [], 'nothing stays open at the provider');
  assert.equal(new Set(pages.map(([, key]) => key)).size, 3);

  const events = receiver.received.map(({ event, body }) => ({
    event,
    id: body.incident?.id,
    group: body.incident?.group_id,
  }));
  for (const event of ['opened', 'acknowledged', 'resolved'])
    assert.equal(
      new Set(events.filter((each) => each.event === event).map(({ id }) => id)).size,
      MANY,
      event,
    );
  assert.equal(events.length, 3 * MANY);
  // The first two opened before there was a storm.
  assert.equal(events.filter(({ group }) => group === null).length, 2);
  assert.equal(new Set(events.map(({ group }) => group)).size, 2);
});

test('a storm’s message that somebody deleted is sent again', async () => {
  const place = await app.place();
  await addTargets(place, ['discord']);
  const from = providers.discord.received.length;
  await openTogether(app, place, 3);
  await app.runTask('deliver');
  await openTogether(app, place, 1);
  providers.discord.once({ status: 404, body: '{"message":"Unknown Message","code":10008}' });
  await after(60);
  await openTogether(app, place, 1);
  await after(60);
  const got = providers.discord.received.slice(from).map(({ method, path }) => `${method} ${path}`);
  assert.match(
    got.join('\n'),
    /^POST \S+wait=true\nPATCH \S+\/([0-9]+)\nPOST \S+wait=true\nPATCH \S+\/(?!\1$)[0-9]+$/,
  );
});

test('a storm that returns within five minutes is announced again, and its end once each time', async () => {
  const place = await app.place();
  await addTargets(place, ['slack']);
  const from = providers.slack.received.length;
  const said = () =>
    providers.slack.received.slice(from).map(({ body }) => /Alarm storm( over)?/.exec(body.text)?.[0]);
  const monitors = (await monitorsOf(place)).slice(0, 4);
  await all('down', monitors);
  await all('up', monitors);
  assert.deepEqual(said(), ['Alarm storm', 'Alarm storm over']);
  // At most a message a minute: what flaps within it is told once, as it stands.
  await all('down', monitors);
  await all('up', monitors);
  await all('down', monitors);
  assert.equal(said().length, 2);
  await after(60);
  assert.deepEqual(said().slice(2), ['Alarm storm']);
  await all('up', monitors);
  assert.deepEqual(said().slice(3), ['Alarm storm over']);
});
