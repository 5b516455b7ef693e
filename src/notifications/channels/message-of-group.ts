// The content of a message about a storm: its name, numbers, and a list (docs/rules/notifications.md#storms).
import { causeIn, stormNameIn } from '#src/domain/cause-words.ts';
import type { PageLanguage } from '#src/domain/names.ts';
import { filled } from '#src/platform/page-language.ts';
import type { EventToRender, Group, GroupMember, GroupState, Message } from './channel.ts';
import { incidentsOf, type Rendered, renderEvent, SYMBOLS, type Tone } from './message.ts';
import { clean, oneLine } from './text.ts';
import { CHAT_WORDS } from './words.ts';

/** Incidents that are listed by name; the others are only counted. */
export const LISTED = 20;

export type RenderedGroup = Omit<Rendered, 'text'> & {
  /** The first incidents in their current state, or the last event of each changed one. */
  lines: Line[];
  /** Incidents of this message that are not listed. */
  more: number;
};

type Line = { symbol: string; headline: string; text: string | null };

/** The part of a storm that a message belongs to. `after`: an incident changes once all are over. */
export type Phase = 'begins' | 'changes' | 'ends' | 'after';

export function phaseOf({ open, reported }: Pick<Group, 'open' | 'reported'>): Phase {
  if (open > 0) return reported === null || reported === 'over' ? 'begins' : 'changes';
  return reported === 'over' ? 'after' : 'ends';
}

/**
 * The content of one message about many events of a group. The first message, and one that replaces it (`whole`), lists the
 * current incidents; all others list the changes.
 */
export function renderGroup(message: Message, group: Group, whole = false): RenderedGroup {
  const { language } = message;
  const words = CHAT_WORDS[language];
  const phase = phaseOf(group);
  const isList = (whole || phase === 'begins') && group.members.length > 0;
  const { lines, count } = isList ? currentIncidents(group, language) : changed(message);
  const { total, open, unacknowledged } = group;
  return {
    tone: phase === 'after' ? 'neutral' : toneOf(group),
    headline: headlineOf(group, language),
    lines,
    more: count - lines.length,
    facts: [
      { label: words.incidents, text: String(total) },
      { label: words.open, text: String(open) },
      { label: words.notAcknowledged, text: String(unacknowledged) },
    ],
    link: { label: words.openIncidents, url: incidentsOf(message) },
  };
}

const STATES = {
  open: { head: 'down', tone: 'critical' },
  acknowledged: { head: 'acknowledged', tone: 'info' },
  over: { head: 'resolved', tone: 'good' },
} as const satisfies Record<GroupState, { head: string; tone: Tone }>;

function currentIncidents(
  { members, total }: Group,
  language: PageLanguage,
): { lines: Line[]; count: number } {
  const { heads, unnamed } = CHAT_WORDS[language];
  const lineOf = ({ name, cause, state }: GroupMember): Line => {
    const { head, tone } = STATES[state];
    const why = causeIn(cause, language);
    return {
      symbol: SYMBOLS[tone],
      headline: `${heads[head]}: ${oneLine(name) || unnamed}`,
      text: clean(why) ? oneLine(why) : null,
    };
  };
  return { lines: members.slice(0, LISTED).map(lineOf), count: total };
}

function changed({ events, baseUrl, language }: Message): { lines: Line[]; count: number } {
  const last = lastEvents(events);
  const lines = last.slice(0, LISTED).map((event) => {
    const { tone, headline, text } = renderEvent(event, baseUrl, language);
    return { symbol: SYMBOLS[tone], headline, text: text === null ? null : oneLine(text) };
  });
  return { lines, count: last.length };
}

/** "and N more", or nothing. */
export const moreWords = (more: number, language: PageLanguage): string =>
  more > 0 ? filled(CHAT_WORDS[language].more, { count: more }) : '';

/** One line: what the incidents share, how many there are, and how many are still to be dealt with. */
export function headlineOf(
  group: Pick<Group, 'name' | 'total' | 'open' | 'unacknowledged' | 'reported'>,
  language: PageLanguage,
): string {
  const words = CHAT_WORDS[language];
  const { name, total, open, unacknowledged } = group;
  const what = name === null ? '' : `: ${oneLine(stormNameIn(name, language))}`;
  const all = total === 1 ? words.oneIncident : filled(words.manyIncidents, { count: total });
  if (open === 0)
    return phaseOf(group) === 'after'
      ? `${words.stormAfter}${what}`
      : `${words.stormOver}${what}: ${all}, ${words.allResolved}`;
  const state =
    unacknowledged === 0
      ? words.allAcknowledged
      : filled(words.countNotAcknowledged, { count: unacknowledged });
  return `${words.storm}${what}: ${all}, ${filled(words.countOpen, { count: open })}, ${state}`;
}

function toneOf({ open, unacknowledged }: Group): Tone {
  if (open === 0) return 'good';
  return unacknowledged === 0 ? 'info' : 'critical';
}

/** The last event of each incident, in the order of the first ones. Each text that somebody wrote counts separately. */
function lastEvents(events: readonly EventToRender[]): EventToRender[] {
  const last = new Map<string, EventToRender>();
  for (const event of events) last.set(event.note?.id ?? event.incident?.id ?? event.id, event);
  return [...last.values()];
}
