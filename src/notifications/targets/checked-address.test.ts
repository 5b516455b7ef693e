// The addresses that each kind accepts, and addresses that only look like a provider's.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '#src/platform/refusals.ts';
import { type AddressedKind, type AddressOptions, checkedAddress } from './checked-address.ts';
import { isOperators } from './operator-addresses.ts';

const OPTIONS: AddressOptions = {
  allowPrivate: false,
  baseUrl: 'https://tocsin.example.com',
  chatHosts: [
    { host: 'chat.internal', port: null },
    { host: '127.0.0.1', port: 4000 },
    { host: '::1', port: 4001 },
  ],
  paging: {
    pagerduty: { global: 'http://127.0.0.1:9', eu: 'https://eu.example.com' },
    opsgenie: { global: 'https://og.example.com', eu: 'https://og.eu.example.com' },
  },
};

const ACCEPTED: [kind: AddressedKind, url: string][] = [
  ['slack', 'https://hooks.slack.com/services/T0/B0/XXXX'],
  ['slack', 'https://HOOKS.slack.com:443/services/T0/B0/XXXX'],
  ['slack', 'https://hooks.slack-gov.com/services/T0/B0/XXXX'],
  ['slack', 'http://chat.internal:8065/anything'],
  ['slack', 'http://127.0.0.1:4000/services/x'],
  ['discord', 'https://discord.com/api/webhooks/123/ab-c_D'],
  ['discord', 'https://discordapp.com/api/v10/webhooks/123/abc?thread_id=5'],
  ['discord', 'https://ptb.discord.com/api/webhooks/123/abc'],
  ['discord', 'https://canary.discord.com/api/webhooks/123/abc'],
  ['discord', 'http://[::1]:4001/x'],
  [
    'msteams',
    'https://prod-06.westeurope.logic.azure.com:443/workflows/7d/triggers/manual/paths/invoke?sig=x',
  ],
  [
    'msteams',
    'https://default0.a7.environment.api.powerplatform.com:443/powerautomate/automations/direct/workflows/c3/triggers/manual/paths/invoke?sig=x',
  ],
  [
    'msteams',
    'https://default0.df.environment.api.powerplatform.com/powerautomate/automations/direct/cu/11/workflows/c3/triggers/manual/paths/invoke',
  ],
  ['msteams', 'https://x.environment.api.gov.powerplatform.microsoft.us/powerautomate/x/workflows/y'],
  ['mattermost', 'https://chat.example.org/hooks/abc'],
  ['mattermost', 'http://chat.example.org:8065/sub/hooks/abc'],
  ['webhook', 'http://example.org/hook?x=1'],
];
for (const [kind, url] of ACCEPTED)
  test(`${kind} accepts ${url}`, () => assert.equal(checkedAddress(kind, url, OPTIONS), new URL(url).href));

