// Alarms put straight into the database, for tests of their notices.
import { sql } from 'kysely';
import { newId } from '#src/platform/ids.ts';
import type { TestApp } from './app.ts';

export type AlarmMade = { alarmNo: number; incidentIds: string[] };

/** An alarm that rings for open incidents with these causes, oldest first; of no monitor. */
export async function makeAlarm(
  { db, clock }: Pick<TestApp, 'db' | 'clock'>,
  orgId: string,
  causes: readonly string[] = ['Shop is slow'],
): Promise<AlarmMade> {
  const now = clock.now();
  const { rows } = await sql<{ no: number }>`
    INSERT INTO alarms (org_id, started_at) VALUES (${orgId}, ${now}) RETURNING no`.execute(db);
  const alarmNo = rows[0]?.no ?? 0;
  const incidents = causes.map((cause, at) => ({
    id: newId('inc'),
    org_id: orgId,
    monitor_id: '',
    project_id: null,
    origin: 'manual',
    check_kind: '',
    cause,
    summary: cause,
    severity: 'critical',
    status: 'open',
    down_regions: [],
    region_count: 0,
    started_at: new Date(now.getTime() - (causes.length - at) * 1000),
    created_at: now,
    alarm_no: alarmNo,
  }));
  await db.insertInto('incidents').values(incidents).execute();
  return { alarmNo, incidentIds: incidents.map(({ id }) => id) };
}
