// The state of an organization's example outage.
import { sql } from 'kysely';
import { shownConfirming } from '../domain/confirmation-state.ts';
import { PLATFORM_POLICY } from '../domain/policy.ts';
import { notFound } from '../platform/refusals.ts';
import { unix } from '../platform/unix.ts';
import type { Database, Tx } from '../platform/work.ts';
import type { ExampleOutage, ExampleStage } from './contract.ts';

type Row = {
  monitor_id: string;
  project_id: string;
  interval_seconds: number;
  last_status: string | null;
  failures: number | null;
  started_by: string | null;
  user_id: string | null;
  started_at: Date;
  fails_since: Date | null;
  heals_at: Date;
  ends_at: Date;
  removed_at: Date;
  incident_id: string | null;
  status: string | null;
  acknowledged: boolean;
};

/** The example of an organization as this person sees it; null: there is none. */
export async function findExample(
  db: Database | Tx,
  orgId: string,
  userId: string | null,
  now: Date,
): Promise<ExampleOutage | null> {
  const { rows } = await sql<Row>`
    SELECT m.id AS monitor_id, m.project_id, m.interval_seconds, s.last_status, s.confirming AS failures,
      u.name AS started_by, e.user_id, e.started_at, e.fails_since, e.heals_at, e.ends_at, e.removed_at,
      i.id AS incident_id, i.status, i.acknowledged_at IS NOT NULL AS acknowledged
    FROM example_outages e JOIN monitors m ON m.no = e.monitor_no JOIN monitor_state s ON s.monitor_no = m.no
      LEFT JOIN users u ON u.id = e.user_id
      LEFT JOIN LATERAL (SELECT * FROM incidents WHERE monitor_no = m.no ORDER BY started_at DESC, id DESC LIMIT 1) i ON true
    WHERE e.org_id = ${orgId} ORDER BY e.started_at DESC LIMIT 1`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const { monitor_id, project_id, incident_id, interval_seconds, user_id, started_by } = row;
  return {
    ...{ monitor_id, project_id, incident_id, interval_seconds },
    stage: stageOf(row, now),
    confirming:
      row.last_status === 'degraded'
        ? shownConfirming(row.failures, PLATFORM_POLICY.alarm_consecutive)
        : null,
    started_at_unix: unix(row.started_at),
    started_by_name: started_by,
    mine: user_id !== null && user_id === userId,
    heals_at_unix: unix(row.heals_at),
    ends_at_unix: unix(row.ends_at),
    removed_at_unix: unix(row.removed_at),
  };
}

/** The same for an organization that has an example. */
export const exampleOf = async (
  db: Database | Tx,
  orgId: string,
  userId: string | null,
  now: Date,
): Promise<ExampleOutage> => (await findExample(db, orgId, userId, now)) ?? notFound('example outage');

function stageOf(row: Row, now: Date): ExampleStage {
  if (row.status === 'closed') return 'resolved';
  if (row.status === 'open') {
    if (row.heals_at <= now) return 'recovering';
    return row.acknowledged ? 'acknowledged' : 'open';
  }
  if (row.heals_at <= now) return 'over';
  if (row.last_status === 'degraded') return 'confirming';
  return row.fails_since === null ? 'first_check' : 'failing';
}
