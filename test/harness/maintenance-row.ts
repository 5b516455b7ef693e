// A maintenance window as a row, with the test's times; nobody is notified, and no figures are marked as changed: for time that
// is not rolled up yet.
import type { Monitor } from '#src/monitors/contract.ts';
import { newId } from '#src/platform/ids.ts';
import type { TestApp } from './app.ts';

/** Returns its id. */
export async function putMaintenance(
  { db, home, clock }: TestApp,
  monitor: Monitor,
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
): Promise<string> {
  const id = newId('mwn');
  const [from, until] = [new Date(fromMs), new Date(untilMs)];
  await db
    .insertInto('maintenance_windows')
    .values({
      id,
      org_id: home.orgId,
      title: 'Planned work',
      body: '',
      scheduled_start: from,
      scheduled_end: until,
      public_visible: true,
      started_at: clock.now(),
      ended_at: clock.now(),
      created_at: clock.now(),
    })
    .execute();
  const { no } = await db
    .selectFrom('monitors')
    .select('no')
    .where('id', '=', monitor.id)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('maintenance_monitors')
    .values({ window_id: id, monitor_no: no, starts_at: from, ends_at: until })
    .execute();
  return id;
}
