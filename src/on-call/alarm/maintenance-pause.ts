// Maintenance begins or ends: the alarms of incidents that are open all the while fall silent, and ring again
// (docs/rules/on-call-and-alarms.md#pausing).
import { type RawBuilder, sql } from 'kysely';
import { outboxEvents } from '#src/incidents/announce.ts';
import { isPending, wakes } from '#src/incidents/awake.ts';
import { type IncidentRow, selectIncidents } from '#src/incidents/queries.ts';
import { recordTimeline } from '#src/incidents/timeline.ts';
import { enqueueEvents } from '#src/notifications/outbox.ts';
import { lockOrganization } from '#src/organizations/lock.ts';
import type { Work } from '#src/platform/work.ts';
import { numbers, readStandings, type Standing } from './alarm-state.ts';
import { alarmsOf, opened, SUPPRESSED, silence, suppressedEntry, wake } from './on-incident-change.ts';
import { settleAlarms } from './reconcile-alarm.ts';

/**
 * A window that these monitors are in has begun: their alarms are quiet from now on. Their incidents say so. To be called
 * before the organization is locked, where the states of the monitors may be.
 */
export async function pauseQuiet(work: Work, monitorNos: readonly number[]): Promise<void> {
  await forEachOrganization(work, ofMonitors(monitorNos), async (orgId, rows, standings) => {
    const suppressed = rows.filter(({ id }) => standings.get(id)?.suppressed);
    const known = await alreadySaid(work, suppressed);
    await recordTimeline(
      work,
      suppressed.filter(({ id }) => !known.has(id)).map(({ id }) => suppressedEntry(id)),
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
  await forEachOrganization(work, ofMonitors(monitorNos), (orgId, rows, standings) =>
    goOn(work, orgId, rows, standings),
  );
}

/** Has incidents ring whose alarms have not started, or wait. The organization is locked. */
export async function goOn(
  work: Work,
  orgId: string,
  rows: readonly IncidentRow[],
  standings: ReadonlyMap<string, Standing>,
): Promise<void> {
  const started = await wake(work, orgId, rows, standings);
  await enqueueEvents(work, orgId, outboxEvents(work, opened(rows, started)), ['paging']);
  await settleAlarms(work, orgId, alarmsOf(standings.values(), started.joined), new Set());
}

/** Those of which the last that was said of their alarm is that it is quiet: windows may overlap. */
async function alreadySaid({ tx }: Work, rows: readonly IncidentRow[]): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const { rows: said } = await sql<{ id: string }>`
    SELECT given.id FROM unnest(${rows.map(({ id }) => id)}::text[]) AS given (id)
    CROSS JOIN LATERAL (
      SELECT t.kind FROM incident_timeline t
      WHERE t.incident_id = given.id AND (t.kind = 'paged' OR (t.kind = 'suppressed' AND t.detail = ${SUPPRESSED}))
      ORDER BY t.no DESC LIMIT 1
    ) last WHERE last.kind = 'suppressed'`.execute(tx);
  return new Set(said.map(({ id }) => id));
}

const ofMonitors = (monitorNos: readonly number[]) =>
  sql<boolean>`i.monitor_no = ANY(${numbers(monitorNos)})`;

/**
 * Those of the incidents `i` that wait for somebody, locked by their ids; then their organization, as everywhere.
 */
export async function forEachOrganization(
  work: Work,
  those: RawBuilder<boolean>,
  act: (
    orgId: string,
    rows: readonly IncidentRow[],
    standings: ReadonlyMap<string, Standing>,
  ) => Promise<void>,
): Promise<void> {
  const { tx } = work;
  const { rows: locked } = await sql<{ id: string }>`
    SELECT i.id FROM incidents i WHERE ${those} AND ${isPending} AND ${wakes}
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
