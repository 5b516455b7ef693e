// Microsoft Teams: an Adaptive Card to the address of a workflow ("When a Teams webhook request is received",
// https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook). A message
// may have 28 KB. TextBlock and FactSet interpret Markdown, the text runs of a RichTextBlock do not: people's texts are sent
// as text runs, so that they cause no markup.
import type { Channel, Message } from './channel.ts';
import { type Fact, renderEvent, SYMBOLS, type Tone } from './message.ts';
import { moreWords, renderGroup } from './message-of-group.ts';
import { NOT_ACCEPTED, objectIn, postJson } from './post-json.ts';
import { bytesOf, fit } from './text.ts';

/** Bytes of the card, out of the 28 KB of a message; the workflow adds the rest. */
const BYTES = 27 * 1024;
/** Shares of the longest texts, tried in this order until the card fits. */
const SHARES = [1, 0.5, 0.25, 0.1, 0.02];
const LINES = 40;

type Element = Record<string, unknown>;
type Card = { summary: string; body: Element[]; link: { label: string; url: string } };

export const msteams: Channel = {
  kind: 'msteams',
  family: 'chat',
  carries: () => true,
  exchanges: (message, { url }) => [postJson(url, fitting(message))],
  // A workflow answers 202 without a body, or with a body of its author's; a refusal contains an error.
  refusal: (answer) => (objectIn(answer)?.error || /\bHTTP error \d/.test(answer.body) ? NOT_ACCEPTED : null),
};

/** The card with the longest texts that fit the limit. */
function fitting(message: Message): unknown {
  let made: unknown;
  for (const share of SHARES) {
    made = envelope(render(message, share));
    if (bytesOf(JSON.stringify(made)) <= BYTES) break;
  }
  return made;
}

function render(message: Message, share: number): Card {
  const most = (length: number) => Math.max(20, Math.floor(length * share));
  const { group, events, baseUrl, language } = message;
  if (group) {
    const rendered = renderGroup(message, group);
    const lines = rendered.lines.map(({ symbol, headline, text }) =>
      rich([
        strong(`${symbol} ${fit(headline, most(150))}`),
        ...(text === null ? [] : [run(`  ${fit(text, most(200))}`)]),
      ]),
    );
    const more = rendered.more > 0 ? [rich([run(moreWords(rendered.more, language))])] : [];
    return card(
      rendered.tone,
      rendered.headline,
      [...rendered.facts.map(factRow), ...lines, ...more],
      rendered.link,
    );
  }
  const rendered = events.map((event) => renderEvent(event, baseUrl, language))[0]!;
  const paragraphs = rendered.text === null ? [] : paragraphsOf(fit(rendered.text, most(6000)));
  const rows = rendered.facts.map((fact) =>
    factRow('text' in fact ? { ...fact, text: fit(fact.text, most(500)) } : fact),
  );
  return card(
    rendered.tone,
    rendered.headline,
    [...paragraphs.map((line) => rich([run(line)])), ...rows],
    rendered.link,
  );
}

/** A text run has no line breaks: one run for each line, and the remaining lines joined in the last. */
function paragraphsOf(text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.length <= LINES ? lines : [...lines.slice(0, LINES - 1), lines.slice(LINES - 1).join(' ')];
}

const STYLES = {
  critical: 'attention',
  warning: 'warning',
  info: 'accent',
  good: 'good',
  neutral: 'emphasis',
};

function card(tone: Tone, headline: string, rows: Element[], link: Card['link']): Card {
  const title = `${SYMBOLS[tone]} ${fit(headline, 300)}`;
  const head: Element = {
    type: 'Container',
    style: STYLES[tone],
    bleed: true,
    items: [rich([{ ...strong(title), size: 'Large' }])],
  };
  return { summary: title, body: [head, ...rows], link };
}

const envelope = ({ summary, body, link }: Card) => ({
  type: 'message',
  summary,
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      contentUrl: null,
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        fallbackText: summary,
        msteams: { width: 'Full' },
        body,
        actions: [{ type: 'Action.OpenUrl', title: link.label, url: link.url }],
      },
    },
  ],
});

const run = (text: string): Element => ({ type: 'TextRun', text });
const strong = (text: string): Element => ({ type: 'TextRun', text, weight: 'Bolder' });
const rich = (inlines: Element[]): Element => ({ type: 'RichTextBlock', spacing: 'Small', inlines });

/** The reader's own Teams formats a time, in a TextBlock only. */
function factRow(fact: Fact): Element {
  if ('text' in fact) return rich([strong(`${fact.label}: `), run(fact.text)]);
  const iso = new Date(fact.unix * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
  const text = `**${fact.label}:** {{DATE(${iso},SHORT)}} {{TIME(${iso})}}`;
  return { type: 'TextBlock', spacing: 'Small', wrap: true, text };
}
