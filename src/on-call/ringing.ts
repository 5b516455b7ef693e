import { sql } from 'kysely';
import { isPaging } from '../conditions/paging.ts';
import type { Database } from '../platform/work.ts';
import { examplesOf } from './alarm/example-alarm.ts';
import type { Ringing } from './contract.ts';

/** The longest list (docs/rules/on-call-and-alarms.md#loud-alarm). The dashboard's bell rings the same for one as for all. */
const MAX_LISTED = 1000;

/**
 * Incidents whose alarm rings for a person at `now`, the longest ringing first: for clients that connect later. None for
 * somebody who has become a viewer since it reached them.
 */
export async function listRinging(
  db: Database,
  orgId: string,
  userId: string,
  now: Date,
): Promise<Ringing[]> {
  const { rows } = await sql<Ringing>`
    SELECT i.id AS incident_id, m.name AS monitor_name, i.cause, i.severity,
      floor(extract(epoch FROM greatest(aud.since, i.created_at)))::bigint AS since_unix, g.name AS group_name
    FROM alarm_audience aud JOIN alarms a ON a.no = aud.alarm_no
    JOIN members me ON me.org_id = a.org_id AND me.user_id = aud.user_id AND me.role <> 'viewer'
    JOIN incidents i ON i.alarm_no = a.no LEFT JOIN monitors m ON m.no = i.monitor_no
    LEFT JOIN incident_groups g ON g.no = i.group_no
    WHERE aud.user_id = ${userId} AND a.org_id = ${orgId} AND a.ended_at IS NULL AND a.paused_at IS NULL
      AND ${isPaging(now)}
    UNION ALL
    SELECT i.id, m.name, i.cause, i.severity, floor(extract(epoch FROM i.created_at))::bigint, NULL
    FROM ${examplesOf(userId)} WHERE i.org_id = ${orgId} AND i.status = 'open' AND i.acknowledged_at IS NULL
    ORDER BY since_unix, incident_id LIMIT ${MAX_LISTED}`.execute(db);
  return rows;
}
