// Sets of instants as half-open spans [fromMs, untilMs). Every function answers spans in order that do not touch.
export type Span = { fromMs: number; untilMs: number };

/** The instants of any of these spans. */
export function merged(spans: readonly Span[]): Span[] {
  const found: Span[] = [];
  for (const { fromMs, untilMs } of [...spans].sort((a, b) => a.fromMs - b.fromMs)) {
    if (fromMs >= untilMs) continue;
    const last = found.at(-1);
    if (last && fromMs <= last.untilMs) last.untilMs = Math.max(last.untilMs, untilMs);
    else found.push({ fromMs, untilMs });
  }
  return found;
}

/** The instants that both have. */
export function common(some: readonly Span[], others: readonly Span[]): Span[] {
  const [a, b] = [merged(some), merged(others)];
  const found: Span[] = [];
  let [i, j] = [0, 0];
  for (let x = a[i], y = b[j]; x && y; x = a[i], y = b[j]) {
    const span = { fromMs: Math.max(x.fromMs, y.fromMs), untilMs: Math.min(x.untilMs, y.untilMs) };
    if (span.fromMs < span.untilMs) found.push(span);
    if (x.untilMs <= y.untilMs) i++;
    else j++;
  }
  return found;
}

/** The instants of the first that the second does not have. */
export function without(some: readonly Span[], others: readonly Span[]): Span[] {
  const gaps: Span[] = [];
  let fromMs = Number.NEGATIVE_INFINITY;
  for (const other of merged(others)) {
    gaps.push({ fromMs, untilMs: other.fromMs });
    fromMs = other.untilMs;
  }
  return common(some, [...gaps, { fromMs, untilMs: Number.POSITIVE_INFINITY }]);
}

/** How long all of them last together. */
export function lengthMs(spans: readonly Span[]): number {
  return merged(spans).reduce((sum, { fromMs, untilMs }) => sum + untilMs - fromMs, 0);
}
