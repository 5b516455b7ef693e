// Distinguishes a dead target from a dead network of this probe: when a check gets no answer at all, the probe tries the
// region's canaries.
import { checkCanary } from '../src/domain/canary.ts';
import { connect } from '../src/platform/outbound/connect.ts';
import type { Resolver } from '../src/platform/outbound/resolve.ts';
import { type CheckOutcome, printable } from './check-outcome.ts';
import type { Log } from './log.ts';

export type Canaries = {
  /** Sets the region's list (`host:port`); canaries that stay keep their history. */
  use(list: readonly string[]): void;
  /** The outcome unchanged, or as a probe fault if no canary answers this probe. */
  judge(outcome: CheckOutcome): Promise<CheckOutcome>;
  stop(): void;
};

export type CanariesOptions = {
  resolver?: Resolver | undefined;
  /** Contacted if the region has no canaries, and only while a check fails, since the operator did not choose them. */
  fallback?: readonly string[] | undefined;
  log: Log;
  /** Monotonic milliseconds. */
  nowMs: () => number;
};

/** Failures without any answer: the target may be silent, or this probe cut off. */
export const NO_ANSWER_CLASSES: ReadonlySet<string> = new Set([
  'dns_timeout',
  'dns_unreachable',
  // The answer of a resolver that is cut off itself.
  'dns_servfail',
  'connect_timeout',
  'connect_unreachable',
  'tls_timeout',
  'response_timeout',
  'answer_timeout',
  'no_answer',
]);

const GIVE_UP_MS = 3_000;
/** One test of the canaries serves all checks that fail within this time. */
const GOOD_FOR_MS = 2_000;
/** A canary that has been silent for longer is misconfigured or gone: it must not suppress alarms. */
const TRUSTED_FOR_MS = 3_600_000;
/** Interval of routine tests, which show which canaries answer normally. */
const REASSURE_EVERY_MS = 300_000;

type Canary = {
  name: string;
  host: string;
  port: number;
  answeredAtMs: number | undefined;
  complained: boolean;
};
type Trial = { atMs: number; isCutOff: Promise<boolean> };

/** Private addresses are allowed, since the operator chooses the canaries. */
export function startCanaries({ resolver, fallback = [], log, nowMs }: CanariesOptions): Canaries {
  const calledOff = new AbortController();
  let areOwn = false;
  let canaries: Canary[] = [];
  let last: Trial | undefined;
  const reassure = setInterval(() => {
    if (areOwn) void tryOnce();
  }, REASSURE_EVERY_MS);

  /** Resolves when the first canary answers; the others continue and report later. */
  const tryOne = async (canary: Canary): Promise<true> => {
    const { host, port } = canary;
    const { socket } = await connect({
      host,
      port,
      family: 'auto',
      policy: { allowPrivate: true },
      deadlineAtMs: performance.now() + GIVE_UP_MS,
      resolver,
      signal: calledOff.signal,
    });
    socket.on('error', () => undefined).destroy();
    canary.answeredAtMs = nowMs();
    canary.complained = false;
    return true;
  };

  const tryAll = async (): Promise<boolean> => {
    const tried = [...canaries];
    const answered = await Promise.any(tried.map(tryOne)).catch(() => false);
    if (answered || calledOff.signal.aborted) return false;
    const since = nowMs() - TRUSTED_FOR_MS;
    const trusted = tried.filter(({ answeredAtMs }) => answeredAtMs !== undefined && answeredAtMs > since);
    for (const canary of tried) if (!trusted.includes(canary)) complain(canary);
    return trusted.length > 0;
  };

  const complain = (canary: Canary) => {
    // An installation without internet access is not a fault.
    if (canary.complained || !areOwn) return;
    canary.complained = true;
    log('warn', 'A canary of this region has not answered for an hour, or ever: its silence proves nothing', {
      canary: canary.name,
    });
  };

  const tryOnce = (): Promise<boolean> => {
    const atMs = nowMs();
    if (last === undefined || atMs - last.atMs >= GOOD_FOR_MS) last = { atMs, isCutOff: tryAll() };
    return last.isCutOff;
  };

  const use = (own: readonly string[]) => {
    const list = own.length > 0 ? own : fallback;
    areOwn = own.length > 0;
    if (list.length === canaries.length && list.every((name, i) => canaries[i]?.name === name)) return;
    const known = new Map(canaries.map((canary) => [canary.name, canary]));
    canaries = list.flatMap((name) => {
      const checked = checkCanary(name, { allowSingleLabel: true });
      const fresh = checked.ok ? { name, ...checked, answeredAtMs: undefined, complained: false } : [];
      return known.get(name) ?? fresh;
    });
    last = undefined;
    if (areOwn) void tryOnce();
  };
  use([]);

  /** Tests the fallback while something else fails: only a canary that has answered before proves anything later. */
  const learn = () => {
    if (!areOwn && (last === undefined || nowMs() - last.atMs >= REASSURE_EVERY_MS)) void tryOnce();
  };

  return {
    use,
    async judge(outcome) {
      const { status, failure_class, cause_layer, detail } = outcome;
      if (status !== 'down' || cause_layer === 'probe' || canaries.length === 0) return outcome;
      if (!NO_ANSWER_CLASSES.has(failure_class ?? '')) {
        learn();
        return outcome;
      }
      if (!(await tryOnce())) return outcome;
      return {
        ...outcome,
        failure_class: 'probe_network',
        cause_layer: 'probe',
        detail: printable(
          `None of the canaries answered this probe either, so its own network is cut off. It found: ${detail ?? failure_class}`,
        ),
      };
    },
    stop() {
      clearInterval(reassure);
      calledOff.abort();
    },
  };
}
