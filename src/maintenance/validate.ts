// Validation of a maintenance window: its title, its times, and the monitors that a key may name.
import { sql } from 'kysely';
import { MAX_SECONDS } from '../domain/maintenance.ts';
import { visibleName } from '../domain/visible-name.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import { sees } from '../platform/http/within.ts';
import { refuse } from '../platform/refusals.ts';
import type { Database, Tx } from '../platform/work.ts';
import type { WindowMonitor } from './row.ts';

export function checkedTitle(title: string): string {
  const visible = visibleName(title);
  if (visible === '') refuse('invalid_request', 'title must not be empty.', { field: 'title' });
  return visible;
}

/** Refuses times (Unix seconds) whose end is not after the start, or more than 366 days after it. */
export function checkTimes({ start, end }: { start: number; end: number }): void {
  if (end <= start)
    refuse('invalid_request', 'scheduled_end must be after scheduled_start.', { field: 'scheduled_end' });
  if (end - start > MAX_SECONDS)
    refuse('invalid_request', 'scheduled_end must be at most 366 days after scheduled_start.', {
      field: 'scheduled_end',
    });
}

/** Monitors that a window may name. A body that is sent back as read may hold more: those that are in by a tag. */
const MAX_NAMED = 1000;

/**
 * The monitors of the organization among these ids; all others are ignored (docs/rules/confirmation.md#maintenance-windows).
 * Refuses more than MAX_NAMED.
 */
export async function monitorsNamed(
  db: Database | Tx,
  orgId: string,
  ids: readonly string[],
): Promise<WindowMonitor[]> {
  if (ids.length > MAX_NAMED)
    refuse('invalid_request', `monitors must name at most ${MAX_NAMED}.`, { field: 'monitors' });
  const known = ids.filter((id) => !id.includes('\0'));
  if (known.length === 0) return [];
  return db
    .selectFrom('monitors')
    .select(['no', 'id', 'name', 'project_id as projectId', sql<boolean>`false`.as('byTag')])
    .where('org_id', '=', orgId)
    .where('example', '=', false)
    .where('id', '=', sql<string>`ANY(${known}::text[])`)
    .orderBy('name')
    .orderBy('id')
    .execute();
}

/**
 * A narrowed key must name at least one monitor, and only its own; any monitor may get a tag (docs/rules/access.md#narrowed-keys).
 */
export function refuseOutsideKey(
  within: ResourceFilter,
  { monitors, tags }: { monitors: readonly WindowMonitor[]; tags: readonly string[] },
): void {
  if (within === null) return;
  if (tags.length > 0)
    refuse('forbidden', 'This key is narrowed: its maintenance windows name monitors, not tags.');
  const isOutside = ({ id, projectId }: WindowMonitor) => !sees(within, { projectId, monitorId: id });
  if (monitors.length === 0 || monitors.some(isOutside))
    refuse('forbidden', 'This key is narrowed: its maintenance windows must name its own monitors only.');
}
