// Orders things that need one another.

/**
 * The given items, each behind those of them that it needs; otherwise in the order they have. In a ring, the item by which it
 * was entered comes last.
 */
export function inOrder<Item>(items: readonly Item[], needs: (item: Item) => readonly Item[]): Item[] {
  const ordered = new Set<Item>();
  const open = new Set<Item>();
  for (const item of items) {
    // Without recursion: a file may have a chain of any length.
    const path = [item];
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      open.add(last);
      const next = needs(last).find((needed) => !ordered.has(needed) && !open.has(needed));
      if (next !== undefined) path.push(next);
      else {
        ordered.add(last);
        path.pop();
      }
    }
  }
  return [...ordered];
}
