// Matches the alarms of two replays of the same checks by outage. Pure.

type Lasting = { startedMs: number; endedMs: number | null };

export type Pair<A extends Lasting> = { now: A | null; draft: A | null };

/** Both last, from their beginnings, at one instant at least; without an end up to now. */
export function overlap(a: Lasting, b: Lasting): boolean {
  const [first, second] = a.startedMs <= b.startedMs ? [a, b] : [b, a];
  return second.startedMs === first.startedMs || second.startedMs < endOf(first);
}

/**
 * Pairs alarms that overlap, each with at most one, the earliest first; the others stand alone. In each list alarms follow
 * each other without overlapping. The pairs come in the order of time.
 */
export function pairAlarms<A extends Lasting>(now: readonly A[], draft: readonly A[]): Pair<A>[] {
  const pairs: Pair<A>[] = [];
  for (let i = 0, j = 0; i < now.length || j < draft.length; ) {
    const a = now[i] ?? null;
    const b = draft[j] ?? null;
    const areSame = a !== null && b !== null && overlap(a, b);
    const takesNow = a !== null && (areSame || b === null || endOf(a) <= b.startedMs);
    const takesDraft = b !== null && (areSame || !takesNow);
    pairs.push({ now: takesNow ? a : null, draft: takesDraft ? b : null });
    if (takesNow) i += 1;
    if (takesDraft) j += 1;
  }
  return pairs;
}

const endOf = ({ endedMs }: Lasting): number => endedMs ?? Number.POSITIVE_INFINITY;
