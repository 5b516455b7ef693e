import type { ConnectTimings, NetworkPolicy } from '#src/platform/outbound/connect.ts';
import { guard, type MonotonicMs } from '#src/platform/outbound/deadline.ts';
import { calledOff, OutboundFailure } from '#src/platform/outbound/failures.ts';
import type { Resolver } from '#src/platform/outbound/resolve.ts';
import {
  type CauseLayer,
  type CheckContext,
  type Finding,
  findingOf,
  type Observation,
  printable,
  printableJudgement,
} from '../observation.ts';

/** The limits in the config of every check with a latency. */
export type Limits = { timeout_ms: number; degraded_after_ms: number | null };

/** One check under way. */
export type Attempt = {
  readonly policy: NetworkPolicy;
  readonly resolver: Resolver | undefined;
  readonly startedAtMs: MonotonicMs;
  /** The end of the whole check. */
  readonly deadlineAtMs: MonotonicMs;
  /** Aborted when the check is over, however it ended: what is still open then is to be closed. */
  readonly signal: AbortSignal;
  /** Phases so far, milliseconds; kept when a later phase fails. */
  readonly timings: ConnectTimings & { first_byte?: number };
  readonly measured: {
    /** The latency to report; undefined: the duration of the whole check; null: none. */
    latencyMs?: number | null;
    metricValue?: number;
    responseCode?: number;
  };
  /**
   * Records one thing that the check is judged by: good without a finding, else bad. The observation takes the first
   * finding that is down, else the first that is degraded. Returns whether it was good.
   */
  judge(what: string, said: { expected: string; actual: string }, finding?: Finding): boolean;
};

/** A hung body (it has the deadline, and should end by it) is given this much, and then no more. */
const HUNG_MS = 100;

/**
 * Makes one check and turns what came of it into an observation: `body` judges what it sees and throws OutboundFailure
 * for what ends the check (docs/rules/monitor-types.md#verdict). A check that passes but takes longer than
 * `degraded_after_ms` is degraded as `slow`, in the layer given. Never throws; ends with the deadline, and at once when
 * called off.
 */
export async function observe(
  limits: Limits,
  context: CheckContext,
  slowLayer: CauseLayer,
  body: (attempt: Attempt) => Promise<void>,
): Promise<Observation> {
  const startedAtMs = performance.now();
  const findings: Finding[] = [];
  const over = new AbortController();
  const judge: Attempt['judge'] = (what, said, finding) => {
    if (finding) findings.push(finding);
    context.judged?.(printableJudgement({ what, ...said, ok: finding === undefined }));
    return finding === undefined;
  };
  const attempt: Attempt = {
    policy: context.policy,
    resolver: context.resolver,
    startedAtMs,
    deadlineAtMs: startedAtMs + limits.timeout_ms,
    signal: over.signal,
    timings: {},
    measured: {},
    // A body that hung may still find something out; nobody is listening any more.
    judge: (what, said, finding) =>
      over.signal.aborted ? finding === undefined : judge(what, said, finding),
  };
  try {
    await inTime(body(attempt), attempt.deadlineAtMs + HUNG_MS, context.signal);
  } catch (error) {
    const finding = findingOf(error);
    judge(
      STEPS[finding.layer].what,
      { expected: STEPS[finding.layer].wanted, actual: finding.detail },
      finding,
    );
  } finally {
    over.abort();
  }
  return observationOf(limits, { ...attempt, judge }, findings, performance.now() - startedAtMs, slowLayer);
}

/** The step that a failure in each layer prevented. */
export const STEPS: Readonly<Record<CauseLayer, { what: string; wanted: string }>> = {
  probe: { what: 'Check', wanted: 'a check that can be made' },
  target_dns: { what: 'Name', wanted: 'a name that resolves' },
  target_connect: { what: 'Connection', wanted: 'a connection' },
  target_tls: { what: 'TLS', wanted: 'a handshake and a valid certificate' },
  target_http: { what: 'Answer', wanted: 'a complete answer' },
  target_app: { what: 'Answer', wanted: 'a complete answer' },
  agent: { what: 'Agent', wanted: 'a reading' },
};

function inTime(
  work: Promise<void>,
  deadlineAtMs: MonotonicMs,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const release = guard(deadlineAtMs, signal, (aborted) =>
      reject(
        aborted
          ? calledOff()
          : new OutboundFailure('answer_timeout', 'target_app', 'No whole answer within the time limit'),
      ),
    );
    work.finally(release).then(resolve, reject);
  });
}

function observationOf(
  limits: Limits,
  { timings, measured, judge }: Attempt,
  findings: Finding[],
  totalMs: number,
  slowLayer: CauseLayer,
): Observation {
  const latencyMs = measured.latencyMs === undefined ? totalMs : measured.latencyMs;
  const slowAfterMs = limits.degraded_after_ms;
  const down = findings.find(({ status }) => status !== 'degraded');
  if (down === undefined && latencyMs !== null && slowAfterMs !== null) {
    const detail = `Took ${Math.round(latencyMs)} ms; degraded after ${slowAfterMs} ms`;
    const said = { expected: `at most ${slowAfterMs} ms`, actual: `${Math.round(latencyMs)} ms` };
    judge(
      'Response time',
      said,
      latencyMs > slowAfterMs
        ? { failureClass: 'slow', layer: slowLayer, detail, status: 'degraded' }
        : undefined,
    );
  }
  const finding = down ?? findings[0];
  return {
    status: finding === undefined ? 'up' : (finding.status ?? 'down'),
    ...(latencyMs === null ? {} : { latency_ms: Math.round(latencyMs) }),
    ...(measured.responseCode === undefined ? {} : { response_code: measured.responseCode }),
    ...(measured.metricValue === undefined ? {} : { metric_value: measured.metricValue }),
    ...(finding === undefined
      ? {}
      : {
          failure_class: finding.failureClass,
          cause_layer: finding.layer,
          detail: printable(finding.detail),
        }),
    timings_ms: roundedTimings({ ...timings, total: totalMs }),
  };
}

function roundedTimings(
  timings: Attempt['timings'] & { total: number },
): NonNullable<Observation['timings_ms']> {
  return Object.fromEntries(Object.entries(timings).map(([phase, ms]) => [phase, Math.round(ms)]));
}
