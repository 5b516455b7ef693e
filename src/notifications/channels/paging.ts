// A page at a paging provider stands for one incident or for a whole group. Messages move its state.

import type { EventName } from '#src/domain/names.ts';
import { type SeverityRank, severityRankOf, worstOf } from '#src/domain/severity-rank.ts';
import type { Group, GroupPage, Message } from './channel.ts';

/** The state of a page. */
export type PageState = 'open' | 'acknowledged' | 'closed';

const STATES: Partial<Record<EventName, PageState>> = {
  opened: 'open',
  escalated: 'open',
  acknowledged: 'acknowledged',
  resolved: 'closed',
  // Nobody needs to respond to a false alarm or to an outage that is over.
  discarded: 'closed',
};

export const movesPage = (event: EventName): boolean => event in STATES;

/** Whether an event is a reason to page somebody. */
export const opensPage = (event: string): boolean => STATES[event as EventName] === 'open';

/** The events that are. */
export const WAKING = (Object.keys(STATES) as EventName[]).filter(opensPage);

/** `worst`: how serious the page is, which stands for all open incidents of its alarm, not only for those of the message. */
type Move = { key: string; state: PageState | null; worst: SeverityRank; about: Message };

/**
 * The pages that a message changes, each with its new state; null keeps the state. A group has one page per alarm: once that is
 * acknowledged, later incidents wake people with a new page. Pages of incidents that opened before their group are closed after
 * the page that replaces them.
 */
export function movesOf(message: Message): Move[] {
  const { group } = message;
  const worst = worstOf(
    message.events.flatMap(({ incident }) => (incident ? [severityRankOf(incident)] : [])),
  );
  if (!group) return [{ key: keyOfOne(message), state: stateOfOne(message), worst, about: message }];
  const pages = group.pages.map((page) => ({
    key: `group:${message.events[0]?.organization.id ?? ''}:${page.alarmNo}`,
    state: stateOfPage(page),
    worst: page.worst,
    about: { ...message, group: onlyOf(group, page) },
  }));
  const replaced = group.paged.map((id) => ({ key: id, state: 'closed' as const, worst, about: message }));
  return [...pages, ...replaced];
}

const stateOfOne = ({ events: [event] }: Message): PageState | null =>
  event?.drill?.state ?? STATES[event?.event ?? 'test'] ?? null;

const keyOfOne = ({ events: [event] }: Message): string =>
  event?.incident?.id ?? event?.drill?.id ?? `test:${event?.id ?? ''}`;

/**
 * The state that a message moves the page of an alarm to; null: nothing opens it yet. A page that the provider does not know may
 * be closed, since that harms nothing, and one that stays open would.
 */
export function stateOfPage({ open, unacknowledged, mayOpen }: GroupPage): PageState | null {
  if (open === 0) return 'closed';
  if (unacknowledged === 0) return 'acknowledged';
  return mayOpen ? 'open' : null;
}

const onlyOf = (group: Group, { total, open, unacknowledged }: GroupPage): Group => ({
  ...group,
  total,
  open,
  unacknowledged,
});
