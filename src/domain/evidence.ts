import type { Opened } from './confirmation-types.ts';
import { expectationOfClass, expectationWords } from './expectation-words.ts';
import { capital, foundWords, listed } from './failure-words.ts';
import type { CheckStatus } from './names.ts';

/** One of the newest checks when the incident opened, at least one of every failing region. */
export type LatestCheck = {
  check_id: string;
  checked_at_unix: number;
  region: string;
  /** The region's name, as people read it. */
  region_name: string;
  status: CheckStatus;
  cause_layer: string | null;
  detail: string | null;
  latency_ms: number | null;
  response_code: number | null;
  failure_class: string | null;
};

export type EvidenceFinding = {
  failure_class: string;
  expected_summary: string;
  actual_summary: string;
  occurrence_count: number;
  latest_checked_at_unix: number;
  regions: string[];
};

/**
 * The interface's evidence object, version 1: the immutable snapshot of what opened an incident
 * (docs/rules/confirmation.md#evidence).
 */
export type Evidence = {
  version: 1;
  reason: string;
  confirmation_state: 'confirmed';
  check_kind: string;
  failure_class: string;
  expected_summary: string;
  actual_summary: string;
  monitor_id: string;
  monitor_name: string;
  project_id: string;
  project_name: string;
  first_failure_at_unix: number;
  confirmed_outage_since_unix: number;
  triggered_at_unix: number;
  consecutive_failures_observed: number;
  consecutive_failures_required: number;
  expected_regions: number;
  failed_regions: number;
  reporting_regions: number;
  required_regions: number;
  minimum_confirmed_outage_seconds: number;
  checks: Omit<LatestCheck, 'failure_class' | 'region_name'>[];
  findings: EvidenceFinding[];
};

export type EvidenceInput = {
  opened: Opened;
  monitor: { id: string; name: string; type: string; config: Readonly<Record<string, unknown>> };
  project: { id: string; name: string };
  checks: readonly LatestCheck[];
};

/** Builds the evidence of an incident. Times are whole Unix seconds, cut off, so that their order stays. */
export function buildEvidence(input: EvidenceInput): Evidence {
  const { opened, monitor, project, checks } = input;
  const groups = groupsOf(input);
  return {
    version: 1,
    reason: opened.reason,
    confirmation_state: 'confirmed',
    check_kind: monitor.type,
    failure_class: groups[0]?.failureClass ?? 'unknown',
    expected_summary: sentence(`expected ${expectationWords(monitor.type, monitor.config)}`),
    actual_summary: sentence(actualWords(opened, groups)),
    monitor_id: monitor.id,
    monitor_name: monitor.name,
    project_id: project.id,
    project_name: project.name,
    first_failure_at_unix: unix(opened.firstFailureAtMs),
    confirmed_outage_since_unix: unix(opened.startedAtMs),
    triggered_at_unix: unix(opened.triggeredAtMs),
    consecutive_failures_observed: opened.consecutiveFailuresObserved,
    consecutive_failures_required: opened.consecutiveFailuresRequired,
    expected_regions: opened.expectedRegions,
    failed_regions: opened.failedRegions,
    reporting_regions: opened.reportingRegions,
    required_regions: opened.requiredRegions,
    minimum_confirmed_outage_seconds: opened.minimumOutageSeconds,
    checks: newestFirst(checks).map(({ failure_class: _, region_name: __, ...check }) => check),
    findings: groups.map((group) => findingOf(group, input)),
  };
}

/** `cause` (one line: the failure) and `summary` (with the expected answer) of an automatic incident. */
export function incidentWords(input: Omit<EvidenceInput, 'project'>): { cause: string; summary: string } {
  const { opened, monitor } = input;
  const groups = groupsOf(input);
  const [first] = groups;
  const expected = expectationWords(monitor.type, monitor.config);
  return {
    cause: capital(first ? foundIn(first, opened) : actualWords(opened, groups)),
    summary: `${monitor.name}: ${actualWords(opened, groups)}. ${sentence(`expected ${expected}`)}`,
  };
}

type Group = {
  failureClass: string;
  found: LatestCheck[];
  regions: string[];
  regionNames: string[];
  codes: number[];
};

/** Failing checks by failure class, the class of most regions first, then the one found most often. */
function groupsOf({ checks }: Pick<EvidenceInput, 'checks'>): Group[] {
  const failed = newestFirst(checks).filter((check) => check.status === 'down');
  const groups = [...Map.groupBy(failed, (check) => check.failure_class ?? 'unknown')].map(
    ([failureClass, found]) => ({
      failureClass,
      found,
      regions: [...new Set(found.map((check) => check.region))].sort(),
      regionNames: [...new Set(found.map((check) => check.region_name))].sort(),
      codes: [...new Set(found.map((check) => check.response_code).filter((code) => code !== null))],
    }),
  );
  return groups.sort(
    (a, b) =>
      b.regions.length - a.regions.length ||
      b.found.length - a.found.length ||
      (a.failureClass < b.failureClass ? -1 : 1),
  );
}

function findingOf(group: Group, { opened, monitor }: EvidenceInput): EvidenceFinding {
  const expected = expectationOfClass(group.failureClass, monitor.type, monitor.config);
  return {
    failure_class: group.failureClass,
    expected_summary: sentence(`expected ${expected}`),
    actual_summary: sentence(foundIn(group, opened)),
    occurrence_count: group.found.length,
    latest_checked_at_unix: Math.max(...group.found.map((check) => check.checked_at_unix)),
    regions: group.regions.filter(isNamed),
  };
}

function actualWords(opened: Opened, groups: readonly Group[]): string {
  if (groups.length === 0) return `no passing check${fromWhere(opened.failingRegions, opened)}`;
  return listed(
    groups.map((group) => foundIn(group, opened)),
    'and',
  );
}

/** "HTTP 503 (2 of 3 regions)", "connection refused (Frankfurt)". */
function foundIn({ failureClass, codes, regionNames }: Group, opened: Opened): string {
  const codeWords = listed([...codes].sort((a, b) => a - b).map(String), 'and');
  const failure =
    failureClass === 'http_status' && codeWords !== '' ? `HTTP ${codeWords}` : foundWords(failureClass);
  return `${failure}${fromWhere(regionNames, opened)}`;
}

/** The region's name where the monitor has only one. */
function fromWhere(regions: readonly string[], { expectedRegions }: Opened): string {
  if (!regions.some(isNamed)) return '';
  return expectedRegions === 1
    ? ` (${regions.join(', ')})`
    : ` (${regions.length} of ${expectedRegions} regions)`;
}

/** The results of a monitor without regions are stored under an empty name. */
const isNamed = (region: string): boolean => region !== '';

function newestFirst(checks: readonly LatestCheck[]): LatestCheck[] {
  return [...checks].sort(
    (a, b) =>
      b.checked_at_unix - a.checked_at_unix || (a.region < b.region ? -1 : a.region > b.region ? 1 : 0),
  );
}

function unix(ms: number): number {
  return Math.floor(ms / 1000);
}

function sentence(words: string): string {
  return `${capital(words)}.`;
}
