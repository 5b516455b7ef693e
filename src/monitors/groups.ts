// A group's status is derived from its members (docs/rules/confirmation.md#groups). A change of a member wakes its groups here,
// in the same unit of work; a stored job of the group then derives the status (src/checks/derive-group.ts).
import { sql } from 'kysely';
import type { Work } from '../platform/work.ts';

export const GROUP_TASK = 'group';
export const groupKey = (monitorNo: number) => `group:${monitorNo}`;

/** Wakes every enabled group that one of these monitors is in. */
export async function wakeGroupsOf({ tx }: Work, monitorIds: readonly string[]): Promise<void> {
  if (monitorIds.length === 0) return;
  await sql`
    SELECT graphile_worker.add_job(${GROUP_TASK}, json_build_object('monitor_no', no), job_key => 'group:' || no)
    FROM monitors WHERE type = 'group' AND enabled AND (config -> 'members') ?| ${[...monitorIds]}::text[]`.execute(
    tx,
  );
}

/** Wakes one group: it is new, was switched on, or its members or its rule changed. Nothing for any other monitor. */
export async function wakeGroup(
  { tx }: Work,
  monitor: { no: number; type: string; enabled: boolean },
): Promise<void> {
  if (monitor.type !== 'group' || !monitor.enabled) return;
  await sql`SELECT graphile_worker.add_job(${GROUP_TASK}, json_build_object('monitor_no', ${monitor.no}::int),
    job_key => ${groupKey(monitor.no)})`.execute(tx);
}
