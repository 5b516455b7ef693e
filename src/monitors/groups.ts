// The status of a group is derived from its members (docs/rules/confirmation.md#groups). A change of a member wakes its groups,
// in the same unit of work; a stored job of each group then derives the status (src/checks/derive-group.ts).
import { sql } from 'kysely';
import type { Work } from '../platform/work.ts';

export const GROUP_TASK = 'group';
export const groupKey = (monitorNo: number) => `group:${monitorNo}`;

/** Wakes every enabled group that has one of these monitors as a member. */
export async function triggerGroupsOf({ tx }: Work, monitorIds: readonly string[]): Promise<void> {
  if (monitorIds.length === 0) return;
  await sql`
    SELECT graphile_worker.add_job(${GROUP_TASK}, json_build_object('monitor_no', no), job_key => 'group:' || no)
    FROM monitors WHERE type = 'group' AND enabled AND (config -> 'members') ?| ${[...monitorIds]}::text[]`.execute(
    tx,
  );
}

/** Wakes a group that is new or was switched on, or whose members or rule changed. Does nothing for other monitors. */
export async function wakeGroup(
  { tx }: Work,
  monitor: { no: number; type: string; enabled: boolean },
): Promise<void> {
  if (monitor.type !== 'group' || !monitor.enabled) return;
  await sql`SELECT graphile_worker.add_job(${GROUP_TASK}, json_build_object('monitor_no', ${monitor.no}::int),
    job_key => ${groupKey(monitor.no)})`.execute(tx);
}
