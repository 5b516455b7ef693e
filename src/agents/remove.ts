// Removes an agent (docs/rules/agents.md#removing-an-agent).
import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import { lockAlarmPolicy } from '../alarm-policy/lock.ts';
import { lockReferences } from '../monitors/references.ts';
import type { ShownAt } from '../monitors/row.ts';
import { disableMonitor } from '../monitors/update.ts';
import { inParts } from '../platform/db/in-parts.ts';
import { addJobs } from '../platform/jobs/add-job.ts';
import type { Database, Work } from '../platform/work.ts';
import { findAgent } from './show.ts';

export const PURGE_AGENT_TASK = 'purge_agent';

/**
 * Removes an agent: voids its credential, disables its monitors with the reason, and has its data deleted in the background.
 * Locks, in order: alarm policy and references of the organization, the agent, its monitors.
 */
export async function removeOne(work: Work, orgId: string, agentId: string, options: ShownAt): Promise<void> {
  const { tx } = work;
  await lockAlarmPolicy(tx, orgId, 'shared');
  await lockReferences(tx, orgId);
  // Under the lock: of two people who remove it at once, the second finds it gone, and records nothing.
  const { no, hostname } = await findAgent(tx, orgId, agentId, null);
  await sql`SELECT FROM agents WHERE no = ${no} FOR UPDATE`.execute(tx);
  const { rows: monitors } = await sql<{ id: string }>`
    SELECT id FROM monitors WHERE config ->> 'agent_id' = ${agentId} AND type IN ('agent', 'service')
      AND org_id = ${orgId} AND enabled ORDER BY no`.execute(tx);
  for (const { id } of monitors)
    await disableMonitor(work, id, `Its agent ${hostname} was removed.`, options);
  await sql`DELETE FROM agents WHERE no = ${no} AND org_id = ${orgId}`.execute(tx);
  await purgeAgents(work, [no]);
  await recordActivity(work, {
    orgId,
    action: 'agent.remove',
    resource: { kind: 'agent', id: agentId, name: hostname },
    before: { id: agentId, hostname, disabled_monitors: monitors.map(({ id }) => id) },
  });
}

/** Has the data of an organization's agents deleted: the organization is being deleted, and its agents with it. */
export async function purgeAgentsOf(work: Work, orgId: string): Promise<void> {
  const { rows } = await sql<{ no: number }>`
    SELECT no FROM agents WHERE org_id = ${orgId} ORDER BY no FOR UPDATE`.execute(work.tx);
  await purgeAgents(
    work,
    rows.map(({ no }) => no),
  );
}

const purgeAgents = ({ tx }: Work, nos: readonly number[]): Promise<void> =>
  addJobs(
    tx,
    PURGE_AGENT_TASK,
    nos.map((no) => ({ payload: { agent_no: no }, key: `purge_agent:${no}` })),
  );

/** The tables with an agent's data but without a foreign key to it, and the column with the time of their rows. */
const LEFT_BEHIND = [
  { table: 'agent_readings', at: 'at' },
  { table: 'agent_buckets_10m', at: 'bucket' },
  { table: 'agent_buckets_12h', at: 'bucket' },
  { table: 'agent_events', at: 'at' },
] as const;

/** Deletes all data of a removed agent, in short statements. */
export async function purgeAgent(db: Database, agentNo: number): Promise<void> {
  for (const { table, at } of LEFT_BEHIND)
    await inParts(async (atMost) => {
      const { numAffectedRows } = await sql`
        DELETE FROM ${sql.table(table)} t USING (
          SELECT ${sql.ref(at)} AS at FROM ${sql.table(table)} WHERE agent_no = ${agentNo} LIMIT ${atMost}
        ) part
        WHERE t.agent_no = ${agentNo} AND ${sql.ref(`t.${at}`)} = part.at`.execute(db);
      return Number(numAffectedRows ?? 0);
    });
}
