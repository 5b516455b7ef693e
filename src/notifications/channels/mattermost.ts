// Mattermost: an incoming webhook with a message attachment (https://developers.mattermost.com/integrate/webhooks/incoming/,
// …/integrate/reference/message-attachments/). Texts are Markdown and may have 16,383 characters; texts, also those of
// attachments, call people by @name and the whole channel by @channel, @all and @here: an at sign is followed by a
// zero-width character, so that nobody is mentioned. It answers 200 with `ok`.
import { unlinked } from '#src/domain/unlinked.ts';
import type { Channel, Message } from './channel.ts';
import { COLOURS, type Fact, type Rendered, renderEvent, SYMBOLS } from './message.ts';
import { moreWords, renderGroup } from './message-of-group.ts';
import { NOT_ACCEPTED, postJson } from './post-json.ts';
import { fit, utc } from './text.ts';

const TEXT = 4000;
const TITLE = 300;
const FIELD = 500;
const NO_WIDTH = '\u200b';

export const mattermost: Channel = {
  kind: 'mattermost',
  family: 'chat',
  carries: () => true,
  exchanges: (message, { url }) => [postJson(url, render(message))],
  // Any other answer with 200 is not Mattermost, but the sign-in page of a proxy, for example.
  refusal: ({ body }) => (body.trim() === 'ok' ? null : NOT_ACCEPTED),
};

function render(message: Message) {
  const { group, events, baseUrl, language } = message;
  if (!group) {
    const rendered = events.map((event) => renderEvent(event, baseUrl, language))[0]!;
    return framed(rendered, rendered.text === null ? '' : fit(rendered.text, TEXT, escaped));
  }
  const rendered = renderGroup(message, group);
  const lines = rendered.lines.map(({ symbol, headline, text }) => {
    const name = `- ${symbol} **${fit(headline, 200, escaped)}**`;
    return text === null ? name : `${name} ${fit(text, 300, escaped)}`;
  });
  return framed(rendered, [...lines, moreWords(rendered.more, language)].filter(Boolean).join('\n'));
}

function framed({ tone, headline, facts, link }: Omit<Rendered, 'text'>, text: string) {
  const title = `${SYMBOLS[tone]} ${headline}`;
  const open = `[${link.label}](${link.url})`;
  return {
    attachments: [
      {
        // The text of desktop and push notifications.
        fallback: fit(title, TITLE, withoutMentions),
        color: COLOURS[tone],
        // A link's title is plain text.
        title: fit(title, TITLE, withoutMentions),
        title_link: link.url,
        text: text === '' ? open : `${text}\n\n${open}`,
        fields: facts.map(field),
      },
    ],
  };
}

const field = (fact: Fact) => ({
  short: true,
  title: fact.label,
  value: 'unix' in fact ? utc(fact.unix) : fit(fact.text, FIELD, escaped),
});

const withoutMentions = (text: string): string => text.replaceAll('@', `@${NO_WIDTH}`);

/** Every character with a meaning in Markdown. An address stays text, and nobody is mentioned. */
const escaped = (text: string): string => unlinked(text).replace(/[\\`*_{}[\]()#+\-.!|~<>]/g, '\\$&');
