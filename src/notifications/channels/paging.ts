// A page at a paging provider stands for one incident or for a whole group. Messages move its state.
import type { EventName } from '#src/domain/names.ts';
import type { EventBody, IncidentPayload } from '../event-body.ts';
import type { Message } from './channel.ts';

/** The state of a page. */
export type PageState = 'open' | 'acknowledged' | 'closed';

const STATES: Partial<Record<EventName, PageState>> = {
  opened: 'open',
  escalated: 'open',
  acknowledged: 'acknowledged',
  resolved: 'closed',
  // A false alarm, or an outage that is over: nobody has to come in either case.
  discarded: 'closed',
};

export const movesPage = (event: EventName): boolean => event in STATES;

/**
 * The state that a message puts the page into; null where it changes nothing. A group's page is open while any incident of
 * the group is open and not acknowledged.
 */
export function stateOf({ events, group }: Message): PageState | null {
  if (!group) return STATES[events[0]?.event ?? 'test'] ?? null;
  if (group.open === 0) return 'closed';
  return group.unacknowledged === 0 ? 'acknowledged' : 'open';
}

/**
 * The key of the page at the provider: the incident's id, or the group's number. Group numbers are unique in an
 * installation only; with the organization's id the key is unique everywhere.
 */
export function keyOf({ events, group }: Message): string {
  const [event] = events;
  if (group) return `group:${event?.organization.id ?? ''}:${group.no}`;
  return event?.incident?.id ?? `test:${event?.id ?? ''}`;
}

/** How serious an incident is; 1 is the worst. A severity level set by people comes before the policy's severity. */
export function gravityOf({ severity, severity_level }: IncidentPayload): 1 | 2 | 3 {
  if (severity_level !== null) return ({ sev1: 1, sev2: 2, sev3: 3 } as const)[severity_level] ?? 2;
  return ({ critical: 1, default: 2, degraded: 3 } as const)[severity] ?? 2;
}

/** The most serious of the incidents of these events. */
export function worstOf(events: readonly EventBody[]): 1 | 2 | 3 {
  const found = events.flatMap(({ incident }) => (incident ? [gravityOf(incident)] : []));
  return found.length === 0 ? 2 : (Math.min(...found) as 1 | 2 | 3);
}
