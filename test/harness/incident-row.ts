// An incident as a row, with the test's times; nobody is notified.
import type { Monitor } from '#src/monitors/contract.ts';
import { newId } from '#src/platform/ids.ts';
import type { TestApp } from './app.ts';

export type IncidentTimes = {
  fromMs: number;
  toMs: number | null;
  discarded?: boolean;
  origin?: 'automatic' | 'manual';
  cause?: string;
};

/** Returns its id; `toMs` null: it is open. */
export async function putIncident(
  { db, home, clock }: TestApp,
  monitor: Monitor,
  { fromMs, toMs, discarded = false, origin = 'manual', cause = 'It was slow' }: IncidentTimes,
): Promise<string> {
  const { no } = await db
    .selectFrom('monitors')
    .select('no')
    .where('id', '=', monitor.id)
    .executeTakeFirstOrThrow();
  const id = newId('inc');
  await db
    .insertInto('incidents')
    .values({
      id,
      org_id: home.orgId,
      monitor_id: monitor.id,
      monitor_no: no,
      project_id: home.projectId,
      origin,
      cause,
      summary: 'It was slow',
      severity: 'default',
      status: toMs === null ? 'open' : 'closed',
      resolved_at: toMs === null ? null : new Date(toMs),
      discarded,
      down_regions: [],
      region_count: 1,
      started_at: new Date(fromMs),
      created_at: clock.now(),
    })
    .execute();
  return id;
}
