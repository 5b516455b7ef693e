import fastJson from 'fast-json-stringify';
import { type RawBuilder, sql } from 'kysely';
import type { ResourceFilter } from '../platform/http/caller.ts';
import type { Page } from '../platform/http/page.ts';
import { seenIn, sees } from '../platform/http/within.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';
import { Monitor } from './contract.ts';
import { type MonitorRow, type Reader, type ShownAt, selectMonitors, showMonitor } from './row.ts';
import type { Shown, ShownBy } from './shown/memory.ts';
import { ShownMonitors, type ShownPage } from './shown/shown.ts';
import { shownBy } from './shown/versions.ts';

const SEEN = { project: 'monitors.project_id', monitor: 'monitors.id' };
const NEWEST_FIRST = sql`monitors.no DESC`;

type Row = MonitorRow & ShownBy;
export type Monitors = ShownMonitors<Row>;

/** Monitors as readers with the same rights see them, whatever their organization. */
export function monitorsShownTo(reader: Reader, shownAt: ShownAt): Monitors {
  let write: ((monitor: Monitor) => string) | null = null;
  return new ShownMonitors<Row>({
    read: (tx, { orgId, conditions, order, limit }, now) =>
      selectMonitors(tx, now)
        .select(shownBy(orgId, 'monitor_state'))
        .where(sql<boolean>`${sql.join(conditions, sql` AND `)}`)
        .orderBy(order)
        .limit(limit)
        .$castTo<Row>()
        .execute(),
    show(row) {
      const monitor = showMonitor(row, shownAt, reader);
      // Built on first use: it takes longer than the rest of the start.
      write ??= fastJson(Monitor as never);
      return { id: monitor.id, json: Buffer.from(write(monitor)) };
    },
  });
}

type Project = { orgId: string; projectId: string };

/** Monitors of a project, newest first; `before` is a monitor of the same project. A narrowed key sees its own. */
export async function listMonitors(
  db: Database,
  { orgId, projectId }: Project,
  { limit, before }: Page,
  within: ResourceFilter,
  { monitors, now }: { monitors: Monitors; now: Date },
): Promise<ShownPage> {
  const conditions: RawBuilder<unknown>[] = [sql`monitors.project_id = ${projectId}`];
  if (within) conditions.push(seenIn(within, SEEN));
  if (before !== null) {
    const from = await db
      .selectFrom('monitors')
      .select('no')
      .where('id', '=', before)
      .where('project_id', '=', projectId)
      .executeTakeFirst();
    if (!from) return notFound('monitor');
    if (!sees(within, { projectId, monitorId: before }))
      refuse('forbidden', 'This key is narrowed to other projects or monitors.');
    conditions.push(sql`monitors.no < ${from.no}`);
  }
  return monitors.page(db, { orgId, conditions, order: NEWEST_FIRST, limit }, now);
}

/** One monitor; 404 if it is unknown. */
export async function getMonitor(
  db: Database,
  { orgId, monitorId }: { orgId: string; monitorId: string },
  { monitors, now }: { monitors: Monitors; now: Date },
): Promise<Shown> {
  const conditions = [sql`monitors.id = ${monitorId}`];
  const { rows } = await monitors.page(db, { orgId, conditions, order: NEWEST_FIRST, limit: 1 }, now);
  return rows[0] ?? notFound('monitor');
}
