// Slack: an incoming webhook with Block Kit (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks,
// https://docs.slack.dev/reference/block-kit/blocks). A header holds 150 characters, a section 3,000, a field 2,000, a
// section ten fields, a message fifty blocks. `& < >` are written as entities. Only attachments have a colour.
// People's texts are sent as plain_text, so that they cause no formatting, links or mentions.
import type { PageLanguage } from '#src/domain/names.ts';
import type { Channel, Message } from './channel.ts';
import { COLOURS, type Fact, type Rendered, renderEvent, SYMBOLS } from './message.ts';
import { moreWords, type RenderedGroup, renderGroup } from './message-of-group.ts';
import { NOT_ACCEPTED, postJson } from './post-json.ts';
import { fit, utc } from './text.ts';

const HEADER = 150;
const SECTION = 3000;
const FIELD = 2000;
const FIELDS = 10;

type Block = Record<string, unknown>;

export const slack: Channel = {
  kind: 'slack',
  family: 'chat',
  carries: () => true,
  exchanges: (message, { url }) => [postJson(url, render(message))],
  // Slack answers 200 with exactly `ok`, or with another word where it did not accept the message.
  refusal: ({ body }) => (body === 'ok' ? null : NOT_ACCEPTED),
};

function render(message: Message) {
  const { group, events, baseUrl, language } = message;
  if (group) {
    const rendered = renderGroup(message, group);
    return framed(rendered, [
      ...(rendered.facts.length ? [fields(rendered.facts)] : []),
      ...listed(rendered, language),
    ]);
  }
  const rendered = events.map((event) => renderEvent(event, baseUrl, language))[0]!;
  return framed(rendered, [
    ...(rendered.text === null ? [] : [section(rendered.text)]),
    ...(rendered.facts.length === 0 ? [] : [fields(rendered.facts)]),
  ]);
}

/** The headline is a block of its own; `text` is the one that notifications show. */
function framed({ tone, headline, link }: Pick<Rendered, 'tone' | 'headline' | 'link'>, details: Block[]) {
  const title = `${SYMBOLS[tone]} ${headline}`;
  return {
    text: fit(title, SECTION, escaped),
    blocks: [{ type: 'header', text: plain(title, HEADER) }],
    attachments: [
      {
        color: COLOURS[tone],
        blocks: [
          ...details,
          { type: 'actions', elements: [{ type: 'button', text: plain(link.label, 75), url: link.url }] },
        ],
      },
    ],
    unfurl_links: false,
    unfurl_media: false,
  };
}

/** One section for each incident, so that no incident takes the space of another. */
function listed({ lines, more }: RenderedGroup, language: PageLanguage): Block[] {
  const sections = lines.map(({ symbol, headline, text }) =>
    section(`${symbol} ${headline}${text === null ? '' : `\n${text}`}`, 600),
  );
  return more > 0 ? [...sections, section(moreWords(more, language))] : sections;
}

const section = (text: string, max = SECTION): Block => ({ type: 'section', text: plain(text, max) });

const fields = (facts: readonly Fact[]): Block => ({
  type: 'section',
  fields: facts
    .slice(0, FIELDS)
    .map((fact) =>
      'unix' in fact
        ? { type: 'mrkdwn', text: `${fact.label}: ${date(fact.unix)}`, verbatim: true }
        : plain(`${fact.label}: ${fact.text}`, FIELD),
    ),
});

/** Slack shows it in the reader's time zone. */
const date = (unix: number): string => `<!date^${unix}^{date_short_pretty} {time_secs}|${utc(unix)}>`;

const plain = (text: string, max: number) => ({
  type: 'plain_text',
  text: fit(text, max, escaped),
  emoji: false,
});

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
