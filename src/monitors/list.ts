import { inTransaction } from '../platform/db/transaction.ts';
import type { Within } from '../platform/http/caller.ts';
import type { Page } from '../platform/http/page.ts';
import { seenIn, sees } from '../platform/http/within.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import type { Database, Tx } from '../platform/work.ts';
import type { Monitor } from './contract.ts';
import { type Reader, type ShownAt, selectMonitors, showMonitor } from './row.ts';

const SEEN = { project: 'monitors.project_id', monitor: 'monitors.id' };

/** Monitors of a project, newest first; `before` is a monitor of the same project. A narrowed key sees its own. */
export async function listMonitors(
  db: Database,
  projectId: string,
  { limit, before }: Page,
  within: Within,
  shownAt: ShownAt & Reader,
  now: Date,
): Promise<Monitor[]> {
  let from: { no: number } | undefined;
  if (before !== null) {
    from = await db
      .selectFrom('monitors')
      .select('no')
      .where('id', '=', before)
      .where('project_id', '=', projectId)
      .executeTakeFirst();
    if (!from) return notFound('monitor');
    if (!sees(within, { projectId, monitorId: before }))
      refuse('forbidden', 'This key is narrowed to other projects or monitors.');
  }
  const rows = await planned(db, (tx) => {
    let query = selectMonitors(tx, now).where('monitors.project_id', '=', projectId);
    if (within) query = query.where(seenIn(within, SEEN));
    if (from) query = query.where('monitors.no', '<', from.no);
    return query.orderBy('monitors.no', 'desc').limit(limit).execute();
  });
  return rows.map((row) => showMonitor(row, shownAt, shownAt));
}

/** One monitor; 404 when unknown. */
export async function getMonitor(
  db: Database,
  monitorId: string,
  shownAt: ShownAt & Reader,
  now: Date,
): Promise<Monitor> {
  const row = await planned(db, (tx) =>
    selectMonitors(tx, now).where('monitors.id', '=', monitorId).executeTakeFirst(),
  );
  return row ? showMonitor(row, shownAt, shownAt) : notFound('monitor');
}

/** Planning a look at the newest checks of each monitor takes longer than looking. */
const planned = <T>(db: Database, read: (tx: Tx) => Promise<T>): Promise<T> =>
  inTransaction(db, read, { keepPlans: true });
