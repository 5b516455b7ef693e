// The filters of the incident list, kept in the URL so that the list can be shared. Pure.
import {
  INCIDENT_LISTS,
  type IncidentListKind,
  type IncidentState,
  STATES_OF,
} from '#src/domain/incident-filter.ts';
import { INCIDENT_SEVERITIES, type IncidentSeverity } from '#src/domain/names.ts';

export { matches, STATES_OF, stateOf } from '#src/domain/incident-filter.ts';

export const SHOWN = INCIDENT_LISTS;
export type Shown = IncidentListKind;
export type State = IncidentState;

export type IncidentSearch = {
  status?: Exclude<Shown, 'open'>;
  severity?: IncidentSeverity;
  state?: State;
  text?: string;
};

/** Parses the URL parameters; drops filters that are invalid or can match nothing. */
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

/** Whether any filter beyond the status is set. */
export const isFiltered = ({ severity, state, text }: IncidentSearch): boolean =>
  severity !== undefined || state !== undefined || text !== undefined;
