// The routing filter of a target (docs/rules/notifications.md#routing): its fields, checked, and the effect of a change on incidents
// and windows that are there already.
import { isDeepStrictEqual } from 'node:util';
import { type RawBuilder, sql } from 'kysely';
import type { IncidentSeverity } from '#src/domain/names.ts';
import { takesEverything } from '#src/domain/target-filter.ts';
import { refuse } from '#src/platform/refusals.ts';
import { checkedTags } from '#src/platform/tags.ts';
import type { Tx, Work } from '#src/platform/work.ts';
import type { TargetRow } from './show-target.ts';

type Given = {
  project_ids?: readonly string[] | null | undefined;
  tags?: readonly string[] | null | undefined;
  min_severity?: IncidentSeverity | null | undefined;
};
type Routing = { project_ids: string[]; tags: string[]; min_severity: IncidentSeverity };

const EVERYTHING: Routing = { project_ids: [], tags: [], min_severity: 'degraded' };

/** The fields as they are stored; what is not given keeps its value. A project that the target names already may be gone. */
export async function checkedRouting(
  tx: Tx,
  orgId: string,
  { project_ids, tags, min_severity }: Given,
  before: Routing | null,
): Promise<Routing> {
  const kept = before ?? EVERYTHING;
  const projectIds = [...new Set(project_ids ?? kept.project_ids)];
  const added = projectIds.filter((id) => !kept.project_ids.includes(id));
  if (added.length > 0) {
    const { rows } = await sql<{ id: string }>`
      SELECT given.id FROM unnest(${added}::text[]) AS given (id)
      WHERE NOT EXISTS (SELECT FROM projects p WHERE p.id = given.id AND p.org_id = ${orgId}) LIMIT 1`.execute(
      tx,
    );
    if (rows[0])
      refuse('invalid_request', 'project_ids must name projects of this organization.', {
        field: 'project_ids',
      });
  }
  return {
    project_ids: projectIds,
    tags: tags == null ? kept.tags : checkedTags(tags),
    min_severity: min_severity ?? kept.min_severity,
  };
}

/**
 * Decides for a target that was created or changed which of the current incidents and windows it receives: those that it
 * received before, and no others. One that is or was off receives nothing of incidents that opened meanwhile, whether or not they
 * are over, and a new one counts none that ended earlier in a storm. The organization is locked. `before`: null for a new target.
 */
export async function decideForEarlierSubjects(
  { tx }: Work,
  orgId: string,
  before: TargetRow | null,
  after: TargetRow,
): Promise<void> {
  if ([before ?? after, after].every(isForEverything)) return;
  if (before?.active && isDeepStrictEqual(filterOf(before), filterOf(after))) return;
  // Otherwise its filter has decided them already.
  const received = before !== null && isForEverything(before);
  const offSince = before?.active === false ? before.off_since : null;
  const isReceived = (began: RawBuilder<Date>) =>
    received && !before.active
      ? sql`coalesce(${began} <= ${offSince}::timestamptz, false)`
      : sql`${received}::boolean`;
  await sql`
    INSERT INTO target_concerns (about_id, target_id, org_id, concerned)
    SELECT id, ${after.id}, ${orgId}, received FROM (
      SELECT id, ${isReceived(sql`created_at`)} AS received FROM incidents WHERE org_id = ${orgId} AND NOT example
        AND (status = 'open' OR resolved_at >= ${offSince}::timestamptz OR (${before === null}
          AND group_no IN (SELECT group_no FROM incidents WHERE org_id = ${orgId} AND status = 'open')))
      UNION ALL
      SELECT id, ${isReceived(sql`started_at`)} FROM maintenance_windows
      WHERE org_id = ${orgId} AND started_at IS NOT NULL AND ended_at IS NULL
    ) running ON CONFLICT DO NOTHING`.execute(tx);
}

/** Forgets what a deleted target received. */
export async function forgetConcerns({ tx }: Work, targetId: string): Promise<void> {
  await sql`DELETE FROM target_concerns WHERE target_id = ${targetId}`.execute(tx);
}

const filterOf = ({ project_ids, tags, min_severity }: Routing | TargetRow) => ({
  projectIds: project_ids,
  tags,
  minSeverity: min_severity as IncidentSeverity,
});

export const isForEverything = (routing: Routing | TargetRow): boolean => takesEverything(filterOf(routing));
