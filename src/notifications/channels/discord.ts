// Discord: a webhook with an embed (https://discord.com/developers/docs/resources/webhook#execute-webhook and
// …/resources/message#embed-object-embed-limits). Content 2,000 characters, title 256, description 4,096, a field 1,024,
// 25 fields, an embed's texts 6,000 together. `allowed_mentions` is empty, so that nobody is mentioned. 204 is a success (200
// with the message where the address says `wait=true`); 429 names the seconds to wait, in header and body. It is the one chat
// whose webhook can edit its messages (…/resources/webhook#edit-webhook-message); Slack, Mattermost and Teams cannot.
import type { EventName } from '#src/domain/names.ts';
import type { Channel, Exchange, Group, Message } from './channel.ts';
import { COLOURS, type Fact, type Rendered, renderEvent, SYMBOLS } from './message.ts';
import { moreWords, phaseOf, renderGroup } from './message-of-group.ts';
import { NOT_ACCEPTED, objectIn, postJson } from './post-json.ts';
import { fit } from './text.ts';

const CONTENT = 2000;
const TITLE = 256;
/** Fewer than 4,096: together with title and fields an embed has to stay within 6,000. */
const DESCRIPTION = 3500;
const FIELD = 256;
const FIELDS = 8;

export const discord: Channel = {
  kind: 'discord',
  family: 'chat',
  carries: () => true,
  exchanges: (message, { url }) =>
    message.group ? ofGroup(message, message.group, url) : [postJson(url, render(message))],
  refusal: (answer) =>
    answer.status === 204 || typeof objectIn(answer)?.id === 'string' ? null : NOT_ACCEPTED,
  postedAs(answer) {
    const id = objectIn(answer)?.id;
    return typeof id === 'string' && /^[0-9]{1,20}$/.test(id) ? id : null;
  },
  retryAfterMs(answer) {
    const seconds = answer.status === 429 ? objectIn(answer)?.retry_after : null;
    return typeof seconds === 'number' && seconds >= 0 ? Math.ceil(seconds * 1000) : null;
  },
};

/** Changes that only edit the message. Texts by people and escalations are new messages. */
const QUIET: readonly EventName[] = ['opened', 'acknowledged', 'resolved', 'discarded'];

/** The first message about a storm is edited as the storm goes on. Its end is a new message, and edits the first one too. */
function ofGroup(message: Message, group: Group, url: string): Exchange[] {
  const phase = phaseOf(group);
  if (phase === 'begins') return [postJson(withPath(url, '', true), render(message))];
  const edit = group.posted === null ? null : patch(withPath(url, `/messages/${group.posted}`), message);
  if (phase === 'ends') return [...(edit ? [{ ...edit, orElse: null }] : []), postJson(url, render(message))];
  const isQuiet = message.events.every(({ event }) => QUIET.includes(event));
  if (phase === 'changes' && isQuiet) {
    const anew = postJson(withPath(url, '', true), render(message, true));
    return [edit ? { ...edit, orElse: anew } : anew];
  }
  return [postJson(url, render(message))];
}

const patch = (url: string, message: Message): Exchange => ({
  ...postJson(url, render(message, true)),
  method: 'PATCH',
});

/** With `wait`, Discord answers with the message. Other parameters of the address, such as a thread, are kept. */
function withPath(address: string, path: string, wait = false): string {
  const url = new URL(address);
  url.pathname += path;
  if (wait) url.searchParams.set('wait', 'true');
  return url.href;
}

function render(message: Message, whole = false) {
  const { group, events, baseUrl, language } = message;
  if (!group) {
    const rendered = events.map((event) => renderEvent(event, baseUrl, language))[0]!;
    return framed(rendered, rendered.text === null ? '' : fit(rendered.text, DESCRIPTION, escaped));
  }
  const rendered = renderGroup(message, group, whole);
  const lines = rendered.lines.map(({ symbol, headline, text }) => {
    const name = `${symbol} **${fit(headline, 90, escaped)}**`;
    return text === null ? name : `${name} ${fit(text, 75, escaped)}`;
  });
  return framed(rendered, [...lines, moreWords(rendered.more, language)].filter(Boolean).join('\n'));
}

function framed({ tone, headline, facts, link }: Omit<Rendered, 'text'>, description: string) {
  return {
    content: fit(`${SYMBOLS[tone]} ${headline}`, CONTENT / 2, escaped),
    embeds: [
      {
        title: fit(link.label, TITLE),
        url: link.url,
        ...(description === '' ? {} : { description }),
        color: Number.parseInt(COLOURS[tone].slice(1), 16),
        fields: facts.slice(0, FIELDS).map(field),
      },
    ],
    allowed_mentions: { parse: [] },
  };
}

const field = (fact: Fact) => ({
  name: fact.label,
  // Discord shows it in the reader's time zone.
  value: 'unix' in fact ? `<t:${fact.unix}:F>` : fit(fact.text, FIELD, escaped),
  inline: true,
});

/** Every character with a meaning in Discord's Markdown, also the colon and the dot: a text causes no link, list or heading. */
const escaped = (text: string): string => text.replace(/[\\`*_~|<>#@()[\]{}:.\-+!]/g, '\\$&');
