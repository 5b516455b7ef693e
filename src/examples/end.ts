// Ends an example: its monitor is paused after some minutes and deleted after a day. A stored job with a due time does it, so
// that a restart in between changes nothing.
import { sql } from 'kysely';
import { lockAlarmPolicy } from '../alarm-policy/lock.ts';
import { deleteMonitor } from '../monitors/delete.ts';
import { lockReferences } from '../monitors/references.ts';
import type { ShownAt } from '../monitors/row.ts';
import { disableMonitor } from '../monitors/update.ts';
import { addJobs } from '../platform/jobs/add-job.ts';
import type { Database, Tx, Work } from '../platform/work.ts';

export const EXAMPLE_TASK = 'end_example';
export const exampleKey = (id: string) => `${EXAMPLE_TASK}:${id}`;

/** Kept for the limit on examples started within a day. */
const FORGOTTEN_AFTER_MS = 2 * 86_400_000;

/** Stores the job of an example. */
export const endLater = ({ tx, now }: Work, id: string, at: Date): Promise<void> =>
  addJobs(tx, EXAMPLE_TASK, [{ payload: { example_id: id }, key: exampleKey(id), runAt: at, from: now }]);

/** Does whatever is due. Running twice, early or late is harmless. */
export async function endExample(work: Work, id: string, shownAt: ShownAt): Promise<void> {
  const { tx, now } = work;
  const { rows } = await sql<{ org_id: string; monitor_id: string | null; ends_at: Date; removed_at: Date }>`
    SELECT e.org_id, m.id AS monitor_id, e.ends_at, e.removed_at
    FROM example_outages e LEFT JOIN monitors m ON m.no = e.monitor_no
    WHERE e.id = ${id} AND e.next_at IS NOT NULL`.execute(tx);
  const [row] = rows;
  if (!row) return;
  const { org_id: orgId, monitor_id: monitorId } = row;
  const isOver = monitorId === null || row.removed_at <= now;
  if (monitorId !== null && isOver) await deleteMonitor(work, monitorId, shownAt);
  else if (monitorId !== null && row.ends_at <= now) {
    await lockAlarmPolicy(tx, orgId, 'shared');
    await lockReferences(tx, orgId);
    await disableMonitor(work, monitorId, 'The example is over.', shownAt);
  }
  const next = isOver ? null : row.ends_at > now ? row.ends_at : row.removed_at;
  await tx.updateTable('example_outages').set({ next_at: next }).where('id', '=', id).execute();
  if (next !== null) await endLater(work, id, next);
}

/** Deletes the example of an organization now, if there is one. */
export async function removeExample(work: Work, orgId: string, shownAt: ShownAt): Promise<void> {
  const { tx } = work;
  const { rows } = await sql<{ monitor_id: string }>`
    SELECT m.id AS monitor_id FROM example_outages e JOIN monitors m ON m.no = e.monitor_no
    WHERE e.org_id = ${orgId}`.execute(tx);
  for (const { monitor_id } of rows) await deleteMonitor(work, monitor_id, shownAt);
  await forgetRemoved(tx, orgId);
}

/** If somebody has deleted the monitor of an example, the next example may start. */
export async function forgetRemoved(tx: Tx, orgId: string): Promise<void> {
  await tx
    .updateTable('example_outages')
    .set({ next_at: null })
    .where('org_id', '=', orgId)
    .where('monitor_no', 'is', null)
    .where('next_at', 'is not', null)
    .execute();
}

/** Examples whose job was due before `overdue`: it was lost. */
export async function overdueExamples(tx: Tx, overdue: Date): Promise<string[]> {
  const rows = await tx
    .selectFrom('example_outages')
    .select('id')
    .where('next_at', '<', overdue)
    .limit(1000)
    .execute();
  return rows.map(({ id }) => id);
}

/** Runs the jobs of these examples as soon as this transaction commits. */
export const wakeExamples = (tx: Tx, ids: readonly string[]): Promise<void> =>
  addJobs(
    tx,
    EXAMPLE_TASK,
    ids.map((id) => ({ payload: { example_id: id }, key: exampleKey(id) })),
  );

/** Deletes the rows of examples that were removed days ago. */
export async function forgetOldExamples(db: Database, now: Date): Promise<void> {
  await db
    .deleteFrom('example_outages')
    .where('next_at', 'is', null)
    .where('started_at', '<', new Date(now.getTime() - FORGOTTEN_AFTER_MS))
    .execute();
}
