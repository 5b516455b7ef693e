import { DAY_MS, MINUTE_MS } from './durations.ts';
// The health of a notification target by its attempts (docs/rules/notifications.md#switching-off): when its administrators
// are notified that it fails, and when it is switched off.

export type TargetHealth = {
  /** Every attempt has failed since then; null: the last one succeeded. */
  failingSince: Date | null;
  /** The last few of these failures, oldest first. */
  recentFailures: readonly Date[];
  /** When administrators were last notified. */
  warnedAt: Date | null;
};

/** The outcome of one attempt; `gone` is an answer of 410. `isOurs`: nothing shows that it failed through the target and not through us. */
export type Tried = { ok: boolean; gone: boolean; isOurs?: boolean };

export type Judged = { health: TargetHealth; warn: boolean; deactivate: boolean };

const WARN_AFTER_MS = DAY_MS;
const DEACTIVATE_AFTER_MS = 5 * DAY_MS;
/** A target is switched off this long after the warning at the earliest, however rarely messages are sent to it. */
const WARNED_BEFORE_MS = DAY_MS;
/** This many consecutive failures of a paging target within this time are reported at once. */
const PAGING_FAILURES = 3;
const PAGING_WITHIN_MS = 2 * MINUTE_MS;
const PAGING_WARN_EVERY_MS = 60 * MINUTE_MS;

/**
 * Processes attempts in the order in which they ended. A webhook or chat target is reported once, after a day on which every
 * attempt failed, and switched off after five days, at least a day after that report, or at once if it says that it is gone. A failure
 * that may be ours switches nothing off, and begins that day anew. A paging target is never switched
 * off: it is reported after three failures within two minutes, or if it says that it is gone, at most once an hour.
 */
export function judgeTries(
  before: TargetHealth,
  tries: readonly Tried[],
  { now, paging }: { now: Date; paging: boolean },
): Judged {
  const gone = tries.some((tried) => tried.gone);
  let { failingSince, recentFailures, warnedAt } = before;
  for (const { ok, isOurs } of tries) {
    failingSince = ok ? null : (failingSince ?? now);
    recentFailures = ok ? [] : [...recentFailures, now].slice(-PAGING_FAILURES);
    // The hour between two mails about a paging target is not reset by anything that happens in it.
    if (ok && !paging) warnedAt = null;
    if (isOurs && !paging && warnedAt !== null) warnedAt = now;
  }
  const since = (at: Date | null | undefined) => (at ? now.getTime() - at.getTime() : null);
  const failingMs = since(failingSince) ?? 0;
  const warnedMs = since(warnedAt) ?? 0;
  const deactivate = !paging && (gone || (failingMs >= DEACTIVATE_AFTER_MS && warnedMs >= WARNED_BEFORE_MS));
  const often =
    recentFailures.length === PAGING_FAILURES && (since(recentFailures[0]) ?? 0) <= PAGING_WITHIN_MS;
  const warn = paging
    ? (gone || often) && (since(warnedAt) ?? PAGING_WARN_EVERY_MS) >= PAGING_WARN_EVERY_MS
    : !deactivate && failingMs >= WARN_AFTER_MS && warnedAt === null;
  return { health: { failingSince, recentFailures, warnedAt: warn ? now : warnedAt }, warn, deactivate };
}
