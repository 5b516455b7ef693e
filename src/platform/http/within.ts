// The one place that decides what a narrowed key sees: the union of its projects and monitors
// (docs/rules/access.md#narrowed-keys).
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ResourceFilter } from './caller.ts';

/** A monitor, or something that belongs to one. An empty monitor id matches no key: a standalone incident. */
export type Place = { projectId: string | null; monitorId: string };

/** Whether the key sees what belongs to this monitor; a key without narrowing sees everything. */
export function sees(within: ResourceFilter, { projectId, monitorId }: Place): boolean {
  if (within === null) return true;
  if (monitorId === '') return false;
  return (
    (projectId !== null && within.projectIds.includes(projectId)) || within.monitorIds.includes(monitorId)
  );
}

/** `sees` as an SQL condition over a row's columns, e.g. `incidents.project_id` and `incidents.monitor_id`. */
export function seenIn(
  within: NonNullable<ResourceFilter>,
  columns: { project: string; monitor: string },
): RawBuilder<SqlBool> {
  const [project, monitor] = [sql.ref(columns.project), sql.ref(columns.monitor)];
  return sql<SqlBool>`(${monitor} <> ''
    AND (${project} = ANY(${within.projectIds}::text[]) OR ${monitor} = ANY(${within.monitorIds}::text[])))`;
}
