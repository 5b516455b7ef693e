// Notification targets as people and the activity log see them.
import type { Selectable } from 'kysely';
import type { IncidentSeverity } from '#src/domain/names.ts';
import type { DB } from '#src/platform/db/tables.ts';
import type { Page } from '#src/platform/http/page.ts';
import { notFound } from '#src/platform/refusals.ts';
import { unix, unixOrNull } from '#src/platform/unix.ts';
import type { Database, Tx } from '#src/platform/work.ts';
import type { WebhookTarget } from '../contract.ts';

export type TargetRow = Selectable<DB['webhook_targets']>;

export function showTarget(row: TargetRow): WebhookTarget {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    url: row.url,
    events: row.events,
    active: row.active,
    region: row.region,
    secret_hint: row.secret_hint,
    created_at_unix: unix(row.created_at),
    last_delivery_at_unix: unixOrNull(row.last_delivery_at),
    last_delivery_ok: row.last_delivery_ok,
    last_error: row.last_error,
    failing_since_unix: unixOrNull(row.failing_since),
    project_ids: row.project_ids,
    tags: row.tags,
    min_severity: row.min_severity as IncidentSeverity,
  };
}

/** A target of an organization; 404 when unknown or another organization's. */
export async function targetOf(db: Database | Tx, orgId: string, targetId: string): Promise<TargetRow> {
  const row = await db
    .selectFrom('webhook_targets')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('id', '=', targetId)
    .executeTakeFirst();
  return row ?? notFound('webhook target');
}

/** Targets of an organization, oldest first; `before` is a target id of the same organization. */
export async function listTargets(
  db: Database,
  orgId: string,
  { limit, before }: Page,
): Promise<WebhookTarget[]> {
  let query = db.selectFrom('webhook_targets').selectAll().where('org_id', '=', orgId);
  if (before !== null) {
    const from = await query.where('id', '=', before).executeTakeFirst();
    if (!from) return notFound('webhook target');
    query = query.where('id', '>', from.id);
  }
  const rows = await query.orderBy('id').limit(limit).execute();
  return rows.map(showTarget);
}