const REFUSED: [kind: AddressedKind, url: string | null, says: RegExp][] = [
  ['slack', null, /missing/],
  ['slack', 'http://hooks.slack.com/services/T0/B0/X', /https/],
  ['slack', 'https://hooks.slack.com.evil.example/services/T0/B0/X', /Slack/],
  ['slack', 'https://evil.example/hooks.slack.com/services/T0', /Slack/],
  ['slack', 'https://hooks.slack.com@evil.example/services/T0', /user name/],
  ['slack', 'https://evil.example#hooks.slack.com/services/', /Slack/],
  ['slack', 'https://nothooks.slack.com/services/T0', /Slack/],
  ['slack', 'https://hooks.slack.com./services/T0', /Slack/],
  ['slack', 'https://hooks.slack.com:8443/services/T0', /Slack/],
  ['slack', 'https://hooks.slack.com/triggers/E1/1/x', /Slack/],
  ['slack', 'https://hooks.slack.com/services/', /Slack/],
  ['slack', 'https://hooks.ѕlack.com/services/T0', /Slack/],
  ['slack', 'http://127.0.0.1:4002/services/x', /does not send to/],
  ['slack', 'http://chat.internal.evil.example/', /https/],
  ['discord', 'https://discord.com/channels/1/2', /Discord/],
  ['discord', 'https://discord.com/api/webhooks/123/abc/slack', /Discord/],
  ['discord', 'https://discord.com/api/webhooks/abc', /Discord/],
  ['discord', 'https://evildiscord.com/api/webhooks/123/abc', /Discord/],
  ['discord', 'https://discord.com.evil.example/api/webhooks/123/abc', /Discord/],
  ['msteams', 'https://acme.webhook.office.com/webhookb2/x/IncomingWebhook/y', /retired/],
  ['msteams', 'https://outlook.office.com/webhook/x', /retired/],
  ['msteams', 'https://outlook.office365.com/webhook/x', /retired/],
  ['msteams', 'https://logic.azure.com/workflows/x', /Teams/],
  ['msteams', 'https://evillogic.azure.com/workflows/x', /Teams/],
  ['msteams', 'https://a.logic.azure.com.evil.example/workflows/x', /Teams/],
  ['msteams', 'https://prod.westeurope.logic.azure.com/', /Teams/],
  ['mattermost', 'ftp://chat.example.org/hooks/abc', /http/],
  ['mattermost', 'http://10.0.0.1/hooks/abc', /private/],
  ['mattermost', 'http://169.254.169.254/hooks/abc', /does not send to/],
  ['mattermost', 'http://localhost/hooks/abc', /full name/],
  ['webhook', 'http://127.0.0.1:4000/', /loopback/],
  ['webhook', 'http://chat.internal@evil.example/', /user name/],
  ['webhook', 'https://tocsin.example.com/hook', /itself/],
  ['webhook', 'http://tocsin.example.com/hook', /itself/],
  ['webhook', 'https://TOCSIN.example.com./hook', /itself/],
  ['mattermost', 'https://tocsin.example.com/ping/x', /itself/],
];
for (const [kind, url, says] of REFUSED)
  test(`${kind} refuses ${url}`, () => {
    assert.throws(
      () => checkedAddress(kind, url, OPTIONS),
      (error) =>
        error instanceof Refusal &&
        error.code === 'invalid_target' &&
        error.details.field === 'url' &&
        error.message.startsWith('url ') &&
        says.test(error.message),
    );
  });

test('another port of the same machine is another server, unless it is ours', () => {
  const local = { ...OPTIONS, allowPrivate: true, baseUrl: 'http://127.0.0.1:3300' };
  assert.equal(checkedAddress('webhook', 'http://127.0.0.1:4500/x', local), 'http://127.0.0.1:4500/x');
  for (const own of [
    'http://127.0.0.1:3300/',
    'http://localhost:3300/x',
    'http://[::1]:3300/',
    'http://0.0.0.0:3300/',
    'http://0:3300/',
    'http://[::]:3300/',
    'http://[::ffff:127.0.0.1]:3300/',
    'http://[::ffff:0.0.0.0]:3300/',
    'http://[64:ff9b::127.0.0.1]:3300/',
    'http://tocsin.localhost:3300/',
  ])
    assert.throws(() => checkedAddress('webhook', own, local), /itself/);
});

test('cloud metadata is refused everywhere, whatever is allowed', () => {
  const all = { ...OPTIONS, allowPrivate: true };
  assert.throws(() => checkedAddress('mattermost', 'http://169.254.169.254/', all), /metadata/);
});

const TRUST: [kind: Parameters<typeof isOperators>[0], url: string, trusted: boolean][] = [
  ['slack', 'http://127.0.0.1:4000/x', true],
  ['slack', 'http://127.0.0.1:4002/x', false],
  ['mattermost', 'https://chat.internal/hooks/x', true],
  ['webhook', 'http://127.0.0.1:4000/x', false],
  ['pagerduty', 'http://127.0.0.1:9/v2/enqueue', true],
  ['pagerduty', 'http://127.0.0.1:10/v2/enqueue', false],
  ['opsgenie', 'http://127.0.0.1:9/v2/alerts', false],
  ['webhook', 'http://127.0.0.1:9/v2/enqueue', false],
  ['slack', 'nonsense', false],
];
for (const [kind, url, trusted] of TRUST)
  test(`${kind} to ${url} is ${trusted ? '' : 'not '}the operator's own`, () =>
    assert.equal(isOperators(kind, url, OPTIONS), trusted));
