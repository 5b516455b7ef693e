// Whether a proposal is watched already.
import { sql } from 'kysely';
import type { ResourceFilter } from '#src/platform/http/caller.ts';
import { seenIn } from '#src/platform/http/within.ts';
import type { Database } from '#src/platform/work.ts';

type Watched = { type: string; config: Record<string, unknown> };

/** A key that is equal for two monitors with the same type and target. */
export function targetKey({ type, config }: Watched): string {
  const { url, host, domain, port, protocol, record_type } = config;
  const named = String(url ?? host ?? domain ?? '').toLowerCase();
  const of = type === 'http' ? (URL.parse(named)?.href ?? named) : named;
  const usual = type === 'tls' ? (port ?? 443) : port;
  return JSON.stringify([
    type,
    of,
    type === 'dns' ? null : (usual ?? null),
    protocol ?? null,
    record_type ?? null,
  ]);
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
