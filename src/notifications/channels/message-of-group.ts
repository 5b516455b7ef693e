// The content of a message about a storm: numbers, and a list (docs/rules/notifications.md#storms).
import type { EventToRender, Group, Message } from './channel.ts';
import { incidentsOf, type Rendered, renderEvent, SYMBOLS, type Tone } from './message.ts';
import { oneLine } from './text.ts';

/** Incidents that are listed by name; the others are only counted. */
export const LISTED = 20;

export type RenderedGroup = Omit<Rendered, 'text'> & {
  /** The last event of each of the first incidents. */
  lines: { symbol: string; headline: string; text: string | null }[];
  /** Incidents of this message that are not listed. */
  more: number;
};

/** The content of one message about many events of a group. */
export function renderGroup(message: Message, group: Group): RenderedGroup {
  const last = lastEvents(message.events);
  const lines = last.slice(0, LISTED).map((event) => {
    const { tone, headline, text } = renderEvent(event, message.baseUrl);
    return { symbol: SYMBOLS[tone], headline, text: text === null ? null : oneLine(text) };
  });
  const { total, open, unacknowledged } = group;
  return {
    tone: toneOf(group),
    headline: headlineOf(group),
    lines,
    more: last.length - lines.length,
    facts: [
      { label: 'Incidents', text: String(total) },
      { label: 'Open', text: String(open) },
      { label: 'Not acknowledged', text: String(unacknowledged) },
    ],
    link: { label: 'Open the incidents', url: incidentsOf(message) },
  };
}

/** "and N more", or nothing. */
export const moreWords = (more: number): string => (more > 0 ? `and ${more} more` : '');

/** One line: how many incidents there are, and how many are still to be dealt with. */
export function headlineOf({ total, open, unacknowledged }: Group): string {
  const all = `${total} ${total === 1 ? 'incident' : 'incidents'}`;
  if (open === 0) return `Alarm storm over: ${all}, all resolved`;
  const state = unacknowledged === 0 ? 'all of these acknowledged' : `${unacknowledged} not acknowledged`;
  return `Alarm storm: ${all}, ${open} open, ${state}`;
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
