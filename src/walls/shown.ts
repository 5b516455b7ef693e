// The part of an overview that a wall shows (docs/rules/overview.md#what-a-wall-shows): names and times, but no ids, no
// addresses, and no causes of monitors' incidents. Pure.
import { isWrong } from '../domain/tiles.ts';
import type { Overview } from '../overview/contract.ts';
import { MAX_NAMED_TILES, MAX_WRONG, type Wall } from './contract.ts';

export type Shown = Omit<Wall, 'organization_name' | 'link_name'>;

const MAX_RECENT = 5;

/** Takes a complete overview. */
export function shownOf(overview: Overview): Shown {
  const { monitors, counts, open, on_call, maintenance, unnotified } = overview;
  if (!monitors || !counts || !open || !on_call || !maintenance)
    throw new Error('a wall is made of the whole overview');
  const { total, since_unix, since_same_minute, unacknowledged, acknowledged_by } = open;
  const next = maintenance.next[0];
  return {
    counts,
    tiles: monitors.map(({ name, state }) => ({
      name: monitors.length > MAX_NAMED_TILES ? null : name,
      state,
    })),
    wrong: monitors
      .filter(({ state }) => isWrong(state))
      .sort((a, b) => SEVERITY.indexOf(a.state) - SEVERITY.indexOf(b.state))
      .slice(0, MAX_WRONG)
      .map(({ name, state, since_unix }) => ({ name, state, since_unix })),
    // A declared incident has no monitor: its title is its cause.
    declared: open.incidents
      .filter(({ monitor_id }) => monitor_id === null)
      .map((incident) => ({
        cause: incident.cause,
        started_at_unix: incident.started_at_unix,
        acknowledged_by: incident.acknowledged_by_name,
      })),
    open: { total, since_unix, since_same_minute, unacknowledged, acknowledged_by },
    on_call: {
      enabled: on_call.enabled,
      now: on_call.now.name,
      until_unix: on_call.now.until_unix,
      next: on_call.next?.name ?? null,
    },
    maintenance: {
      now: maintenance.now.map(({ title, ends_at_unix }) => ({ title, ends_at_unix })),
      next: next === undefined ? null : { title: next.title, starts_at_unix: next.starts_at_unix },
    },
    holds: (overview.holds ?? []).map(({ name, by_name, until_unix }) => ({ name, by_name, until_unix })),
    recent: (overview.recent ?? [])
      .slice(0, MAX_RECENT)
      .map(({ monitor_name, cause, started_at_unix, resolved_at_unix }) => ({
        name: monitor_name ?? cause,
        started_at_unix,
        resolved_at_unix,
      })),
    nobody_notified: unnotified?.all ?? false,
    uptime: overview.uptime && { period: overview.uptime.period, pct: overview.uptime.pct },
  };
}

/** Worst first. */
const SEVERITY: readonly string[] = ['failed', 'cannot_check', 'no_data', 'degraded'];
