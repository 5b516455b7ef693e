// One replay: the checks are read in parts, and each part is replayed twice, under the policy in force and under the draft.
// Whoever asked may be gone before it is done: the work stops with their connection.
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { RegionResult } from '../domain/confirmation.ts';
import { DAY_MS } from '../domain/durations.ts';
import { startReplay } from '../domain/policy-replay.ts';
import type { Call } from '../platform/http/route.ts';
import { refuse } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';
import { answerOf, type Replayed } from './answer.ts';
import type { PolicyReplay, replayPolicy } from './contract.ts';
import { type Drafted, draftOf } from './draft.ts';
import { type Past, pastOf } from './history.ts';
import type { Slots } from './slots.ts';
import { readChecks, type Span, spanWithin } from './stored-checks.ts';

export const REPLAYED_DAYS = 30;

export type ReplayLimits = {
  /** Checks that one replay looks at. */
  checks: number;
  /** Alarms of one policy. */
  alarms: number;
  /** The longest run time, ms. */
  takesMs: number;
  /** Other requests wait at most this long for the processor, ms. */
  sliceMs: number;
};

export const REPLAY_LIMITS: ReplayLimits = { checks: 1_000_000, alarms: 5_000, takesMs: 8_000, sliceMs: 5 };

/** Checks that are replayed between two looks at the time. */
const STOP_CHECK_EVERY = 64;

/** Answers a request; whatever it was doing is left as soon as its connection is closed. */
export async function replay(
  call: Call<typeof replayPolicy>,
  slots: Slots,
  limits: ReplayLimits,
): Promise<PolicyReplay> {
  const { db, params, body, within, resource, request, now } = call;
  const drafted = await draftOf(db, params.monitor_id, body.policy, within);
  const free = slots.claim(resource.orgId);
  const { socket } = request.raw;
  const left = new AbortController();
  const leave = () => left.abort();
  socket.once('close', leave);
  try {
    if (socket.destroyed) leave();
    return await replayed(db, drafted, now, limits, left.signal);
  } catch (error) {
    if (!left.signal.aborted) throw error;
    // Nobody reads it.
    return refuse('unavailable', 'The connection was closed.', { retryAfterSeconds: 1 });
  } finally {
    socket.off('close', leave);
    free();
  }
}

/** Replays what is stored of a monitor, up to `now`; throws once the signal is aborted. */
export async function replayed(
  db: Database,
  drafted: Drafted,
  now: Date,
  limits: ReplayLimits,
  signal: AbortSignal,
): Promise<PolicyReplay> {
  signal.throwIfAborted();
  const untilMonotonicMs = performance.now() + limits.takesMs;
  const { monitor, rules, shownDays } = drafted;
  const days = Math.min(REPLAYED_DAYS, shownDays ?? REPLAYED_DAYS);
  const { rows } = await sql<{ no: number }>`
    SELECT no FROM regions WHERE slug = ANY(${[...rules.now.regions]}::text[])`.execute(db);
  const of = { no: monitor.no, regionNos: rows.map(({ no }) => no) };
  const wanted = { fromMs: now.getTime() - days * DAY_MS, untilMs: now.getTime(), most: limits.checks };
  const span = await spanWithin(db, of, wanted);
  const past = await pastOf(db, monitor, span);
  const isOver = () => performance.now() > untilMonotonicMs;
  const { alarms: most, sliceMs } = limits;
  const found = await replayParts(db, of, span, { rules, past, most, sliceMs, isOver, signal });
  signal.throwIfAborted();
  return answerOf(db, drafted, past, found, now);
}

type ReplayOptions = {
  rules: Drafted['rules'];
  past: Past;
  /** Alarms of one policy. */
  most: number;
  sliceMs: number;
  isOver: () => boolean;
  signal: AbortSignal;
};

async function replayParts(
  db: Database,
  of: { no: number; regionNos: readonly number[] },
  span: Span,
  { rules, past, most, sliceMs, isOver, signal }: ReplayOptions,
): Promise<Replayed> {
  let begun: { fromMs: number; both: ReturnType<typeof startReplay>[] } | null = null;
  let checks = 0;
  let newestMs = span.fromMs;

  const begin = (fromMs: number) => {
    const history = { fromMs, ...past };
    return { fromMs, both: [startReplay(rules.now, history), startReplay(rules.draft, history)] };
  };
  const all = await readChecks(db, of, span, signal, async (some: readonly RegionResult[]) => {
    let since = performance.now();
    for (const check of some) {
      begun ??= begin(check.atMs);
      for (const each of begun.both) each.take(check);
      checks += 1;
      newestMs = check.atMs;
      if (checks % STOP_CHECK_EVERY !== 0) continue;
      if (begun.both.some(({ alarms }) => alarms.length >= most)) return false;
      if (performance.now() - since < sliceMs) continue;
      await setImmediate();
      signal.throwIfAborted();
      if (isOver()) return false;
      since = performance.now();
    }
    return !isOver();
  });
  const { fromMs, both } = begun ?? begin(span.untilMs);
  const untilMs = all ? span.untilMs : newestMs;
  for (const each of both) each.finish(untilMs);
  const [now, draft] = both.map(({ alarms }) => alarms);
  return {
    ...{ fromMs, untilMs, checks, complete: all && span.complete },
    now: now ?? [],
    draft: draft ?? [],
  };
}
