import type { ConfirmationState } from './confirmation-state.ts';
import type { Span } from './maintenance.ts';
import type { CheckStatus } from './names.ts';
import type { EffectivePolicy } from './policy.ts';

/** The part of a monitor that confirmation needs. A type without regions gets one artificial region, always online. */
export type MonitorRules = {
  policy: EffectivePolicy;
  /** The configured interval, never the faster one: the reporting window is 3 × this plus the timeout. */
  intervalSeconds: number;
  timeoutMs: number;
  regions: readonly string[];
};

/** One raw result. `probeFault`: cause_layer is `probe`, so it does not count as a result. */
export type RegionResult = { region: string; atMs: number; status: CheckStatus; probeFault: boolean };

/** Everything that a decision depends on beside the rules, the state and the result. */
export type Inputs = {
  /** The server's clock. */
  nowMs: number;
  /** Regions with a probe online; others than the monitor's are ignored. */
  onlineRegions: readonly string[];
  /** Newest stored result per region, without probe faults, before the current batch. */
  lastResultAtMs: Readonly<Record<string, number>>;
  /** Maintenance of the monitor: every window in force that began by now and ended since the outage or a result that counts. */
  maintenance: readonly Span[];
};

export type Opened = {
  kind: 'opened';
  /** Why it opened now: the quorum itself, the minimum duration, a result after silence, the end of maintenance. */
  reason: 'quorum_reached' | 'minimum_duration_passed' | 'reporting_again' | 'maintenance_ended';
  /** Beginning of the confirmed outage: `started_at` and evidence's `confirmed_outage_since`. */
  startedAtMs: number;
  failurePhaseStartedAtMs: number;
  firstFailureAtMs: number;
  triggeredAtMs: number;
  /** Failing, reporting regions that confirm it, sorted. */
  failingRegions: readonly string[];
  /** Every region that has failed in the outage so far, sorted. */
  downRegions: readonly string[];
  failedRegions: number;
  reportingRegions: number;
  expectedRegions: number;
  requiredRegions: number;
  /** Each of the failing regions failed at least this many times in a row. */
  consecutiveFailuresObserved: number;
  consecutiveFailuresRequired: number;
  minimumOutageSeconds: number;
};

/** A change that confirmation found: a region turned, an outage began or ended, an incident opens or resolves. */
export type ConfirmationEvent =
  | Opened
  | { kind: 'resolved'; reason: 'recovered'; atMs: number }
  | { kind: 'outage_began'; sinceMs: number; regions: readonly string[] }
  | { kind: 'outage_ended'; atMs: number }
  /** The region became failing, or came back online failing during an outage: `downRegions` may have grown. */
  | { kind: 'region_failing'; region: string; atMs: number }
  | { kind: 'region_recovered'; region: string; atMs: number };

/** Why a decision came out as it did: for logs, metrics and tests. */
export type Reason =
  // Not processed: kept as history, changes nothing.
  | 'probe_fault'
  | 'region_not_checked'
  | 'late'
  | 'not_newer'
  // Something happened: named after the most important event.
  | 'opened'
  | 'resolved'
  | 'outage_began'
  | 'outage_ended'
  | 'region_failing'
  | 'region_recovered'
  // Nothing happened, because …
  | 'incident_open'
  | 'in_maintenance'
  | 'too_few_reporting'
  | 'minimum_duration_runs'
  | 'no_outage';

export type Decision = {
  /** The same object if nothing has changed. */
  state: ConfirmationState;
  /** In the order in which they happened. */
  events: readonly ConfirmationEvent[];
  reason: Reason;
  /**
   * When time alone will change the state: store one job per monitor that calls `advanceTime` then, and delete it on
   * null. An instant that is not after `nowMs` means: call `advanceTime` once the batch is applied.
   */
  reevaluateAtMs: number | null;
  /** False when the result is only history: it changed no streak. Always false for `advanceTime`. */
  accepted: boolean;
};
