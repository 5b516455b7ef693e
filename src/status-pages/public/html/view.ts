// The inputs of all parts of a page: its data, its texts, and its formats of times and links.
import { DAY_MS } from '#src/domain/durations.ts';
import { renderMarkdown } from '#src/domain/markdown.ts';
import { html, Markup } from '#src/platform/html.ts';
import { type Formats, formatsOf } from '../formats.ts';
import type { PublicIncident, Shown, Snapshot } from '../snapshot.ts';
import { WORDS, type Words } from '../words.ts';

export type View = {
  snapshot: Snapshot;
  shown: Shown;
  words: Words;
  formats: Formats;
  /** In the editor: links lead nowhere, and nothing is sent. */
  inert: boolean;
  /** The attribute of a link; none in a preview. */
  href: (address: string) => Markup | null;
  /** Incidents of the page about a monitor, by its id, on a UTC day (YYYY-MM-DD); newest first. */
  incidentsOn: (monitorId: string, date: string) => PublicIncident[];
};

export function viewOf(snapshot: Snapshot, shown: Shown, { inert = false } = {}): View {
  return {
    snapshot,
    shown,
    words: WORDS[shown.language],
    formats: formatsOf(shown.language, snapshot.page.timezone),
    inert,
    href: (address) => (inert ? null : html` href="${address}"`),
    incidentsOn: incidentsByDay(snapshot),
  };
}

function incidentsByDay({ incidents, at }: Snapshot): View['incidentsOn'] {
  const byMonitor = new Map<string, PublicIncident[]>();
  for (const incident of incidents)
    for (const { id } of incident.monitors) {
      const known = byMonitor.get(id);
      if (known) known.push(incident);
      else byMonitor.set(id, [incident]);
    }
  return (monitorId, date) => {
    const fromMs = Date.parse(date);
    return (byMonitor.get(monitorId) ?? []).filter(
      ({ startedAt, resolvedAt }) =>
        startedAt.getTime() < fromMs + DAY_MS && (resolvedAt ?? at).getTime() >= fromMs,
    );
  };
}

/**
 * A sentence with placeholders for markup: its words are escaped, and `{name}` is replaced with the piece. `filled` is for
 * values that are plain texts.
 */
export function sentence(words: string, pieces: Readonly<Record<string, Markup | string>>): Markup {
  const parts = words.split(/\{(\w+)\}/);
  return html`${parts.map((part, at) => (at % 2 === 0 ? part : (pieces[part] ?? '')))}`;
}

/** A moment, in the page's zone; the script shows it in the visitor's zone, and moves this one to the title. */
export const moment = ({ formats, snapshot }: View, at: Date): Markup =>
  time(at, formats.day(at, snapshot.at), formats.moment(at), 'day');

/** The time of day alone. */
export const clock = ({ formats }: View, at: Date): Markup =>
  time(at, formats.clock(at), formats.moment(at), 'clock');

/** Two moments and the time between them; the second without its day if that is the same. */
export function between(view: View, from: Date, to: Date): Markup {
  const { words, formats, snapshot } = view;
  const text = formats.dayKey(from) === formats.dayKey(to) ? formats.clock(to) : formats.day(to, snapshot.at);
  return sentence(words.between, {
    from: moment(view, from),
    to: html`<time datetime="${to.toISOString()}" title="${formats.moment(to)}" data-form="end" data-from="${from.toISOString()}">${text}</time>`,
    duration: formats.duration(secondsBetween(from, to)),
  });
}

const time = (at: Date, text: string, whole: string, form: 'day' | 'clock'): Markup =>
  html`<time datetime="${at.toISOString()}" title="${whole}" data-form="${form}">${text}</time>`;

export const secondsBetween = (from: Date, to: Date): number => (to.getTime() - from.getTime()) / 1000;

/** Markdown that a person wrote about an incident. `under`: the level of the heading above it. */
export const written = (text: string, under: 2 | 3 | 4): Markup | null =>
  text === ''
    ? null
    : html`<div class="written" dir="auto">${new Markup(renderMarkdown(text, { headings: HEADINGS[under] }))}</div>`;

const HEADINGS = { 2: 3, 3: 4, 4: 5 } as const;

/** Text that a person wrote, with its line breaks and in its own direction. */
export const prose = (text: string): Markup | null =>
  text === '' ? null : html`<div class="prose" dir="auto">${text}</div>`;
