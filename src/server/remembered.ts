/**
 * Asks at most once in `forMs` of `clock`, and gives the same answer, or the same error, to everybody who asks meanwhile. An
 * answer counts from when it was asked for, so none is older than that. A clock that is set back asks anew.
 */
export function remembered<T>(forMs: number, clock: () => Date, ask: () => Promise<T>): () => Promise<T> {
  let last: { atMs: number; answer: Promise<T> } | null = null;
  return () => {
    const nowMs = clock().getTime();
    const ageMs = last === null ? forMs : nowMs - last.atMs;
    if (last === null || ageMs >= forMs || ageMs < 0) last = { atMs: nowMs, answer: ask() };
    return last.answer;
  };
}
