// Distinguishes a dead target from a dead network of this probe: when a check gets no answer at all, the probe tries the
// region's canaries, and if it got none from DNS, its own name servers as well.
import { setTimeout as delay } from 'node:timers/promises';
import { checkCanary } from '../src/domain/canary.ts';
import { connect } from '../src/platform/outbound/connect.ts';
import type { Resolver } from '../src/platform/outbound/resolve.ts';
import { type CheckOutcome, printable } from './check-outcome.ts';
import { type Log, reasonOf } from './log.ts';

export type Canaries = {
  /** Sets the region's list (`host:port`); canaries that stay keep their history. */
  use(list: readonly string[]): void;
  /** The outcome unchanged, or as a probe fault if no canary, or no name server, answers this probe; `type` is the monitor's. */
  judge(outcome: CheckOutcome, type?: string): Promise<CheckOutcome>;
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

/** Failures that may be those of this probe's own name servers: they are silent, or cut off, or refuse it. */
export const NAME_CLASSES: ReadonlySet<string> = new Set([
  'dns_timeout',
  'dns_unreachable',
  'dns_servfail',
  'dns_refused',
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
type Finding = 'cut_off' | 'no_names';
const WORDS: Readonly<Record<Finding, string>> = {
  cut_off: 'None of the canaries answered this probe either, so its own network is cut off.',
  no_names: 'The name servers of this probe do not resolve anything any more.',
};

/** Private addresses are allowed, since the operator chooses the canaries. */
export function startCanaries({ resolver, fallback = [], log, nowMs }: CanariesOptions): Canaries {
  const calledOff = new AbortController();
  let areOwn = false;
  let canaries: Canary[] = [];
  let last: Trial | undefined;
  let lastOfNames: Trial | undefined;
  let namesKnownAtMs: number | undefined;
  const reassure = setInterval(() => {
    if (areOwn) void tryOnce();
    if (canaries.length > 0) void tryNamesOnce();
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

  /** A defect of this probe says nothing about its network: the target is judged as if there were no canaries. */
  const provesNothing = (error: unknown): false => {
    log('error', 'The canaries or name servers could not be tried: a defect in this probe', {
      reason: reasonOf(error),
    });
    return false;
  };

  const tryOnce = (): Promise<boolean> => {
    const atMs = nowMs();
    if (last === undefined || atMs - last.atMs >= GOOD_FOR_MS)
      last = { atMs, isCutOff: tryAll().catch(provesNothing) };
    return last.isCutOff;
  };

  /** Whether the name servers, which the operator has chosen, have failed since they last knew the root. */
  const tryNames = async (): Promise<boolean> => {
    if (resolver?.knowsRoot === undefined) return false;
    const late = new AbortController();
    const known = await Promise.race([
      resolver.knowsRoot(),
      delay(GIVE_UP_MS, false, { signal: AbortSignal.any([late.signal, calledOff.signal]) }).catch(
        () => false,
      ),
    ]);
    late.abort();
    if (known) namesKnownAtMs = nowMs();
    if (known || calledOff.signal.aborted) return false;
    return namesKnownAtMs !== undefined && namesKnownAtMs > nowMs() - TRUSTED_FOR_MS;
  };

  const tryNamesOnce = (): Promise<boolean> => {
    const atMs = nowMs();
    if (lastOfNames === undefined || atMs - lastOfNames.atMs >= GOOD_FOR_MS)
      lastOfNames = { atMs, isCutOff: tryNames().catch(provesNothing) };
    return lastOfNames.isCutOff;
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
    if (canaries.length > 0) void tryNamesOnce();
  };
  use([]);

  /** Tests the fallback while something else fails: only a canary that has answered before proves anything later. */
  const learn = () => {
    if (!areOwn && (last === undefined || nowMs() - last.atMs >= REASSURE_EVERY_MS)) void tryOnce();
  };

  /** What is wrong with this probe itself; undefined: nothing that it knows of. */
  const find = async (failureClass: string, type: string | undefined): Promise<Finding | undefined> => {
    // A monitor of DNS is about the name servers that it asks, and a refusal is their answer.
    const isOfNames = NAME_CLASSES.has(failureClass) && type !== 'dns';
    if (!isOfNames && !NO_ANSWER_CLASSES.has(failureClass)) {
      learn();
      return undefined;
    }
    if (await tryOnce()) return 'cut_off';
    return isOfNames && (await tryNamesOnce()) ? 'no_names' : undefined;
  };

  return {
    use,
    async judge(outcome, type) {
      const { status, failure_class, cause_layer, detail } = outcome;
      if (status !== 'down' || cause_layer === 'probe' || canaries.length === 0) return outcome;
      const found = await find(failure_class ?? '', type);
      if (found === undefined) return outcome;
      return {
        ...outcome,
        failure_class: 'probe_network',
        cause_layer: 'probe',
        detail: printable(`${WORDS[found]} It found: ${detail ?? failure_class}`),
      };
    },
    stop() {
      clearInterval(reassure);
      calledOff.abort();
    },
  };
}
