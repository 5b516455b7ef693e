// The arithmetic of docs/rules/figures.md#uptime, a second time, and nothing of src in it.

/** From, until. */
type Span = readonly [from: number, until: number];

/** How much of the time that is known and not kept out it was up, percent; null: there is no such time. */
export function shareUp({
  known,
  kept,
  downs,
  from: madeAt,
  now,
}: {
  known: readonly Span[];
  /** Maintenance. */
  kept: readonly Span[];
  downs: readonly Span[];
  from: number;
  now: number;
}): number | null {
  const edges = [...kept, ...downs, ...known].flat().filter((at) => at > madeAt && at < now);
  const times = [madeAt, ...edges, now].sort((a, b) => a - b);
  let [counts, down] = [0, 0];
  for (const [i, from] of times.slice(0, -1).entries()) {
    const until = times[i + 1]!;
    const within = (spans: readonly Span[]) => spans.some(([a, b]) => a <= from && until <= b);
    if (!within(known) || within(kept)) continue;
    counts += until - from;
    if (within(downs)) down += until - from;
  }
  return counts === 0 ? null : (100 * (counts - down)) / counts;
}
