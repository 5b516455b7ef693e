// Brings a written window into force. Its row and the states of its monitors are locked.
import { sql } from 'kysely';
import { timeInForce } from '../domain/maintenance.ts';
import { pgArray } from '../platform/db/pg-array.ts';
import type { Tx, Work } from '../platform/work.ts';
import { applyWindow, type Change } from './effects.ts';
import { plannedTime, type WindowMonitor, type WindowRow } from './row.ts';

/** Writes the time in force of a window and applies its effects. */
export async function applyChange(work: Work, change: Change): Promise<void> {
  if (change.after) await writeTimeInForce(work, change.after);
  await applyWindow(work, change);
}

/** Locks the states of monitors in the order that evaluation uses, and returns the monitors that still exist. */
export async function lockMonitors(
  { tx }: { tx: Tx },
  monitors: readonly WindowMonitor[],
): Promise<WindowMonitor[]> {
  if (monitors.length === 0) return [];
  const { rows } = await sql<{ no: number }>`
    SELECT monitor_no AS no FROM monitor_state WHERE monitor_no = ANY(${pgArray(monitors.map(({ no }) => no))}::int[])
    ORDER BY monitor_no FOR UPDATE`.execute(tx);
  const existing = new Set(rows.map(({ no }) => no));
  return monitors.filter(({ no }) => existing.has(no));
}

async function writeTimeInForce({ tx }: Work, row: WindowRow): Promise<void> {
  const { fromMs, untilMs } = timeInForce(plannedTime(row));
  const nos = pgArray(row.monitors.map(({ no }) => no));
  const byTag = pgArray(row.monitors.map((monitor) => monitor.byTag));
  await sql`
    WITH gone AS (
      DELETE FROM maintenance_monitors WHERE window_id = ${row.id} AND monitor_no <> ALL(${nos}::int[])
    )
    INSERT INTO maintenance_monitors (window_id, monitor_no, starts_at, ends_at, by_tag)
    SELECT ${row.id}, no, ${new Date(fromMs)}, ${new Date(untilMs)}, by_tag
    FROM unnest(${nos}::int[], ${byTag}::boolean[]) AS given (no, by_tag)
    ON CONFLICT (monitor_no, window_id) DO UPDATE SET starts_at = excluded.starts_at, ends_at = excluded.ends_at,
      by_tag = excluded.by_tag`.execute(tx);
}
