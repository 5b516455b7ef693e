// Whether a proposal is watched already.
import { sql } from 'kysely';
import { MAIL_PORTS, type MailConfig } from '#src/monitors/types/mail/config.ts';
import type { ResourceFilter } from '#src/platform/http/caller.ts';
import { seenIn } from '#src/platform/http/within.ts';
import type { Database } from '#src/platform/work.ts';

type Watched = { type: string; config: Record<string, unknown> };

/** A key that is equal for two monitors with the same type and target. */
export function targetKey({ type, config }: Watched): string {
  const { url, host, domain, port, protocol, record_type } = config;
  // Hosts are compared in lower case, paths as they are.
  const of =
    type === 'http' ? (URL.parse(String(url))?.href ?? url) : String(host ?? domain ?? '').toLowerCase();
  return JSON.stringify([
    type,
    of,
    type === 'dns' ? null : (port ?? usualPort(type, config)),
    protocol ?? null,
    record_type ?? null,
  ]);
}

function usualPort(type: string, config: Watched['config']): number | null {
  if (type === 'tls') return 443;
  if (type !== 'mail') return null;
  const { protocol, security } = config as Pick<MailConfig, 'protocol'> & Partial<MailConfig>;
  return MAIL_PORTS[protocol][security ?? 'none'];
}

/** Ids of monitors of the organization that the caller sees, by the targetKey of what they check. */
export async function existingMonitors(
  db: Database,
  orgId: string,
  within: ResourceFilter,
  proposed: readonly Watched[],
): Promise<ReadonlyMap<string, string>> {
  const types = [...new Set(proposed.map(({ type }) => type))];
  const seen = within ? seenIn(within, { project: 'project_id', monitor: 'id' }) : sql`true`;
  const { rows } = await sql<Watched & { id: string }>`
    SELECT id, type, config FROM monitors
    WHERE org_id = ${orgId} AND type = ANY(${types}::text[]) AND ${seen} ORDER BY no`.execute(db);
  return new Map(rows.map((row) => [targetKey(row), row.id]));
}
