// Agents as the API shows them.
import { type RawBuilder, sql } from 'kysely';
import { SILENT_AFTER_SECONDS } from '../domain/agent.ts';
import { isBehind } from '../domain/version-order.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import type { Page } from '../platform/http/page.ts';
import { seenIn } from '../platform/http/within.ts';
import { isId } from '../platform/ids.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import { unix, unixOrNull } from '../platform/unix.ts';
import type { Database, Tx } from '../platform/work.ts';
import type { Agent } from './contract.ts';

/** The version of this server, which is also the latest version of the agent. */
export type ShownAt = { version: string };

type AgentRow = {
  no: number;
  id: string;
  hostname: string;
  platform: string;
  os: string;
  arch: string;
  labels: string;
  inventory_enabled: boolean;
  expected_offline: boolean;
  upgrade_asked_at: Date | null;
  enrolled_at: Date;
  agent_version: string;
  modules: string[];
  last_heartbeat_at: Date | null;
  readings: Record<string, number>;
  services: Agent['services'];
  booted_at: Date | null;
  silent_since: Date | null;
  processes: string[] | null;
  inventory_services: Agent['service_inventory'] | null;
  inventory_at: Date | null;
  monitor_count: number;
};

const MONITOR = { project: 'm.project_id', monitor: 'm.id' };

/** The monitors on an agent `a`, whatever a key may see. */
const monitorsOn = (within: ResourceFilter) => sql`
  FROM monitors m WHERE m.config ->> 'agent_id' = a.id AND m.type IN ('agent', 'service') AND m.org_id = a.org_id
    AND ${within === null ? sql`true` : seenIn(within, MONITOR)}`;

/** Condition on an agent `a`: a narrowed key sees the agents that its monitors are on (docs/rules/access.md#narrowed-keys). */
export const agentSeen = (within: ResourceFilter): RawBuilder<unknown> =>
  within === null ? sql`true` : sql`EXISTS (SELECT ${monitorsOn(within)})`;

async function readAgents(
  db: Database | Tx,
  within: ResourceFilter,
  rest: RawBuilder<unknown>,
): Promise<AgentRow[]> {
  const { rows } = await sql<AgentRow>`
    SELECT a.no, a.id, a.hostname, a.platform, a.os, a.arch, a.labels, a.inventory_enabled, a.expected_offline,
      a.upgrade_asked_at, a.enrolled_at, s.agent_version, s.modules, s.last_heartbeat_at, s.readings, s.services,
      s.booted_at, s.silent_since, i.processes, i.services AS inventory_services, i.at AS inventory_at,
      (SELECT count(*)::int ${monitorsOn(within)} AND m.enabled) AS monitor_count
    FROM agents a JOIN agent_states s ON s.agent_no = a.no
    LEFT JOIN agent_inventories i ON i.agent_no = a.no AND a.inventory_enabled
    WHERE ${rest}`.execute(db);
  return rows;
}

function showAgent(row: AgentRow, { version }: ShownAt, now: Date): Agent {
  const { no: _, ...known } = row;
  const { enrolled_at, last_heartbeat_at, booted_at, silent_since, inventory_at, ...rest } = known;
  const { upgrade_asked_at, processes, inventory_services, ...shown } = rest;
  const { cpu_pct = null, mem_pct = null, disk_pct = null } = row.readings;
  return {
    ...shown,
    latest_version: version,
    enrolled_at_unix: unix(enrolled_at),
    last_heartbeat_at_unix: unixOrNull(last_heartbeat_at),
    last_cpu_pct: cpu_pct,
    last_mem_pct: mem_pct,
    last_disk_pct: disk_pct,
    online: isOnline(last_heartbeat_at, now),
    outdated: isBehind(row.agent_version, version),
    process_inventory: processes ?? [],
    process_inventory_at_unix: unixOrNull(inventory_at),
    service_inventory: inventory_services ?? [],
    booted_at_unix: unixOrNull(booted_at),
    silent_since_unix: unixOrNull(silent_since),
    services: row.services.map((service) => ({ ...service, ...measuredOf(service) })),
    upgrade_asked: upgrade_asked_at !== null,
  };
}

/** An agent leaves out the readings that it could not take. */
const measuredOf = ({ cpu_pct, mem_mb }: Partial<Agent['services'][number]>) => ({
  cpu_pct: cpu_pct ?? null,
  mem_mb: mem_mb ?? null,
});

const isOnline = (last: Date | null, now: Date): boolean =>
  last !== null && now.getTime() - last.getTime() < SILENT_AFTER_SECONDS * 1000;

export type AgentKey = { no: number; id: string };

/** An agent of an organization; 404 if it is unknown or another organization's, 403 if the key may not see it. */
export async function findAgent(
  db: Database | Tx,
  orgId: string,
  agentId: string,
  within: ResourceFilter,
): Promise<AgentKey & { hostname: string }> {
  const { rows } = isId('agt', agentId)
    ? await sql<AgentKey & { hostname: string; seen: boolean }>`
        SELECT a.no, a.id, a.hostname, ${agentSeen(within)} AS seen FROM agents a
        WHERE a.id = ${agentId} AND a.org_id = ${orgId}`.execute(db)
    : { rows: [] };
  const [row] = rows;
  if (!row) return notFound('agent');
  if (!row.seen) refuse('forbidden', 'This key is narrowed to monitors that are not on this agent.');
  return row;
}

/** One agent, as `findAgent` finds it. */
export async function getOne(
  db: Database | Tx,
  orgId: string,
  agentId: string,
  { within = null, now, ...shownAt }: ShownAt & { within?: ResourceFilter; now: Date },
): Promise<Agent> {
  const { no } = await findAgent(db, orgId, agentId, within);
  const [row] = await readAgents(db, within, sql`a.no = ${no}`);
  return row ? showAgent(row, shownAt, now) : notFound('agent');
}

/** Agents of an organization, newest first; `before` is an agent of the same organization. */
export async function listOf(
  db: Database,
  orgId: string,
  page: Page,
  { within, now, ...shownAt }: ShownAt & { within: ResourceFilter; now: Date },
): Promise<Agent[]> {
  const rows = await readAgents(db, within, await pageOfAgents(db, orgId, page, within));
  return rows.map((row) => showAgent(row, shownAt, now));
}

/** The end of a statement over agents `a`: selects one page of the list, in its order. */
export async function pageOfAgents(
  db: Database,
  orgId: string,
  { limit, before }: Page,
  within: ResourceFilter,
): Promise<RawBuilder<unknown>> {
  const from = before === null ? sql`true` : sql`a.id < ${(await findAgent(db, orgId, before, within)).id}`;
  return sql`a.org_id = ${orgId} AND ${from} AND ${agentSeen(within)} ORDER BY a.id DESC LIMIT ${limit}`;
}
