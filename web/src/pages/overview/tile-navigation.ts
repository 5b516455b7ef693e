// Moves through a field of tiles by arrow keys. Pure.

/**
 * The index to which `key` moves from the index `at`; `tops`: vertical positions of the tiles. null: no move, or another
 * key.
 */
export function adjacentTile(key: string, at: number, tops: readonly number[]): number | null {
  const last = tops.length - 1;
  const there = (to: number) => (to < 0 || to > last || to === at ? null : to);
  switch (key) {
    case 'ArrowRight':
      return there(at + 1);
    case 'ArrowLeft':
      return there(at - 1);
    case 'Home':
      return there(0);
    case 'End':
      return there(last);
    case 'ArrowDown':
    case 'ArrowUp': {
      const columns = tops.filter((top) => top === tops[0]).length;
      const to = at + (key === 'ArrowDown' ? columns : -columns);
      // The last row may be shorter.
      return to > last && tops[at] !== tops[last] ? last : there(to);
    }
    default:
      return null;
  }
}
