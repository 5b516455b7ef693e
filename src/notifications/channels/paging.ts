// What paging providers are told of: the state of one page, which stands for an incident or for a whole group.
import type { EventName } from '#src/domain/names.ts';
import type { EventBody, IncidentPayload } from '../event-body.ts';
import type { Message } from './channel.ts';

/** What becomes of the page. */
export type PageState = 'open' | 'acknowledged' | 'closed';

const STATES: Partial<Record<EventName, PageState>> = {
  opened: 'open',
  escalated: 'open',
  acknowledged: 'acknowledged',
  resolved: 'closed',
  // A false alarm, or an outage that is over: either way nobody has to come.
  discarded: 'closed',
};

export const movesPage = (event: EventName): boolean => event in STATES;

/**
 * The state that a message puts the page into; null where it says nothing of it. A group's page is open while anything
 * of it is open and nobody's.
 */
export function stateOf({ events, group }: Message): PageState | null {
  if (!group) return STATES[events[0]?.event ?? 'test'] ?? null;
  if (group.open === 0) return 'closed';
  return group.unacknowledged === 0 ? 'acknowledged' : 'open';
}

/**
 * The provider's key of the page: the incident's id, or the group's. Group numbers are an installation's own, and the
 * organization's id makes them nobody else's.
 */
export function keyOf({ events, group }: Message): string {
  const [event] = events;
  if (group) return `group:${event?.organization.id ?? ''}:${group.no}`;
  return event?.incident?.id ?? `test:${event?.id ?? ''}`;
}

/** How grave an incident is, one for the worst; what people called it counts before what the policy made of it. */
export function gravityOf({ severity, severity_level }: IncidentPayload): 1 | 2 | 3 {
  if (severity_level !== null) return ({ sev1: 1, sev2: 2, sev3: 3 } as const)[severity_level] ?? 2;
  return ({ critical: 1, default: 2, degraded: 3 } as const)[severity] ?? 2;
}

/** The gravest of the incidents of these events. */
export function worstOf(events: readonly EventBody[]): 1 | 2 | 3 {
  const found = events.flatMap(({ incident }) => (incident ? [gravityOf(incident)] : []));
  return found.length === 0 ? 2 : (Math.min(...found) as 1 | 2 | 3);
}
