// The consequences of one lookup of the CNAME record of a domain: a pure function. record-lookup.ts stores them.
import { type DomainEnd, domainProblemSentence } from '#src/domain/domain-problem.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#src/domain/durations.ts';
import type { CnameResult } from '#src/platform/outbound/cname.ts';
import type { DomainStatus } from './contract.ts';

export type DomainState = {
  status: DomainStatus;
  pending_since: Date;
  next_check_at: Date | null;
  tries: number;
  verified_at: Date | null;
  dangling_since: Date | null;
  last_error: string | null;
};

/** A pending domain is looked up for this long. */
export const PENDING_MS = 72 * HOUR_MS;
/** A verified domain keeps its page for this long while its record points elsewhere. */
export const DANGLING_MS = 7 * DAY_MS;
/** How often the record of a verified domain is looked up. */
const VERIFIED_EVERY_MS = HOUR_MS;

/** Pauses between looks at a pending one; the last one is repeated. */
const PAUSES_MS = [
  ...[15_000, 30_000, MINUTE_MS, MINUTE_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 10 * MINUTE_MS, 20 * MINUTE_MS],
  HOUR_MS,
];

/** `asked`: a person asked for this look, which tries again from any state. */
export function afterLookup(
  before: DomainState,
  result: CnameResult,
  { now, asked, domain, target }: { now: Date; asked: boolean; domain: string; target: string },
): DomainState {
  const inMs = (ms: number) => new Date(now.getTime() + ms);
  if (result.kind === 'points_here')
    return {
      ...before,
      status: 'verified',
      verified_at: before.verified_at ?? now,
      next_check_at: inMs(VERIFIED_EVERY_MS),
      ...{ tries: 0, dangling_since: null, last_error: null },
    };
  const problem = (end?: DomainEnd) => domainProblemSentence(result, { domain, target }, end);
  if (before.status === 'verified') {
    // The owner has changed nothing: the operator has another EDGE_DOMAIN now.
    if (result.kind === 'points_elsewhere' && result.isFormer)
      return {
        ...before,
        ...{ dangling_since: null, next_check_at: inMs(VERIFIED_EVERY_MS), last_error: problem() },
      };
    // Silence proves nothing: only an answer with another target begins the seven days.
    const danglingSince = result.kind === 'unknown' ? before.dangling_since : (before.dangling_since ?? now);
    if (
      danglingSince !== null &&
      now.getTime() - danglingSince.getTime() >= DANGLING_MS &&
      result.kind !== 'unknown'
    )
      return {
        ...before,
        ...{ status: 'failed', verified_at: null, next_check_at: null, dangling_since: null },
        last_error: problem('verified'),
      };
    return {
      ...before,
      dangling_since: danglingSince,
      next_check_at: inMs(VERIFIED_EVERY_MS),
      last_error: danglingSince === null ? before.last_error : problem(),
    };
  }
  const restarts = before.status === 'failed';
  const pendingSince = restarts ? now : before.pending_since;
  if (now.getTime() - pendingSince.getTime() >= PENDING_MS && !asked)
    return {
      ...before,
      ...{ status: 'failed', next_check_at: null },
      last_error: problem('pending'),
    };
  const tries = restarts ? 0 : before.tries;
  return {
    ...before,
    status: 'pending',
    pending_since: pendingSince,
    next_check_at: inMs(PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)] ?? HOUR_MS),
    tries: tries + 1,
    last_error: problem(),
  };
}
