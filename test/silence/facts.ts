// What a walk has done itself, and nothing that the servers made of it.

/** A check that the servers have stored: a `result`, a fault of the probe that passes, or one after which nothing can be checked. */
export type Check = { atMs: number; kind: 'result' | 'fault' | 'never'; status: 'up' | 'degraded' | 'down' };

/** In place of a region: a host whose own agent reports. */
export const HOST = 'the host itself';

export type MonitorFacts = {
  id: string;
  name: string;
  orgId: string;
  /** Of a type that knows for itself: a heartbeat or a group. */
  knows: boolean;
  enabled: boolean;
  deleted: boolean;
  regions: readonly string[];
  intervalSeconds: number;
  timeoutMs: number;
  madeMs: number;
  /** When it was made, switched on or changed in what it checks. */
  changedMs: number;
  /** By region, in the order of their times. */
  checks: Map<string, Check[]>;
  /** When the newest result that passed arrived, and the newest that failed. */
  passedMs: number;
  failedMs: number;
  /** When a maintenance window of it ended last. */
  maintainedMs: number;
};

export type ProbeFacts = {
  region: string;
  id: string;
  /** Whether the operator has not refused it. */
  admitted: boolean;
  /** Its last request while it was admitted, also before it was removed. */
  contactMs: number | null;
  /** Its last request since it was registered. */
  seenMs: number | null;
  /** Since when results are awaited, in the time in which it was in contact; null: it has nothing to check. */
  awaitedMs: number | null;
  patienceMs: number;
  /** When it last reported that it was too busy. */
  busyMs: number | null;
};

export type Facts = {
  regions: readonly string[];
  probes: readonly ProbeFacts[];
  monitors: readonly MonitorFacts[];
  /** The last turn of a watching server, and since when one has watched without a gap. */
  turnMs: number;
  watchingMs: number;
};

/** A pause longer than this was a time without contact (docs/rules/regions-and-probes.md#stalled-probes). */
const AWAY_MS = 15_000;
/** A gap longer than this between two turns: nobody watched. */
const GAP_MS = 10_000;

/** A probe asks; it is given monitors, the most frequent one so often, or none. */
export function noteAsked(probe: ProbeFacts, shortestSeconds: number | null, nowMs: number): void {
  noteSeen(probe, nowMs);
  const patienceMs = Math.max(60_000, 4000 * (shortestSeconds ?? 0));
  if (shortestSeconds === null) probe.awaitedMs = null;
  else if (probe.awaitedMs === null) probe.awaitedMs = nowMs;
  // What is checked more often from now on has its whole patience before it.
  else if (patienceMs < probe.patienceMs)
    probe.awaitedMs = Math.min(nowMs, probe.awaitedMs + probe.patienceMs - patienceMs);
  probe.patienceMs = patienceMs;
}

function noteSeen(probe: ProbeFacts, nowMs: number): void {
  const goneMs = probe.seenMs === null ? 0 : nowMs - probe.seenMs;
  if (goneMs > AWAY_MS && probe.awaitedMs !== null) probe.awaitedMs += goneMs;
  probe.seenMs = nowMs;
  probe.contactMs = nowMs;
}

/** The operator admits or refuses a probe: results are awaited anew from its next request on. */
export function noteAdmission(probe: ProbeFacts, admitted: boolean): void {
  if (probe.seenMs === null || probe.admitted === admitted) return;
  Object.assign(probe, { admitted, awaitedMs: null });
}

/** The operator removes a probe. If it still calls, it counts as a new one. */
export function noteRemoved(probe: ProbeFacts): void {
  Object.assign(probe, { admitted: true, seenMs: null, awaitedMs: null, patienceMs: 60_000, busyMs: null });
}

/** A probe has delivered results: of monitors that its region checks, or of none of them. */
export function noteDelivered(probe: ProbeFacts, accepted: boolean, nowMs: number): void {
  noteSeen(probe, nowMs);
  if (accepted && probe.awaitedMs !== null) probe.awaitedMs = nowMs;
}

/** A check arrives; false: nothing of it is stored, because the region does not check this monitor. */
export function noteCheck(
  monitor: MonitorFacts | undefined,
  region: string,
  check: Check,
  nowMs: number,
): boolean {
  if (!monitor?.enabled || monitor.deleted || !monitor.regions.includes(region)) return false;
  const checks = monitor.checks.get(region) ?? [];
  monitor.checks.set(region, checks);
  if (checks.some(({ atMs }) => atMs === check.atMs)) return true;
  checks.push(check);
  checks.sort((a, b) => a.atMs - b.atMs);
  if (check.kind === 'result') monitor[check.status === 'down' ? 'failedMs' : 'passedMs'] = nowMs;
  return true;
}

/** A server has looked after the installation. */
export function noteTurn(facts: Facts, nowMs: number): void {
  if (nowMs - facts.turnMs > GAP_MS) facts.watchingMs = nowMs;
  facts.turnMs = nowMs;
}
