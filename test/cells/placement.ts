// Where an organization goes: pure, one choice at a time.

/** `monitors` of all its organizations. */
export type Cell = { no: number; monitors: number };

export type Strategy = {
  name: string;
  /** A cell takes newcomers up to this share of its capacity; the rest is for growth. */
  admitsUntil: number;
  /** One of the cells that have room, of which there is at least one; `turn` counts placements. */
  choose: (withRoom: readonly Cell[], turn: number) => Cell;
};

const extreme = (cells: readonly Cell[], isBetter: (a: number, b: number) => boolean): Cell =>
  cells.reduce((best, cell) => (isBetter(cell.monitors, best.monitors) ? cell : best));
const emptiest = (cells: readonly Cell[]) => extreme(cells, (a, b) => a < b);
const fullest = (cells: readonly Cell[]) => extreme(cells, (a, b) => a > b);

/** How full a cell may be before organizations have to move out of it; newcomers of naive strategies fill up to it. */
export const FULL = 0.9;
/** How full a cell is after they moved. */
export const RELIEVED = 0.75;
const HEADROOM = 0.65;

export const STRATEGIES: readonly Strategy[] = [
  { name: 'round robin', admitsUntil: FULL, choose: (cells, turn) => cells[turn % cells.length]! },
  { name: 'first fit', admitsUntil: FULL, choose: (cells) => cells[0]! },
  { name: 'least loaded', admitsUntil: FULL, choose: emptiest },
  { name: 'best fit', admitsUntil: FULL, choose: fullest },
  { name: 'least loaded, headroom', admitsUntil: HEADROOM, choose: emptiest },
  { name: 'best fit, headroom', admitsUntil: HEADROOM, choose: fullest },
];

/**
 * The cell for an organization of so many monitors; null: none has room, and a new one is needed. An empty cell has room
 * for everybody.
 */
export function place(
  strategy: Strategy,
  cells: readonly Cell[],
  monitors: number,
  capacity: number,
  turn: number,
): Cell | null {
  const line = strategy.admitsUntil * capacity;
  const withRoom = cells.filter((cell) => cell.monitors === 0 || cell.monitors + monitors <= line);
  return withRoom.length === 0 ? null : strategy.choose(withRoom, turn);
}
