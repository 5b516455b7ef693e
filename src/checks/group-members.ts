import { sql } from 'kysely';
import { inMaintenance } from '../conditions/maintenance.ts';
import type { GroupRule, Member } from '../domain/group.ts';
import type { DisplayStatus } from '../domain/names.ts';
import type { Work } from '../platform/work.ts';
import type { LockedMonitor } from './monitored.ts';

type Group = Pick<LockedMonitor, 'orgId' | 'config'>;

export function ruleOf({ config }: Group): { rule: GroupRule; value: number | null } {
  const { rule, value } = config as { rule: GroupRule; value: number | null };
  return { rule, value };
}

/**
 * A member that began to fail during its maintenance opens no incident, and does not make its group fail: it counts as not
 * checked. A member with an open incident counts as failed.
 */
const isExcused = (now: Date) => sql`s.last_status = 'failed'
  AND NOT EXISTS (SELECT FROM incidents i WHERE i.monitor_no = m.no AND i.status = 'open')
  AND ${inMaintenance(sql`m.no`, sql`${now}::timestamptz`)}`;

/** The members of a group at this moment, in the order of its config, without deleted ones. */
export async function membersOf({ tx, now }: Work, { orgId, config }: Group): Promise<Member[]> {
  const { members } = config as { members: string[] };
  const { rows } = await sql<{
    id: string;
    name: string;
    enabled: boolean;
    status: DisplayStatus | null;
    since: number | null;
  }>`
    SELECT m.id, m.name, m.enabled, CASE WHEN NOT (${isExcused(now)}) THEN s.last_status END AS status, extract(epoch FROM s.last_status_since)::bigint AS since
    FROM monitors m JOIN monitor_state s ON s.monitor_no = m.no
    WHERE m.id = ANY(${[...members]}::text[]) AND m.org_id = ${orgId}
    ORDER BY array_position(${[...members]}::text[], m.id)`.execute(tx);
  return rows.map(({ since, ...member }) => ({ ...member, statusSinceUnix: since }));
}
