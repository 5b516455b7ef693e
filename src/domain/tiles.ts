// The monitors of an organization as one field: what each tile says, and how many say so
// (docs/rules/overview.md#the-field). Pure.
import { MONITOR_STATES, type MonitorState, TILE_STATES, type TileState } from './names.ts';

/** States that planned work leaves as they are: switched off, or well. */
const UNTOUCHED: readonly MonitorState[] = ['paused', 'passed'];

export function tileState(state: MonitorState, inMaintenance: boolean): TileState {
  return inMaintenance && !UNTOUCHED.includes(state) ? 'maintenance' : state;
}

export type TileCounts = { monitors: number } & Record<TileState, number>;

/** How many there are of each state. */
export function countTiles(tiles: Iterable<{ state: TileState }>): TileCounts {
  const counts = { monitors: 0, ...Object.fromEntries(TILE_STATES.map((state) => [state, 0])) } as TileCounts;
  for (const { state } of tiles) {
    counts.monitors += 1;
    counts[state] += 1;
  }
  return counts;
}

/** Whether something is wrong in this state, that nobody planned. */
export const isWrong = (state: TileState): boolean =>
  state !== 'maintenance' && MONITOR_STATES.indexOf(state) < MONITOR_STATES.indexOf('pending');
