// Applies monitor events to a field of tiles. Pure.
import { monitorState } from '#src/domain/monitor-state.ts';
import { countTiles, tileState } from '#src/domain/tiles.ts';
import type { MonitorEvent } from '#src/events/contract.ts';
import type { Overview, Tile } from '#src/overview/contract.ts';

/** The overview after these events; the same object if nothing changes; null if the events do not carry enough. */
export function withMonitorEvents(overview: Overview, events: readonly MonitorEvent[]): Overview | null {
  if (overview.monitors === null || overview.counts === null) return overview;
  const tiles = new Map(overview.monitors.map((tile) => [tile.id, tile]));
  let changed = false;
  for (const event of events) {
    const tile = tiles.get(event.monitor_id);
    // Only the server knows the name of a new monitor, and a changed one may have been renamed.
    if (event.change === 'created' || event.change === 'updated') return null;
    // In a very large organization not every monitor has a tile.
    if (tile === undefined) {
      if (event.change === 'deleted' || overview.counts.monitors === overview.monitors.length) continue;
      return null;
    }
    if (event.change === 'deleted') {
      tiles.delete(tile.id);
      changed = true;
      continue;
    }
    const next = withEvent(tile, event);
    if (next === null) return null;
    if (next === tile) continue;
    tiles.set(tile.id, next);
    changed = true;
  }
  if (!changed) return overview;
  const monitors = [...tiles.values()];
  // The counts cover all monitors; they can be recomputed only if every monitor has a tile.
  if (overview.counts.monitors !== overview.monitors.length) return null;
  return { ...overview, monitors, counts: countTiles(monitors) };
}

function withEvent(tile: Tile, event: MonitorEvent): Tile | null {
  const isSilent = tile.state === 'no_data' || tile.state === 'cannot_check';
  if (event.change === 'status') {
    // A status comes from results, so the monitor may have data now; only the server knows.
    if (isSilent || tile.state === 'paused') return null;
    return shown(tile, { last_status: event.last_status, no_data_since_unix: null, cannot_check: null });
  }
  const { last_status, no_data_since_unix = null, cannot_check = null } = event;
  return shown(tile, { last_status, no_data_since_unix, cannot_check });
}

type KnownStatus = {
  last_status: string | null;
  no_data_since_unix: number | null;
  cannot_check: string | null;
};

function shown(tile: Tile, known: KnownStatus): Tile {
  // It has a status, so it no longer waits for its first result.
  const state = tileState(
    monitorState({ enabled: true, interval_seconds: 0, ...known }, Number.POSITIVE_INFINITY),
    tile.in_maintenance,
  );
  if (state === tile.state) return tile;
  return { ...tile, state, since_unix: state === 'passed' ? null : known.no_data_since_unix };
}
