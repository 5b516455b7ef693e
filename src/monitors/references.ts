// The monitors and the agent that a monitor refers to: its dependencies, the members of a group, the agent that measures
// (docs/rules/confirmation.md#dependencies, docs/rules/confirmation.md#groups).
import { sql } from 'kysely';
import { advisoryLock } from '../platform/db/advisory-lock.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import { seenIn, sees } from '../platform/http/within.ts';
import { refuse } from '../platform/refusals.ts';
import type { Tx } from '../platform/work.ts';
import { quoted } from './types/rules.ts';

/** Reads only the references in `config`, which need not be complete. */
export type References = { type: string; config: Record<string, unknown>; dependsOn: readonly string[] };

/** Members of a group; none for another type. */
export const membersOf = ({ type, config }: Pick<References, 'type' | 'config'>): readonly string[] =>
  type === 'group' ? (config.members as string[]) : [];

/** The agent that measures; null for types that have none. */
export const agentOf = ({ type, config }: Pick<References, 'type' | 'config'>): string | null =>
  type === 'agent' || type === 'service' ? (config.agent_id as string) : null;

/**
 * Allows one write per organization at a time to refer to, or delete, monitors or agents, until its transaction ends. Two
 * writes cannot close a cycle between them, and nothing refers to a monitor or an agent that is being deleted. Taken before the
 * state of any monitor is locked; see docs/architecture.md, "Locks, in order".
 */
export async function lockReferences(tx: Tx, orgId: string): Promise<void> {
  await advisoryLock(tx, `references ${orgId}`);
}

/** `lockReferences` of the organization of a monitor; does nothing if the monitor is gone. */
export async function lockReferencesOf(tx: Tx, monitorId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('references ' || org_id, 0))
    FROM monitors WHERE id = ${monitorId}`.execute(tx);
}

/** Whether a write can make a monitor refer to another one or an agent, and so needs the lock. */
export function namesMonitors(body: { depends_on?: unknown; config?: unknown }): boolean {
  const { depends_on: dependsOn, config } = body;
  return (
    (Array.isArray(dependsOn) && dependsOn.length > 0) ||
    (typeof config === 'object' && config !== null && ('members' in config || 'agent_id' in config))
  );
}

/**
 * Removes a monitor that is being deleted from every list that refers to it. A group that loses its last member stays, and has
 * no status until it gets others. The caller holds `lockReferences`.
 */
export async function forgetReferences(tx: Tx, orgId: string, monitorId: string): Promise<void> {
  await sql`UPDATE monitors SET depends_on = array_remove(depends_on, ${monitorId})
    WHERE org_id = ${orgId} AND ${monitorId} = ANY(depends_on)`.execute(tx);
  await sql`
    UPDATE monitors SET config = without.config || CASE
      WHEN (without.config ->> 'value')::int > jsonb_array_length(without.config -> 'members')
      THEN jsonb_build_object('value', greatest(1, jsonb_array_length(without.config -> 'members'))) ELSE '{}'::jsonb END
    FROM (
      SELECT no, jsonb_set(config, '{members}', (config -> 'members') - ${monitorId}::text) AS config
      FROM monitors WHERE org_id = ${orgId} AND type = 'group' AND config -> 'members' ? ${monitorId}
      ORDER BY no FOR NO KEY UPDATE
    ) AS without
    WHERE monitors.no = without.no`.execute(tx);
}

const MAX_DEPENDENCIES = 10;

/** The monitor that refers to others. `isNew`: nothing can refer to it yet. */
type Naming = { id: string; orgId: string; isNew: boolean };
type List = { field: string; ids: readonly string[]; before: readonly string[] };

/**
 * Refuses references that a monitor may not have: another organization's agent or monitors, monitors that the key does not see,
 * itself, a monitor twice, and a cycle (docs/rules/errors-and-conventions.md#ids-in-a-body,
 * docs/rules/access.md#narrowed-keys). References that it had `before` are not checked again, so that one entry at a time can
 * change. The caller holds `lockReferences`.
 */
export async function validateReferences(
  tx: Tx,
  named: References & { id: string; orgId: string },
  before: References | null,
  within: ResourceFilter,
): Promise<void> {
  const whose = { id: named.id, orgId: named.orgId, isNew: before === null };
  await validateAgent(tx, whose, agentOf(named), before ? agentOf(before) : null, within);
  const members: List = {
    field: 'config.members',
    ids: membersOf(named),
    before: before ? membersOf(before) : [],
  };
  if (named.type === 'group' && members.ids.length === 0 && !isEmptyGroup(before))
    refuse('invalid_request', 'config.members must name at least one monitor.', { field: 'config.members' });
  await validateList(tx, whose, members, within);
  if (await leadsBack(tx, whose, members.ids, MEMBERS_OF_GROUP))
    refuseCycle(members, 'names a group that this one is a member of, directly or through others');

  const dependsOn: List = { field: 'depends_on', ids: named.dependsOn, before: before?.dependsOn ?? [] };
  if (dependsOn.ids.length > MAX_DEPENDENCIES)
    refuse('invalid_request', `depends_on must name at most ${MAX_DEPENDENCIES} monitors.`, {
      field: 'depends_on',
    });
  await validateList(tx, whose, dependsOn, within);
  if (await leadsBack(tx, whose, dependsOn.ids, sql`m.depends_on`))
    refuseCycle(dependsOn, 'names a monitor that depends on this one, directly or through others');
}

const isEmptyGroup = (before: References | null): boolean =>
  before !== null && before.type === 'group' && membersOf(before).length === 0;

async function validateAgent(
  tx: Tx,
  { orgId }: Naming,
  agentId: string | null,
  before: string | null,
  within: ResourceFilter,
): Promise<void> {
  if (agentId === null || agentId === before) return;
  await refuseForeignAgent(tx, orgId, agentId);
  if (within !== null && !(await isOnAgent(tx, orgId, agentId, within)))
    refuse(
      'forbidden',
      `config.agent_id names ${agentId}: this key is narrowed, and none of its monitors is on it.`,
      {
        field: 'config.agent_id',
      },
    );
}

/** Whether a narrowed key has a monitor on an agent: it sees only those agents. */
async function isOnAgent(
  tx: Tx,
  orgId: string,
  agentId: string,
  within: NonNullable<ResourceFilter>,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM monitors m WHERE m.config ->> 'agent_id' = ${agentId} AND m.type IN ('agent', 'service')
      AND m.org_id = ${orgId} AND ${seenIn(within, { project: 'm.project_id', monitor: 'm.id' })} LIMIT 1`.execute(
    tx,
  );
  return rows.length > 0;
}

