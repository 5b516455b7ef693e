// Browser-safe. Which incidents a list shows: the page and its CSV decide by the same function. Pure.
import type { IncidentSeverity } from './names.ts';

const OPEN_STATES = ['triggered', 'acknowledged', 'held'] as const;
const CLOSED_STATES = ['resolved', 'discarded'] as const;
/** How far an incident is: `held` while nobody has it and its alarm is held. */
export const INCIDENT_STATES = [...OPEN_STATES, ...CLOSED_STATES] as const;
export type IncidentState = (typeof INCIDENT_STATES)[number];

export const INCIDENT_LISTS = ['open', 'closed', 'all'] as const;
export type IncidentListKind = (typeof INCIDENT_LISTS)[number];

/** The states that an incident can be in among those that are shown. */
export const STATES_OF: Readonly<Record<IncidentListKind, readonly IncidentState[]>> = {
  open: OPEN_STATES,
  closed: CLOSED_STATES,
  all: INCIDENT_STATES,
};

type Stated = { lifecycle_state: string; alarm_held_until_unix: number | null };
type Shown = Stated & {
  severity: string;
  monitor_name: string | null;
  project_name: string | null;
  cause: string;
};

export type IncidentFilter = {
  severity?: IncidentSeverity | undefined;
  state?: IncidentState | undefined;
  /** Part of the name of the monitor, of its project, or of the cause, whatever the case. */
  text?: string | undefined;
};

/** Nobody has it, its alarm is held, somebody has it, it is over, or it was a false alarm. */
export function stateOf({ lifecycle_state, alarm_held_until_unix }: Stated): IncidentState {
  const state = INCIDENT_STATES.find((each) => each === lifecycle_state) ?? 'triggered';
  return state === 'triggered' && alarm_held_until_unix !== null ? 'held' : state;
}

/** Whether an incident passes the filters. */
export function matches(incident: Shown, { severity, state, text = '' }: IncidentFilter): boolean {
  if (severity !== undefined && incident.severity !== severity) return false;
  if (state !== undefined && stateOf(incident) !== state) return false;
  const words = [incident.monitor_name, incident.project_name, incident.cause].join(' ').toLocaleLowerCase();
  return words.includes(text.trim().toLocaleLowerCase());
}
