// The incidents of a walk, as the judges see them.
import { sql } from 'kysely';
import type { TestApp } from '../harness/app.ts';

export type Incident = {
  id: string;
  monitor_id: string;
  open: boolean;
  acknowledged: boolean;
  degraded: boolean;
  heldUntil: Date | null;
  alarmNo: number | null;
  groupNo: number | null;
};

export async function readIncidents(app: TestApp, orgId: string): Promise<Incident[]> {
  const { rows } = await sql<Incident>`
    SELECT id, monitor_id, status = 'open' AS open, acknowledged_at IS NOT NULL AS acknowledged,
      severity = 'degraded' AS degraded, alarm_held_until AS "heldUntil", alarm_no AS "alarmNo", group_no AS "groupNo"
    FROM incidents WHERE org_id = ${orgId} ORDER BY created_at, id`.execute(app.db);
  return rows;
}

/** One moment of a walk. `needing`: ids of the incidents that somebody needs to respond to; `before`: a moment earlier. */
export type Moment = {
  atMs: number;
  incidents: readonly Incident[];
  needing: ReadonlySet<string>;
  before: { incidents: readonly Incident[]; needing: ReadonlySet<string> };
};
