import type { ConnectTimings, NetworkPolicy } from '#src/platform/outbound/connect.ts';
import { type MonotonicMs, onDeadline } from '#src/platform/outbound/deadline.ts';
import { cancelledByCaller, OutboundFailure } from '#src/platform/outbound/failures.ts';
import type { Resolver } from '#src/platform/outbound/resolve.ts';
import {
  type CauseLayer,
  type CheckContext,
  type CheckOutcome,
  type Finding,
  findingOf,
  type OnJudgement,
  printable,
  printableJudgement,
} from '../check-outcome.ts';

/** The limits in the config of every check with a latency. */
export type Limits = { timeout_ms: number; degraded_after_ms: number | null };

/** One check under way. */
export type RunningCheck = {
  readonly policy: NetworkPolicy;
  readonly resolver: Resolver | undefined;
  readonly startedAtMs: MonotonicMs;
  /** The end of the whole check. */
  readonly deadlineAtMs: MonotonicMs;
  /** Aborted when the check is over, however it ended: close everything that is still open. */
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
   * Records one judgement: good without a finding, else bad. The outcome uses the first `down` finding, else the first
   * `degraded` one. Returns whether it was good.
   */
  judge(what: string, said: { expected: string; actual: string }, finding?: Finding): boolean;
};

/** A body that ignores its deadline gets this much longer. */
const HUNG_MS = 100;

/**
 * Runs one check and returns its outcome: `body` records judgements, and throws OutboundFailure to end the check
 * (docs/rules/monitor-types.md#verdict). A check that passes but takes longer than `degraded_after_ms` is degraded as `slow`,
 * in the layer given. Never throws; ends at the deadline, or at once when aborted.
 */
export async function runCheck(
  limits: Limits,
  context: CheckContext,
  slowLayer: CauseLayer,
  body: (running: RunningCheck) => Promise<void>,
): Promise<CheckOutcome> {
  const startedAtMs = performance.now();
  const findings: Finding[] = [];
  const over = new AbortController();
  const judge = judging(findings, context.judged);
  const running: RunningCheck = {
    policy: context.policy,
    resolver: context.resolver,
    startedAtMs,
    deadlineAtMs: startedAtMs + limits.timeout_ms,
    signal: over.signal,
    timings: {},
    measured: {},
    // Ignores judgements of a body that goes on after the check has ended.
    judge: (what, said, finding) =>
      over.signal.aborted ? finding === undefined : judge(what, said, finding),
  };
  try {
    await inTime(body(running), running.deadlineAtMs + HUNG_MS, context.signal);
  } catch (error) {
    judgeBroken(error, judge);
  } finally {
    over.abort();
  }
  return outcomeOf(limits, { ...running, judge }, findings, performance.now() - startedAtMs, slowLayer);
}

/** Collects the findings of a check in order, and passes each judgement to a waiting person. */
export const judging =
  (findings: Finding[], onJudgement: OnJudgement | undefined): RunningCheck['judge'] =>
  (what, said, finding) => {
    if (finding) findings.push(finding);
    onJudgement?.(printableJudgement({ what, ...said, ok: finding === undefined }));
    return finding === undefined;
  };

/** Turns the exception that ended a check into a bad judgement of the step that it prevented. */
export function judgeBroken(error: unknown, judge: RunningCheck['judge']): void {
  const finding = findingOf(error);
  const { what, wanted } = STEPS[finding.layer];
  judge(what, { expected: wanted, actual: finding.detail }, finding);
}

/** The step that a failure in each layer prevented. */
const STEPS: Readonly<Record<CauseLayer, { what: string; wanted: string }>> = {
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
    const release = onDeadline(deadlineAtMs, signal, (aborted) =>
      reject(
        aborted
          ? cancelledByCaller()
          : new OutboundFailure('answer_timeout', 'target_app', 'No whole answer within the time limit'),
      ),
    );
    work.finally(release).then(resolve, reject);
  });
}

/**
 * The outcome of a check: by its first `down` finding, else its first `degraded` one, else its duration. `totalMs` is the
 * duration of the whole check; `measured` comes from the type.
 */
function outcomeOf(
  limits: Limits,
  { timings, measured, judge }: RunningCheck,
  findings: Finding[],
  totalMs: number,
  slowLayer: CauseLayer,
): CheckOutcome {
  const latencyMs = measured.latencyMs === undefined ? totalMs : measured.latencyMs;
  const down = findings.find(({ status }) => status !== 'degraded');
  if (down === undefined && latencyMs !== null) judgeTime(limits, latencyMs, slowLayer, judge);
  return outcomeWith(down ?? findings[0], {
    latencyMs,
    responseCode: measured.responseCode,
    metricValue: measured.metricValue,
    timings: { ...timings, total: totalMs },
  });
}

/** Judges the response time by `degraded_after_ms`; too slow is `degraded`, in the given layer. */
export function judgeTime(
  { degraded_after_ms: slowAfterMs }: Pick<Limits, 'degraded_after_ms'>,
  latencyMs: number,
  slowLayer: CauseLayer,
  judge: RunningCheck['judge'],
): void {
  if (slowAfterMs === null) return;
  const tookMs = Math.round(latencyMs);
  const slow: Finding = {
    failureClass: 'slow',
    layer: slowLayer,
    detail: `Took ${tookMs} ms; degraded after ${slowAfterMs} ms`,
    status: 'degraded',
  };
  const said = { expected: `at most ${slowAfterMs} ms`, actual: `${tookMs} ms` };
  judge('Response time', said, latencyMs > slowAfterMs ? slow : undefined);
}

/** The outcome in wire format: up without a finding, times in whole milliseconds. */
export function outcomeWith(
  finding: Finding | undefined,
  measured: {
    /** null: none is reported. */
    latencyMs: number | null;
    responseCode: number | undefined;
    metricValue?: number | undefined;
    timings: RunningCheck['timings'] & { total: number };
  },
): CheckOutcome {
  const { latencyMs, responseCode, metricValue, timings } = measured;
  return {
    status: finding === undefined ? 'up' : (finding.status ?? 'down'),
    ...(latencyMs === null ? {} : { latency_ms: Math.round(latencyMs) }),
    ...(responseCode === undefined ? {} : { response_code: responseCode }),
    ...(metricValue === undefined ? {} : { metric_value: metricValue }),
    ...(finding === undefined
      ? {}
      : {
          failure_class: finding.failureClass,
          cause_layer: finding.layer,
          detail: printable(finding.detail),
        }),
    timings_ms: inWholeMs(timings),
  };
}

function inWholeMs(
  timings: RunningCheck['timings'] & { total: number },
): NonNullable<CheckOutcome['timings_ms']> {
  const whole: NonNullable<CheckOutcome['timings_ms']> = {};
  for (const phase of PHASES) {
    const ms = timings[phase];
    if (ms !== undefined) whole[phase] = Math.round(ms);
  }
  return whole;
}

const PHASES = ['dns', 'connect', 'tls', 'first_byte', 'total'] as const;
