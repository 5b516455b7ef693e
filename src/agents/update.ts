// Changes the settings of an agent.
import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import { startOver } from '../monitors/start-over.ts';
import { refuseChangedReadOnly } from '../platform/read-only.ts';
import type { Work } from '../platform/work.ts';
import type { Agent, AgentUpdate } from './contract.ts';
import { checkedLabels } from './labels.ts';
import { findAgent, getOne, type ShownAt } from './show.ts';

/**
 * Changes labels, the opt-in to inventories, and whether silence is expected; omitted fields and nulls keep their value.
 * Without the opt-in the stored inventory is deleted at once (docs/rules/agents.md#inventory).
 */
export async function changeAgent(
  work: Work,
  orgId: string,
  agentId: string,
  body: AgentUpdate,
  shownAt: ShownAt,
): Promise<Agent> {
  const { tx, now } = work;
  const { no } = await findAgent(tx, orgId, agentId, null);
  await tx.selectFrom('agents').select('no').where('no', '=', no).forNoKeyUpdate().execute();
  // A heartbeat holds the same lock, so no heartbeat that began earlier stores names after the opt-in was withdrawn.
  const before = await getOne(tx, orgId, agentId, { ...shownAt, now });
  const { labels, inventory_enabled, expected_offline, ...readOnly } = body;
  refuseChangedReadOnly(readOnly, before);
  await tx
    .updateTable('agents')
    .set({
      labels: labels == null ? before.labels : checkedLabels(labels),
      inventory_enabled: inventory_enabled ?? before.inventory_enabled,
      expected_offline: expected_offline ?? before.expected_offline,
    })
    .where('no', '=', no)
    .execute();
  if (inventory_enabled === false)
    await tx.deleteFrom('agent_inventories').where('agent_no', '=', no).execute();
  if (expected_offline === true && !before.expected_offline) await excuseSilence(work, orgId, agentId);
  const after = await getOne(tx, orgId, agentId, { ...shownAt, now });
  await recordActivity(work, {
    orgId,
    action: 'agent.update',
    resource: { kind: 'agent', id: agentId, name: after.hostname },
    before: changeable(before),
    after: changeable(after),
  });
  return after;
}

/** Its silence is no longer an outage: the monitors that failed because of it start over, and no others. */
async function excuseSilence(work: Work, orgId: string, agentId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    SELECT m.id FROM monitors m JOIN agents a ON a.id = m.config ->> 'agent_id' AND a.org_id = m.org_id
      JOIN agent_states s ON s.agent_no = a.no
    WHERE a.id = ${agentId} AND m.org_id = ${orgId} AND m.type IN ('agent', 'service') AND m.enabled
      AND m.config ->> 'metric' = 'online' AND s.silent_since IS NOT NULL ORDER BY m.no`.execute(work.tx);
  for (const { id } of rows) await startOver(work, id, 'its host may be offline');
}

/** The activity log records people's choices; readings change by themselves. */
const changeable = ({ id, labels, inventory_enabled, expected_offline }: Agent) => ({
  ...{ id, labels, inventory_enabled, expected_offline },
});

/** Asks an agent to upgrade to the version of this server (docs/rules/agents.md#upgrading-an-agent). */
export async function askForUpgrade(
  work: Work,
  orgId: string,
  agentId: string,
  shownAt: ShownAt,
): Promise<Agent> {
  const { tx, now } = work;
  const { no, hostname } = await findAgent(tx, orgId, agentId, null);
  await tx.updateTable('agents').set({ upgrade_asked_at: now }).where('no', '=', no).execute();
  const agent = await getOne(tx, orgId, agentId, { ...shownAt, now });
  await recordActivity(work, {
    orgId,
    action: 'agent.upgrade',
    resource: { kind: 'agent', id: agentId, name: hostname },
    before: { agent_version: agent.agent_version },
    after: { agent_version: agent.latest_version },
  });
  return agent;
}
