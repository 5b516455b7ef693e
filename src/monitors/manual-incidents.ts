// While a person's incident about a monitor is open, the monitor is shown as failed, whatever its checks say
// (docs/rules/confirmation.md#displayed-status).
import { sql } from 'kysely';
import { type ConfirmationState, statusShown } from '../domain/confirmation-state.ts';
import { publishMonitor } from '../events/publish.ts';
import { pgArray } from '../platform/db/pg-array.ts';
import type { Work } from '../platform/work.ts';
import { onlineForDecisions } from '../regions/liveness.ts';
import { triggerGroupsOf } from './groups.ts';

type Row = {
  no: number;
  id: string;
  org_id: string;
  project_id: string;
  state: ConfirmationState;
  last_status: string | null;
  open: boolean;
};

/** Such incidents of these monitors opened or closed: updates the displayed status. The caller has locked their states. */
export async function showManualIncidents(work: Work, monitorNos: readonly number[]): Promise<void> {
  const { rows } = await sql<Row>`
    SELECT m.no, m.id, m.org_id, m.project_id, s.state, s.last_status, EXISTS (
      SELECT FROM incidents i WHERE i.monitor_no = m.no AND i.status = 'open' AND i.origin = 'manual') AS open
    FROM monitors m JOIN monitor_state s ON s.monitor_no = m.no
    WHERE m.no = ANY(${pgArray(monitorNos)}::int[]) ORDER BY m.no`.execute(work.tx);
  const online = await onlineForDecisions(work.tx, work.now);
  for (const row of rows) {
    const status = statusShown(row.state, [...online], row.open);
    const turned = status !== row.last_status;
    await work.tx
      .updateTable('monitor_state')
      .set({
        manual_incident: row.open,
        last_status: status,
        ...(turned ? { last_status_since: work.now } : {}),
      })
      .where('monitor_no', '=', row.no)
      .execute();
    if (turned)
      publishMonitor(work, row.org_id, {
        monitor_id: row.id,
        project_id: row.project_id,
        change: 'status',
        last_status: status,
      });
  }
  // Whatever the status was: a member that fails in maintenance counts only while it has an open incident.
  await triggerGroupsOf(
    work,
    rows.map(({ id }) => id),
  );
}
