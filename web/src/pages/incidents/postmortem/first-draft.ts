// The first draft of a post-mortem: the incident's title, times and timeline as Markdown. Pure.
import type { IncidentDetail } from '#src/incidents/contract.ts';
import type { Line } from '../timeline/lines.ts';
import { type Draft, maxLengthOf } from './draft.ts';

/** Texts in the reader's language; times are in UTC, since readers are in several time zones. */
export type DraftWords = {
  title: (incident: IncidentDetail, name: string) => string;
  impact: (incident: IncidentDetail, name: string) => string;
  facts: (incident: IncidentDetail) => readonly (readonly [label: string, value: string])[];
  timeline: string;
  /** null: the line is left out. */
  line: (line: Line) => string | null;
  more: (count: number) => string;
};

/** Escapes text for Markdown, so that no target's response can create a link, a heading or a list. */
export const escapeMarkdown = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>#|!~&]/g, '\\$&')
    .replace(/:\/\//g, ':\\//');

/** `2026-11-25 19:54:02`, in UTC. */
export const utcMoment = (unix: number): string =>
  new Date(unix * 1000).toISOString().slice(0, 19).replace('T', ' ');

const MAX_LINES = 100;
/** The automatic steps of the alarm are in the incident's timeline, and not part of the story. */
const MACHINERY = ['paged', 'delivered', 'delivery_failed', 'linked', 'unlinked', 'postmortem_published'];

/** The sections that the incident itself can fill; people write the others. */
export function firstDraft(incident: IncidentDetail, lines: readonly Line[], words: DraftWords): Draft {
  const name = incident.monitor_name ?? incident.cause;
  const story = lines.filter(({ kind }) => !MACHINERY.includes(kind));
  const entries = story.flatMap((line) => {
    const text = words.line(line);
    return text === null ? [] : [`- ${utcMoment(line.atUnix)} ${text}`];
  });
  const shown = entries.slice(0, MAX_LINES);
  const facts = words.facts(incident).map(([label, value]) => `- **${label}:** ${value}`);
  const summary = [
    facts.join('\n'),
    `**${words.timeline}**`,
    [...shown, ...(entries.length > MAX_LINES ? [`- ${words.more(entries.length - MAX_LINES)}`] : [])].join(
      '\n',
    ),
  ];
  return {
    title: words.title(incident, name).slice(0, maxLengthOf('title')),
    summary: summary.join('\n\n').slice(0, maxLengthOf('summary')),
    impact: words.impact(incident, name),
  };
}
