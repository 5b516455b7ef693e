// Whether every role has a server.
import { sql } from 'kysely';
import { SERVER_ROLES, type ServerRole } from '../domain/names.ts';
import { knownServers } from '../platform/db/servers.ts';
import type { Database } from '../platform/work.ts';
import { type Finding, finding } from './finding.ts';

const MISSING = {
  api: 'role_api_missing',
  ingest: 'role_ingest_missing',
  jobs: 'role_jobs_missing',
  pages: 'role_pages_missing',
} as const satisfies Record<ServerRole, string>;

/** By the servers that are connected to the database now. Status pages need a server as soon as one can be seen. */
export async function checkServers(db: Database): Promise<Finding[]> {
  const servers = (await knownServers(db)).filter(({ answers }) => answers);
  if (servers.length === 0) return [finding('warn', 'servers', 'servers_none')];
  const served = new Set(servers.flatMap(({ roles }) => roles));
  const pagesAreShown = await anyPage(db);
  const findings = SERVER_ROLES.filter((role) => !served.has(role))
    .filter((role) => role !== 'pages' || pagesAreShown)
    .map((role) => finding('fail', 'servers', MISSING[role]));
  if (findings.length > 0) return findings;
  return [finding('ok', 'servers', 'servers_running', { count: servers.length })];
}

/** Whether there is a status page that anybody could be shown. */
async function anyPage(db: Database): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`SELECT EXISTS (
    SELECT FROM status_pages WHERE archived_at IS NULL AND enabled AND access_mode <> 'draft') AS any`.execute(
    db,
  );
  return rows[0]?.any === true;
}
