// Maintenance begins or ends: the alarms of incidents that are open all the while fall silent, and ring again
// (decisions, section 5).
import { sql } from 'kysely';
import { outboxEvents } from '../../incidents/announce.ts';
import { type IncidentRow, selectIncidents } from '../../incidents/queries.ts';
import { recordTimeline } from '../../incidents/timeline.ts';
import type { Work } from '../../platform/work.ts';
import { enqueueEvents } from '../../webhooks/enqueue.ts';
import { alarmsOf, opened, silence, suppressedEntry, wake } from './follow.ts';
import { settleAlarms } from './settle.ts';
import { isPending, lockOrganization, numbers, readStandings, type Standing, wakes } from './standing.ts';

/**
 * A window that these monitors are in has begun: their alarms are quiet from now on. Their incidents say so. To be called
 * before the organization is locked, where the states of the monitors may be.
 */
export async function pauseQuiet(work: Work, monitorNos: readonly number[]): Promise<void> {
  await forEachOrganization(work, monitorNos, async (orgId, rows, standings) => {
    const suppressed = rows.filter(({ id }) => standings.get(id)?.suppressed);
    await recordTimeline(
      work,
      suppressed.map(({ id }) => suppressedEntry(id)),
    );
    await silence(work, suppressed, standings);
    await settleAlarms(work, orgId, alarmsOf(standings.values()), new Set());
  });
}

/**
 * A window that these monitors were in is over: alarms that waited for that start at this second, those that ran before
 * go on. What another window or a hold keeps quiet stays so. To be called before the organization is locked.
 */
export async function resumeQuiet(work: Work, monitorNos: readonly number[]): Promise<void> {
  await forEachOrganization(work, monitorNos, async (orgId, rows, standings) => {
    const started = await wake(work, orgId, rows, standings);
    await enqueueEvents(work, orgId, outboxEvents(work, opened(rows, started)), ['paging']);
    await settleAlarms(work, orgId, alarmsOf(standings.values(), started.joined), new Set());
  });
}

/** The incidents of these monitors that wait for somebody, locked; then their organization, as everywhere. */
async function forEachOrganization(
  work: Work,
  monitorNos: readonly number[],
  act: (
    orgId: string,
    rows: readonly IncidentRow[],
    standings: ReadonlyMap<string, Standing>,
  ) => Promise<void>,
): Promise<void> {
  const { tx } = work;
  const { rows: locked } = await sql<{ id: string }>`
    SELECT i.id FROM incidents i WHERE i.monitor_no = ANY(${numbers(monitorNos)}) AND ${isPending} AND ${wakes}
    ORDER BY i.id FOR NO KEY UPDATE`.execute(tx);
  if (locked.length === 0) return;
  const ids = locked.map(({ id }) => id);
  const rows = await selectIncidents(tx)
    .where('incidents.id', '=', sql<string>`ANY(${ids}::text[])`)
    .orderBy('incidents.id')
    .execute();
  for (const [orgId, own] of Map.groupBy(rows, (row) => row.org_id)) {
    await lockOrganization(tx, orgId);
    await act(
      orgId,
      own,
      await readStandings(
        work,
        own.map(({ id }) => id),
      ),
    );
  }
}
