// Filters and groups the lines of the palette. Pure.
import { GROUPS, type Group, type Item } from './item.ts';
import { bestMatches, rankOf } from './match.ts';

/** The maximum per group: people type rather than scroll. */
const MAX_SHOWN: Readonly<Record<Group, number>> = {
  subject: 5,
  pages: 10,
  monitors: 8,
  incidents: 6,
  others: 8,
  actions: 10,
};
const MAX_UNTYPED: Readonly<Partial<Record<Group, number>>> = { incidents: 5 };

export type ListedGroup = { group: Group; items: Item[] };

/** The groups with lines: in fixed order before anything is typed, then by the best match. */
export function arranged(typed: string, items: readonly Item[]): ListedGroup[] {
  const isTyped = typed.trim() !== '';
  const listed = GROUPS.map((group) => {
    const found = bestMatches(
      typed,
      items.filter((item) => item.group === group),
    );
    const most = isTyped ? MAX_SHOWN[group] : (MAX_UNTYPED[group] ?? found.length);
    return { group, items: found.slice(0, most), rank: rankOfFirst(typed, found[0]) };
  });
  const filled = listed.filter((each) => each.items.length > 0);
  if (isTyped) filled.sort((a, b) => a.rank - b.rank);
  return filled.map(({ group, items: found }) => ({ group, items: found }));
}

const rankOfFirst = (typed: string, first: Item | undefined): number =>
  first === undefined ? Number.POSITIVE_INFINITY : (rankOf(typed, first.label, first.words) ?? 0);

/** The key of the line `by` lines further (or back, if negative), wrapping around. */
export function adjacentKey(
  keys: readonly string[],
  key: string | undefined,
  by: number,
): string | undefined {
  if (keys.length === 0) return undefined;
  const at = key === undefined ? -1 : keys.indexOf(key);
  return keys[(at + by + keys.length) % keys.length];
}
