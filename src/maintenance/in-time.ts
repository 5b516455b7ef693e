// What time alone does to a window: the stored job of its beginning and its end.
import { sql } from 'kysely';
import type { Work } from '../platform/work.ts';
import { scheduleWindow, settle } from './effects.ts';
import { plannedTime, readWindows } from './row.ts';
import { lockMonitors } from './write.ts';

/**
 * The stored job of a window. Too early it only puts itself back; whatever it did before, it does not do again. One
 * lock a window: of two processes, the second finds everything done.
 */
export async function turnWindow(work: Work, windowId: string): Promise<void> {
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
  await settle(work, { before: locked, after: locked }, { missed: true });
}
