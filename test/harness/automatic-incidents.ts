// Automatic incidents without checks, of monitors that were deleted since.
import { sql } from 'kysely';
import { announceIncident } from '#src/incidents/announce.ts';
import { selectIncidents } from '#src/incidents/queries.ts';
import { newId } from '#src/platform/ids.ts';
import { runWork, SYSTEM, type Work } from '#src/platform/work.ts';
import type { Place, TestApp } from './app.ts';

/** Opens this many in this unit of work; `heldUntil` holds their alarms. */
export async function openAutomatic(
  work: Work,
  { orgId, projectId }: Place,
  count: number,
  heldUntil: Date | null = null,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('inc'));
  await sql`INSERT INTO incidents (id, org_id, monitor_id, project_id, origin, cause, summary, severity, status,
      down_regions, region_count, started_at, created_at, alarm_held_until, alarm_held_by_name)
    SELECT id, ${orgId}, '', ${projectId}, 'automatic', 'Storm', 'Storm', 'critical', 'open', '{}', 1, ${work.now},
      ${work.now}, ${heldUntil}, ${heldUntil && 'router'} FROM unnest(${ids}::text[]) AS given (id)`.execute(
    work.tx,
  );
  await announceAll(work, ids, 'opened');
  return ids;
}

/** Announces a change of these incidents, as the code that makes the change does. */
export async function announceAll(
  work: Work,
  ids: readonly string[],
  change: 'opened' | 'acknowledged' | 'resolved' | 'escalated',
): Promise<void> {
  const rows = await selectIncidents(work.tx)
    .where('incidents.id', '=', sql<string>`ANY(${[...ids]}::text[])`)
    .orderBy('incidents.id')
    .execute();
  for (const row of rows) announceIncident(work, row, change);
}

/** Opens this many at once. */
export const openTogether = (app: TestApp, place: Place, count: number, heldUntil: Date | null = null) =>
  runWork(app.db, app.clock.now(), SYSTEM, (work) => openAutomatic(work, place, count, heldUntil));
