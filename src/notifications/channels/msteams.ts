// Microsoft Teams: an Adaptive Card to the address of a workflow ("When a Teams webhook request is received",
// https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook). A message
// may have 28 KB. Markdown is read in TextBlock and FactSet, and not in the text runs of a RichTextBlock: texts of people
// are written as those, so that nothing of them is markup.
import type { Channel, Message } from './channel.ts';
import { type Fact, renderEvent, SYMBOLS, type Tone } from './message.ts';
import { moreWords, renderGroup } from './message-of-group.ts';
import { NOT_ACCEPTED, objectIn, postJson } from './post-json.ts';
import { bytesOf, fit } from './text.ts';

/** Of the 28 KB of a message; the rest is for what the workflow adds. */
const BYTES = 27 * 1024;
/** Shares of the longest texts that are tried until the card fits. */
const SHARES = [1, 0.5, 0.25, 0.1, 0.02];
const LINES = 40;

type Element = Record<string, unknown>;
type Card = { summary: string; body: Element[]; link: { label: string; url: string } };

export const msteams: Channel = {
  kind: 'msteams',
  family: 'chat',
  carries: () => true,
  exchanges: (message, { url }) => [postJson(url, fitting(message))],
  // A workflow answers 202 and nothing, or what it was made to answer; a refusal has an error in it.
  refusal: (answer) => (objectIn(answer)?.error || /\bHTTP error \d/.test(answer.body) ? NOT_ACCEPTED : null),
};

/** The card with the longest texts that are within the limit. */
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
  const { group, events, baseUrl } = message;
  if (group) {
    const rendered = renderGroup(message, group);
    const lines = rendered.lines.map(({ symbol, headline, text }) =>
      rich([
        strong(`${symbol} ${fit(headline, most(150))}`),
        ...(text === null ? [] : [run(`  ${fit(text, most(200))}`)]),
      ]),
    );
    const more = rendered.more > 0 ? [rich([run(moreWords(rendered.more))])] : [];
    return card(
      rendered.tone,
      rendered.headline,
      [...rendered.facts.map(factRow), ...lines, ...more],
      rendered.link,
    );
  }
  const rendered = events.map((event) => renderEvent(event, baseUrl))[0]!;
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

/** A text run knows no line breaks: a line each, and what is left over on the last. */
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

/** A time is written by the reader's own Teams, which only a TextBlock has done. */
function factRow(fact: Fact): Element {
  if ('text' in fact) return rich([strong(`${fact.label}: `), run(fact.text)]);
  const iso = new Date(fact.unix * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
  const text = `**${fact.label}:** {{DATE(${iso},SHORT)}} {{TIME(${iso})}}`;
  return { type: 'TextBlock', spacing: 'Small', wrap: true, text };
}
