// The messages of each kind of chat: headline, colour, cause, time in its own format, and the link to the incident.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BASE, bodyOf, event, group, incident, message, note, sent, storm } from './channels.testing.ts';
import { discord } from './discord.ts';
import { mattermost } from './mattermost.ts';
import { msteams } from './msteams.ts';
import { slack } from './slack.ts';

const INCIDENT = `${BASE}/app/o/org_1/incidents/inc_1`;
const opened = message([event('opened')]);

test('Slack: a header, the cause as plain text, the time for each reader, a button', () => {
  const { text, blocks, attachments } = bodyOf(slack, opened);
  assert.equal(text, '🔴 Down: Shop');
  assert.deepEqual(blocks, [
    { type: 'header', text: { type: 'plain_text', text: '🔴 Down: Shop', emoji: false } },
  ]);
  const [{ color, blocks: details }] = attachments;
  assert.equal(color, '#D92D20');
  assert.equal(details[0].text.text, 'expected status 200-299; got 503');
  assert.equal(
    details[1].fields[0].text,
    'Since: <!date^1700000000^{date_short_pretty} {time_secs}|2023-11-14 22:13:20 UTC>',
  );
  assert.equal(details.at(-1).elements[0].url, INCIDENT);
});

test('Slack: mentions and links become plain text', () => {
  const name = '<!channel> & <https://evil.example|x>';
  const given = message([event('opened', { monitor: { id: 'm', name, type: 'http' } })]);
  assert.equal(bodyOf(slack, given).text, '🔴 Down: &lt;!channel&gt; &amp; &lt;https://evil.example|x&gt;');
});

test('Slack: a storm is one message with twenty sections and a count of the rest', () => {
  const many = group({ total: 5000, open: 5000 });
  const { text, attachments } = bodyOf(slack, message(storm(5000), many));
  assert.match(text, /5000 incidents/);
  const sections = attachments[0].blocks.map((block: { text?: { text: string } }) => block.text?.text);
  assert.equal(sections[1], '🔴 Down: Monitor 0\ncause 0');
  assert.equal(sections[21], 'and 4980 more');
});

test('Teams: a coloured card whose times Teams formats', () => {
  const { type, attachments } = bodyOf(msteams, opened);
  assert.equal(type, 'message');
  const { body, actions } = attachments[0].content;
  assert.equal(body[0].style, 'attention');
  assert.equal(body[0].items[0].inlines[0].text, '🔴 Down: Shop');
  assert.equal(body[1].inlines[0].text, 'expected status 200-299; got 503');
  assert.equal(
    body[2].text,
    '**Since:** {{DATE(2023-11-14T22:13:20Z,SHORT)}} {{TIME(2023-11-14T22:13:20Z)}}',
  );
  assert.deepEqual(actions, [{ type: 'Action.OpenUrl', title: 'Open the incident', url: INCIDENT }]);
});

test('Teams: a note keeps its lines', () => {
  const given = message([event('updated', { note: note('one\n\ntwo\nthree') })]);
  const { body } = bodyOf(msteams, given).attachments[0].content;
  const runs = body.slice(1, 4).map((row: { inlines: { text: string }[] }) => row.inlines[0]?.text);
  assert.deepEqual(runs, ['one', 'two', 'three']);
});

test('Discord: an embed with colour and times, without mentions', () => {
  const { content, embeds, allowed_mentions } = bodyOf(discord, opened);
  assert.equal(content, '🔴 Down\\: Shop');
  assert.deepEqual(allowed_mentions, { parse: [] });
  assert.deepEqual([embeds[0].url, embeds[0].color], [INCIDENT, 0xd92d20]);
  assert.deepEqual(embeds[0].fields[0], { name: 'Since', value: '<t:1700000000:F>', inline: true });
});

test('Discord: a 429 gives the delay in seconds', () => {
  const body = '{"message":"You are being rate limited.","retry_after":1.337,"global":false}';
  assert.equal(discord.retryAfterMs?.({ status: 429, body }), 1337);
  for (const other of ['', '{}', '{"retry_after":"soon"}', '{"retry_after":-1}'])
    assert.equal(discord.retryAfterMs?.({ status: 429, body: other }), null);
});

test('Mattermost: an attachment with colour, link and fields, and without mentions', () => {
  const about = incident({ cause: 'ask @channel about a_b' });
  const [attachment] = bodyOf(mattermost, message([event('opened', { incident: about })])).attachments;
  assert.deepEqual(
    [attachment.color, attachment.title, attachment.title_link],
    ['#D92D20', '🔴 Down: Shop', INCIDENT],
  );
  assert.equal(attachment.text, `ask @\u200bchannel about a\\_b\n\n[Open the incident](${INCIDENT})`);
  assert.deepEqual(attachment.fields[0], { short: true, title: 'Since', value: '2023-11-14 22:13:20 UTC' });
});

const POSTED = { posted: '77', total: 3, open: 3 };
/** Each request as `POST` or `PATCH`, with what its address says behind the webhook's. */
const requests = (given: Parameters<typeof sent>[1]) =>
  sent(discord, given).map(
    ({ method = 'POST', url }) => `${method} ${url.replace('https://provider.example/in', '')}`,
  );

test('Discord: the first message about a storm is editable, and is edited with changes', () => {
  assert.deepEqual(requests(message(storm(3), group({ total: 3, open: 3 }))), ['POST ?wait=true']);
  const given = message(storm(1, 'resolved'), group({ ...POSTED, reported: 'open' }));
  assert.deepEqual(requests(given), ['PATCH /messages/77']);
  // Where it was deleted, the message is sent anew.
  const [edit] = sent(discord, given);
  assert.equal(edit?.orElse?.url, 'https://provider.example/in?wait=true');
});

test('Discord: an edit lists the whole storm, not only the changes', () => {
  const members = [
    { name: 'Shop', cause: 'refused', state: 'acknowledged' as const },
    { name: 'Mail', cause: 'refused', state: 'over' as const },
  ];
  const given = message(storm(1, 'resolved'), group({ ...POSTED, reported: 'open', members }));
  const { embeds } = JSON.parse(sent(discord, given)[0]!.body);
  assert.equal(
    embeds[0].description,
    '🔵 **Acknowledged\\: Shop** refused\n🟢 **Resolved\\: Mail** refused\nand 1 more',
  );
});

test('Discord: the end of a storm is a message of its own, and is also added to the first one', () => {
  const over = group({ ...POSTED, open: 0, reported: 'open' });
  assert.deepEqual(requests(message(storm(1, 'resolved'), over)), ['PATCH /messages/77', 'POST ']);
  assert.equal(sent(discord, message(storm(1, 'resolved'), over))[0]?.orElse, null);
});

test('Discord: notes of people, and escalations, are messages of their own', () => {
  const noted = event('updated', { note: note('On it') });
  for (const given of [[noted], storm(1, 'escalated')])
    assert.deepEqual(requests(message(given, group({ ...POSTED, reported: 'open' }))), ['POST ']);
});

test('Discord: a thread in the URL is kept', () => {
  const to = {
    kind: 'discord',
    url: 'https://discord.com/api/webhooks/1/t?thread_id=5',
    secret: null,
  } as const;
  const given = message(storm(1, 'resolved'), group({ ...POSTED, reported: 'open' }));
  assert.equal(
    discord.exchanges(given, to)[0]?.url,
    'https://discord.com/api/webhooks/1/t/messages/77?thread_id=5',
  );
});
