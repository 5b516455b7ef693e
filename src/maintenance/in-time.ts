// The job that applies a window's start and end.
import { sql } from 'kysely';
import type { Work } from '../platform/work.ts';
import { lockMonitors } from './apply-change.ts';
import { applyWindow, scheduleWindow } from './effects.ts';
import { plannedTime, readWindows } from './row.ts';

/**
 * The job of a window. If it runs too early, it reschedules itself. It repeats nothing: the row's lock lets one process
 * work, and the second finds everything done.
 */
export async function runWindowJob(work: Work, windowId: string): Promise<void> {
  const { tx, now } = work;
  const { rows } = await sql`SELECT FROM maintenance_windows WHERE id = ${windowId} FOR UPDATE`.execute(tx);
  if (rows.length === 0) return;
  const [row] = await readWindows(tx, sql`w.id = ${windowId}`);
  if (!row) return;
  const { startMs, endMs } = plannedTime(row);
  const isDue =
    (row.started_at === null && startMs <= now.getTime()) ||
    (row.ended_at === null && endMs <= now.getTime());
  if (!isDue) return scheduleWindow(tx, row, now);
  const monitors = await lockMonitors(work, row.monitors);
  const locked = { ...row, monitors };
  await applyWindow(work, { before: locked, after: locked }, { missed: true });
}
