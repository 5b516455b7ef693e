// What a monitor names of its organization: the monitors it depends on, the members of a group, an agent
// (docs/rules/confirmation.md#dependencies, docs/rules/confirmation.md#groups).
import { sql } from 'kysely';
import { advisoryLock } from '../platform/db/advisory-lock.ts';
import type { Tx } from '../platform/work.ts';

/** `config` without what is not a reference is not looked at; it need not be complete. */
export type References = { type: string; config: Record<string, unknown>; dependsOn: readonly string[] };

/** Members of a group; none of another type. */
export const membersOf = ({ type, config }: Pick<References, 'type' | 'config'>): readonly string[] =>
  type === 'group' ? (config.members as string[]) : [];

/** The agent that measures; null for types that have none. */
export const agentOf = ({ type, config }: Pick<References, 'type' | 'config'>): string | null =>
  type === 'agent' || type === 'service' ? (config.agent_id as string) : null;

/**
 * One at a time per organization until the end of the transaction: whoever makes a monitor name another, and whoever
 * deletes one. So two writes cannot close a cycle between them, and nothing names what is just being deleted. Before the
 * state of any monitor is locked; see docs/architecture.md, "Locks, in order".
 */
export async function lockReferences(tx: Tx, orgId: string): Promise<void> {
  await advisoryLock(tx, `references ${orgId}`);
}

/** `lockReferences` of the organization that the monitor belongs to, if it is still there. */
export async function lockReferencesAround(tx: Tx, monitorId: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('references ' || org_id, 0))
    FROM monitors WHERE id = ${monitorId}`.execute(tx);
}

/** Whether a write can make a monitor name another one, so that it has to hold the lock. */
export function namesMonitors(body: { depends_on?: unknown; config?: unknown }): boolean {
  const { depends_on: dependsOn, config } = body;
  return (
    (Array.isArray(dependsOn) && dependsOn.length > 0) ||
    (typeof config === 'object' && config !== null && 'members' in config)
  );
}

/**
 * Takes a monitor that goes out of the lists of those that name it, groups included; under `lockReferences`. A group whose
 * last member goes stays, and says nothing until it is given others.
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
