// What of the incident list is shown: kept in the address, so that it can be sent to somebody. Pure.
import { INCIDENT_SEVERITIES, type IncidentSeverity } from '../../../../../src/domain/names.ts';
import type { IncidentDetail, IncidentSummary } from '../../../../../src/incidents/contract.ts';

export const SHOWN = ['open', 'closed', 'all'] as const;
export const STATES = ['triggered', 'acknowledged', 'held'] as const;
export type State = (typeof STATES)[number];
export type IncidentSearch = {
  status?: 'closed' | 'all';
  severity?: IncidentSeverity;
  state?: State;
  text?: string;
};

/** Reads the search of an address; what is not understood is left out. */
export function readIncidentSearch(search: Record<string, unknown>): IncidentSearch {
  const severity = INCIDENT_SEVERITIES.find((each) => each === search.severity);
  const state = STATES.find((each) => each === search.state);
  const { status } = search;
  const text = typeof search.text === 'number' ? String(search.text) : search.text;
  return {
    ...(status === 'closed' || status === 'all' ? { status } : {}),
    ...(severity && { severity }),
    ...(state && status !== 'closed' && { state }),
    ...(typeof text === 'string' && text !== '' && { text }),
  };
}

/** Whether something beside open, closed or all was chosen. */
export const isFiltered = ({ severity, state, text }: IncidentSearch): boolean =>
  severity !== undefined || state !== undefined || text !== undefined;

/** Nobody has it, somebody has it, or its alarm is held; closed ones are in none of these. */
export function stateOf(detail: IncidentDetail | undefined): State | null {
  if (detail === undefined || detail.status !== 'open') return null;
  if (detail.lifecycle_state === 'acknowledged') return 'acknowledged';
  return detail.alarm_held_until_unix === null ? 'triggered' : 'held';
}

/** Whether an incident passes the filters; its detail is needed for the state alone. */
export function matches(
  incident: IncidentSummary,
  detail: IncidentDetail | undefined,
  { severity, state, text = '' }: IncidentSearch,
): boolean {
  if (severity !== undefined && incident.severity !== severity) return false;
  if (state !== undefined && stateOf(detail) !== state) return false;
  const words = [incident.monitor_name, incident.project_name, incident.cause].join(' ').toLocaleLowerCase();
  return words.includes(text.trim().toLocaleLowerCase());
}
