// The content of a message about a storm: its name, numbers, and a list (docs/rules/notifications.md#storms).
import type { EventToRender, Group, GroupMember, GroupState, Message } from './channel.ts';
import { incidentsOf, type Rendered, renderEvent, SYMBOLS, type Tone } from './message.ts';
import { clean, oneLine } from './text.ts';

/** Incidents that are listed by name; the others are only counted. */
export const LISTED = 20;

export type RenderedGroup = Omit<Rendered, 'text'> & {
  /** The first incidents as they stand, or the last event of each that has changed. */
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
  const phase = phaseOf(group);
  const isList = (whole || phase === 'begins') && group.members.length > 0;
  const { lines, count } = isList ? standing(group) : changed(message);
  const { total, open, unacknowledged } = group;
  return {
    tone: phase === 'after' ? 'neutral' : toneOf(group),
    headline: headlineOf(group),
    lines,
    more: count - lines.length,
    facts: [
      { label: 'Incidents', text: String(total) },
      { label: 'Open', text: String(open) },
      { label: 'Not acknowledged', text: String(unacknowledged) },
    ],
    link: { label: 'Open the incidents', url: incidentsOf(message) },
  };
}

const WORDS: Record<GroupState, { word: string; tone: Tone }> = {
  open: { word: 'Down', tone: 'critical' },
  acknowledged: { word: 'Acknowledged', tone: 'info' },
  over: { word: 'Resolved', tone: 'good' },
};

function standing({ members, total }: Group): { lines: Line[]; count: number } {
  const lineOf = ({ name, cause, state }: GroupMember): Line => {
    const { word, tone } = WORDS[state];
    return {
      symbol: SYMBOLS[tone],
      headline: `${word}: ${oneLine(name) || 'unnamed'}`,
      text: clean(cause) ? oneLine(cause) : null,
    };
  };
  return { lines: members.slice(0, LISTED).map(lineOf), count: total };
}

function changed({ events, baseUrl }: Message): { lines: Line[]; count: number } {
  const last = lastEvents(events);
  const lines = last.slice(0, LISTED).map((event) => {
    const { tone, headline, text } = renderEvent(event, baseUrl);
    return { symbol: SYMBOLS[tone], headline, text: text === null ? null : oneLine(text) };
  });
  return { lines, count: last.length };
}

/** "and N more", or nothing. */
export const moreWords = (more: number): string => (more > 0 ? `and ${more} more` : '');

/** One line: what the incidents share, how many there are, and how many are still to be dealt with. */
export function headlineOf(
  group: Pick<Group, 'name' | 'total' | 'open' | 'unacknowledged' | 'reported'>,
): string {
  const { name, total, open, unacknowledged } = group;
  const what = name === null ? '' : `: ${oneLine(name)}`;
  const all = `${total} ${total === 1 ? 'incident' : 'incidents'}`;
  if (open === 0)
    return phaseOf(group) === 'after'
      ? `After the alarm storm${what}`
      : `Alarm storm over${what}: ${all}, all resolved`;
  const state = unacknowledged === 0 ? 'all of these acknowledged' : `${unacknowledged} not acknowledged`;
  return `Alarm storm${what}: ${all}, ${open} open, ${state}`;
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
