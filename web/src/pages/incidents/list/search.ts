// What of the incident list is shown: kept in the address, so that it can be sent to somebody. Pure.
import { INCIDENT_SEVERITIES, type IncidentSeverity } from '#src/domain/names.ts';
import type { IncidentSummary } from '#src/incidents/contract.ts';

export const SHOWN = ['open', 'closed', 'all'] as const;
export type Shown = (typeof SHOWN)[number];

const OPEN_STATES = ['triggered', 'acknowledged', 'held'] as const;
const CLOSED_STATES = ['resolved', 'discarded'] as const;
export type State = (typeof OPEN_STATES | typeof CLOSED_STATES)[number];

/** The states that an incident can be in among those that are shown. */
export const STATES_OF: Readonly<Record<Shown, readonly State[]>> = {
  open: OPEN_STATES,
  closed: CLOSED_STATES,
  all: [...OPEN_STATES, ...CLOSED_STATES],
};

export type IncidentSearch = {
  status?: Exclude<Shown, 'open'>;
  severity?: IncidentSeverity;
  state?: State;
  text?: string;
};

/** Reads the search of an address; what is not understood, or can match nothing, is left out. */
export function readIncidentSearch(search: Record<string, unknown>): IncidentSearch {
  const status = SHOWN.find((each) => each === search.status) ?? 'open';
  const severity = INCIDENT_SEVERITIES.find((each) => each === search.severity);
  const state = STATES_OF[status].find((each) => each === search.state);
  const text = typeof search.text === 'number' ? String(search.text) : search.text;
  return {
    ...(status !== 'open' && { status }),
    ...(severity && { severity }),
    ...(state && { state }),
    ...(typeof text === 'string' && text !== '' && { text }),
  };
}

/** Whether something beside open, closed or all was chosen. */
export const isFiltered = ({ severity, state, text }: IncidentSearch): boolean =>
  severity !== undefined || state !== undefined || text !== undefined;

/** How far it is: nobody has it, its alarm is held, somebody has it, it is over, or it was a false alarm. */
export function stateOf({
  lifecycle_state,
  alarm_held_until_unix,
}: Pick<IncidentSummary, 'lifecycle_state' | 'alarm_held_until_unix'>): State {
  const state = STATES_OF.all.find((each) => each === lifecycle_state) ?? 'triggered';
  return state === 'triggered' && alarm_held_until_unix !== null ? 'held' : state;
}

/** Whether an incident passes the filters. */
export function matches(
  incident: IncidentSummary,
  { severity, state, text = '' }: Omit<IncidentSearch, 'status'>,
): boolean {
  if (severity !== undefined && incident.severity !== severity) return false;
  if (state !== undefined && stateOf(incident) !== state) return false;
  const words = [incident.monitor_name, incident.project_name, incident.cause].join(' ').toLocaleLowerCase();
  return words.includes(text.trim().toLocaleLowerCase());
}
