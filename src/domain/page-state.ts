// The states that a status page shows for a monitor, a group and the whole page (docs/rules/status-pages.md#states). Pure.
import type { IncidentSeverity, PageState } from './names.ts';

export type MonitorPageState = Exclude<PageState, 'partial_outage'>;

export type MonitorFacts = {
  enabled: boolean;
  /** failed, degraded or passed; null before the first result. */
  lastStatus: string | null;
  /** None of its regions reports. */
  hasNoData: boolean;
  /** Inside a public maintenance window. */
  inMaintenance: boolean;
  /** Has an open incident, which opened before the window or by hand. */
  hasOpenIncident: boolean;
};

/** The state of one monitor. Planned work explains a failure, except one that was an incident already. */
export function monitorState(facts: MonitorFacts): MonitorPageState {
  const { enabled, lastStatus, hasNoData, inMaintenance, hasOpenIncident } = facts;
  if (!enabled) return 'no_data';
  if (inMaintenance && !hasOpenIncident) return 'maintenance';
  if (lastStatus === null || hasNoData) return 'no_data';
  if (lastStatus === 'failed') return 'major_outage';
  return lastStatus === 'degraded' ? 'degraded' : 'operational';
}

/** The state of a group or of a page, from its monitors. */
export function sharedState(monitors: readonly MonitorPageState[]): PageState {
  const reporting = monitors.filter((state) => state !== 'no_data');
  if (reporting.length === 0) return 'no_data';
  const failed = reporting.filter((state) => state === 'major_outage').length;
  if (failed * 2 >= reporting.length) return 'major_outage';
  if (failed > 0) return 'partial_outage';
  if (reporting.includes('degraded')) return 'degraded';
  return reporting.includes('maintenance') ? 'maintenance' : 'operational';
}

/** From the best to the worst. */
const ORDER: readonly PageState[] = [
  'operational',
  'no_data',
  'maintenance',
  'degraded',
  'partial_outage',
  'major_outage',
];

/** The state that a page has at least while an incident of this severity is open on it. */
const RAISED_TO: Readonly<Record<IncidentSeverity, PageState>> = {
  critical: 'partial_outage',
  default: 'degraded',
  degraded: 'degraded',
};

/** The state of a page: its monitors', raised by the severities of the open incidents that are linked to it. */
export function pageState(
  monitors: readonly MonitorPageState[],
  open: readonly IncidentSeverity[],
): PageState {
  return open
    .map((severity) => RAISED_TO[severity])
    .reduce(
      (worst, state) => (ORDER.indexOf(state) > ORDER.indexOf(worst) ? state : worst),
      sharedState(monitors),
    );
}
