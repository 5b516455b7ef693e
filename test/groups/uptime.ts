// Uptime: docs/rules/figures.md#uptime written down a second time, and nothing of src in it.
import { shareUp } from '../simulation/share-up.ts';
import type { One, Span, Window } from './one.ts';

/** The uptime of a monitor from `from` to `now`, percent; null: nothing is known. `all`: every monitor of the walk. */
export function uptimeOf(
  one: One,
  {
    all,
    windows,
    from: madeAt,
    now,
  }: { all: readonly One[]; windows: readonly Window[]; from: number; now: number },
): number | null {
  const kept = windows.filter((each) => each.of.has(one.of)).map(({ start, end }): Span => [start, end]);
  const downs = one.incidents.map(({ started, resolved }): Span => [started, resolved ?? now]);
  const known = knownOf(one, all, now);
  return shareUp({ known, kept, downs, from: madeAt, now });
}

function knownOf(one: One, all: readonly One[], now: number): Span[] {
  const on: Span[] = one.enabled ? [...one.enabledTimes, [one.enabledSince, now]] : one.enabledTimes;
  const said = one.grouping ? one.grouping.members.flatMap((of) => knownOf(all[of]!, all, now)) : one.spoken;
  return on.flatMap(([from, until]) => said.map(([a, b]): Span => [Math.max(a, from), Math.min(b, until)]));
}
