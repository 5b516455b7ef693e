// Holds for every kind of provider: code written from the provider's documentation validates each document.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CHANNEL_FAMILIES, CHANNEL_NAMES, EVENT_NAMES } from '#src/domain/names.ts';
import { discordRules } from '#test/harness/providers/discord.ts';
import { mattermostRules } from '#test/harness/providers/mattermost.ts';
import { msteamsRules } from '#test/harness/providers/msteams.ts';
import { opsgenieRules } from '#test/harness/providers/opsgenie.ts';
import { pagerdutyRules } from '#test/harness/providers/pagerduty.ts';
import { type ProviderRules, problemsOf } from '#test/harness/providers/provider.ts';
import { slackRules } from '#test/harness/providers/slack.ts';
import type { Channel, EventToRender, Message } from './channel.ts';
import {
  event,
  group,
  HOSTILE,
  incident,
  maintenance,
  message,
  note,
  storm,
  testEvent,
} from './channels.testing.ts';
import { CHANNELS } from './index.ts';

const RULES: [Channel, ProviderRules][] = [
  [CHANNELS.slack, slackRules],
  [CHANNELS.msteams, msteamsRules],
  [CHANNELS.discord, discordRules],
  [CHANNELS.mattermost, mattermostRules],
  [CHANNELS.pagerduty, pagerdutyRules],
  [CHANNELS.opsgenie, opsgenieRules],
];
const PATHS = { pagerduty: '/v2/enqueue', opsgenie: '/v2/alerts' } as Record<string, string>;
const KEY = '0123456789abcdef0123456789abcdef';

/** Renders a message without sending it, and has each request judged. */
function assertAccepted(kind: Channel, rules: ProviderRules, given: Message, what: string): void {
  const url = `https://provider.example${PATHS[kind.kind] ?? '/in'}`;
  const requests = kind.exchanges(given, { kind: kind.kind, url, secret: KEY });
  assert.ok(requests.length > 0, `${what}: nothing is sent`);
  for (const request of requests) {
    const path = request.url.slice('https://provider.example'.length);
    const { method = 'POST', headers, body } = request;
    const { problems } = problemsOf(rules, { method, path, headers, raw: body });
    assert.deepEqual(problems, [], `${kind.kind}, ${what}`);
  }
  assert.deepEqual(kind.exchanges(given, { kind: kind.kind, url, secret: KEY }), requests);
}

/** One event of each name, with a text wherever people or their servers have put one. */
function everyEvent(text: string): EventToRender[] {
  const monitor = { id: 'mon_1', name: text, type: 'http' };
  const about = incident({
    cause: text,
    monitor_name: text,
    alarm_held_until_unix: 1,
    alarm_held_by_name: text,
  });
  const places = {
    organization: { id: 'org_1', name: text, slug: 'x' },
    project: { id: 'prj_1', name: text, slug: 'x' },
    monitor,
    incident: about,
    actor: text,
  };
  return EVENT_NAMES.map((name) => {
    if (name === 'test') return { ...testEvent(), organization: places.organization };
    if (name === 'maintenance_started' || name === 'maintenance_ended') {
      const given = maintenance(name);
      const { maintenance: window } = given;
      return { ...given, maintenance: { ...window!, title: text, body: text, monitors: [monitor, monitor] } };
    }
    return event(name, {
      ...places,
      ...(name === 'updated' ? { note: { ...note(text), author_name: text } } : {}),
    });
  });
}

const TEXTS = ['Shop', '', ' ', ...HOSTILE];

for (const [kind, rules] of RULES) {
  test(`${kind.kind}: every event with every hostile text is within the provider's rules, the same each time`, () => {
    for (const [i, text] of TEXTS.entries())
      for (const one of everyEvent(text))
        if (kind.carries(one.event))
          assertAccepted(kind, rules, message([one]), `${one.event} with text ${i}`);
  });

  test(`${kind.kind}: a storm with every hostile text is within the provider's rules`, () => {
    const member = { name: '', cause: '', state: 'open' as const };
    for (const [i, text] of TEXTS.entries()) {
      const events = storm(40, 'opened', { cause: text }).map((one, no) => ({
        ...one,
        monitor: { id: `mon_${no}`, name: text, type: 'http' },
      }));
      const members = Array.from({ length: 20 }, () => ({ ...member, name: text, cause: text }));
      const counts = { total: 5000, open: 40, unacknowledged: 3, name: text, members };
      const paged = ['inc_1', 'inc_2'];
      for (const fields of [
        {},
        { reported: 'open', posted: '77' },
        { open: 0, reported: 'open', posted: '77' },
      ] as const)
        assertAccepted(
          kind,
          rules,
          message(events, group({ ...counts, paged, ...fields })),
          `storm with text ${i}`,
        );
    }
  });

  test(`${kind.kind}: the provider accepts any text`, () => {
    const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
    const written = fc.string({ unit, maxLength: 400 });
    fc.assert(
      fc.property(written, fc.constantFrom(...EVENT_NAMES), (text, name) => {
        const one = everyEvent(text)[EVENT_NAMES.indexOf(name)]!;
        if (kind.carries(name)) assertAccepted(kind, rules, message([one]), JSON.stringify(text));
      }),
      { numRuns: 60 },
    );
  });
}

test('every kind is listed under its name and family', () => {
  for (const kind of CHANNEL_NAMES)
    assert.deepEqual([CHANNELS[kind].kind, CHANNELS[kind].family], [kind, CHANNEL_FAMILIES[kind]]);
});

test('only the webhook contains an e-mail address', () => {
  const about = incident({ acknowledged_by_email: null, commander_email: null });
  for (const [kind] of RULES)
    for (const request of kind.exchanges(message([event('acknowledged', { incident: about })]), {
      kind: kind.kind,
      url: 'https://provider.example/in',
      secret: KEY,
    }))
      assert.doesNotMatch(request.body, /@example/);
});

const ANSWERS: [kind: keyof typeof CHANNELS, status: number, body: string, accepted: boolean][] = [
  ['slack', 200, 'ok', true],
  ['slack', 200, 'invalid_token', false],
  ['slack', 200, '', false],
  ['slack', 200, '<html>ok</html>', false],
  ['msteams', 202, '', true],
  ['msteams', 200, '1', true],
  ['msteams', 200, '{"error":{"code":"WorkflowTriggerIsNotEnabled"}}', false],
  ['msteams', 200, 'Webhook message delivery failed with error: returned HTTP error 429', false],
  ['discord', 204, '', true],
  ['discord', 200, '{"id":"1","content":""}', true],
  ['discord', 200, '<html></html>', false],
  ['mattermost', 200, 'ok', true],
  ['mattermost', 200, '<html>Sign in</html>', false],
  ['pagerduty', 202, '{"status":"success","message":"Event processed","dedup_key":"x"}', true],
  ['pagerduty', 202, '{"status":"invalid event"}', false],
  ['pagerduty', 200, '', false],
  ['pagerduty', 200, '[]', false],
  ['opsgenie', 202, '{"result":"Request will be processed","took":0.3,"requestId":"r"}', true],
  ['opsgenie', 200, 'null', false],
  ['opsgenie', 200, '{"message":"no"}', false],
  ['webhook', 200, 'anything', true],
];
for (const [kind, status, body, accepted] of ANSWERS)
  test(`${kind} answers ${status} ${body.slice(0, 40) || 'nothing'}: ${accepted ? 'taken' : 'not taken'}`, () => {
    assert.equal(CHANNELS[kind].refusal({ status, body }), accepted ? null : 'not_accepted');
  });