/** Refuses to enable a monitor whose agent was removed (docs/rules/agents.md#removing-an-agent). */
export async function refuseGoneAgent(tx: Tx, named: References & { orgId: string }): Promise<void> {
  const agentId = agentOf(named);
  if (agentId !== null) await refuseForeignAgent(tx, named.orgId, agentId);
}

async function refuseForeignAgent(tx: Tx, orgId: string, agentId: string): Promise<void> {
  const found = await tx
    .selectFrom('agents')
    .select('id')
    .where('id', '=', agentId)
    .where('org_id', '=', orgId)
    .forKeyShare()
    .executeTakeFirst();
  if (!found)
    refuse(
      'foreign_agent',
      `config.agent_id ${quoted(agentId)} is no agent of this organization; choose one of its list.`,
      {
        field: 'config.agent_id',
      },
    );
}

async function validateList(
  tx: Tx,
  { id, orgId }: Naming,
  { field, ids, before }: List,
  within: ResourceFilter,
): Promise<void> {
  if (new Set(ids).size !== ids.length)
    refuse('invalid_request', `${field} must not name a monitor twice.`, { field });
  if (ids.includes(id)) refuse('invalid_request', `${field} must not name the monitor itself.`, { field });
  const added = ids.filter((each) => !before.includes(each));
  if (added.length === 0) return;
  const rows = await tx
    .selectFrom('monitors')
    .select(['id', 'project_id'])
    .where('id', 'in', added)
    .where('org_id', '=', orgId)
    // An example must not affect anything real.
    .where('example', '=', false)
    .execute();
  const known = new Map(rows.map((row) => [row.id, row.project_id]));
  const unknown = added.find((each) => !known.has(each));
  if (unknown !== undefined)
    refuse(
      'invalid_request',
      `${field} names ${quoted(unknown)}, which is no monitor of this organization.`,
      {
        field,
      },
    );
  const outside = added.find(
    (monitorId) => !sees(within, { monitorId, projectId: known.get(monitorId) ?? null }),
  );
  if (outside !== undefined)
    refuse('forbidden', `${field} names ${outside}: this key is narrowed to other projects or monitors.`, {
      field,
    });
}

const MEMBERS_OF_GROUP = sql`ARRAY(SELECT jsonb_array_elements_text(CASE m.type WHEN 'group' THEN m.config -> 'members' END))`;

/** Whether `ids` lead back to the monitor. `next` is the list of references of each monitor `m`. */
async function leadsBack(
  tx: Tx,
  { id, orgId, isNew }: Naming,
  ids: readonly string[],
  next: typeof MEMBERS_OF_GROUP,
): Promise<boolean> {
  if (isNew || ids.length === 0) return false;
  const { rows } = await sql`
    WITH RECURSIVE reached (id) AS (
      SELECT unnest(${[...ids]}::text[])
      UNION
      SELECT unnest(${next}) FROM reached JOIN monitors m ON m.id = reached.id AND m.org_id = ${orgId}
    )
    SELECT FROM reached WHERE id = ${id}`.execute(tx);
  return rows.length > 0;
}

function refuseCycle({ field }: List, what: string): never {
  refuse('invalid_request', `${field} ${what}.`, { field });
}
