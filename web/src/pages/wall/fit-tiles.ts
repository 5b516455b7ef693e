// Fits any number of tiles into a space of any size. Pure.

export type Room = { width: number; height: number };
/** Pixels. `named`: tiles are large enough for names. */
export type Fit = { named: boolean; columns: number; width: number; height: number; gap: number };

/** The minimum for a readable name. */
const NAMED = { width: 150, height: 40, maxHeight: 96, gap: 10 };
const LARGEST = 120;

/** The largest tiles of which `count` fit; with names if those are readable. */
export function fitTiles(count: number, room: Room, hasNames: boolean): Fit {
  if (count <= 0 || room.width <= 0 || room.height <= 0)
    return { named: false, columns: 1, width: 0, height: 0, gap: 0 };
  if (hasNames) {
    const columns = Math.max(1, Math.floor((room.width + NAMED.gap) / (NAMED.width + NAMED.gap)));
    const fewest = Math.min(columns, count);
    for (let wide = 1; wide <= fewest; wide++) {
      const rows = Math.ceil(count / wide);
      const width = (room.width - NAMED.gap * (wide - 1)) / wide;
      const height = Math.min(NAMED.maxHeight, (room.height - NAMED.gap * (rows - 1)) / rows);
      // As few columns as the height allows: names are long.
      const isTall = height >= NAMED.maxHeight || (wide === fewest && height >= NAMED.height);
      if (isTall) return { named: true, columns: wide, width, height, gap: NAMED.gap };
    }
  }
  const gap = count > 1000 ? 2 : 4;
  let [low, high] = [1, LARGEST];
  const columnsOf = (size: number) => Math.max(1, Math.floor((room.width + gap) / (size + gap)));
  const fits = (size: number) => {
    const rows = Math.floor((room.height + gap) / (size + gap));
    return columnsOf(size) * rows >= count && size <= room.width;
  };
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return { named: false, columns: columnsOf(low), width: low, height: low, gap };
}
