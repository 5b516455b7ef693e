// The content of an alarm's personal notices: the incidents it is about.
import { sql } from 'kysely';
import { unix } from '#src/platform/unix.ts';
import type { Work } from '#src/platform/work.ts';
import type { AlarmNoticeData } from '#src/user-notifications/enqueue.ts';
import { numbers } from './alarm-state.ts';

/** A notice names this many incidents and counts the others. */
export const MAX_NAMED = 20;

export type AlarmContent = Pick<AlarmNoticeData, 'incidents' | 'total' | 'storm_name'>;

type Named = {
  id: string;
  monitor_name: string | null;
  cause: string;
  started_at: Date;
  group_name?: string | null;
};

/** Omitted where there is none, as in notices stored before storms had names. */
const named = (name: string | null | undefined) => (name == null ? {} : { storm_name: name });

/** Describes these incidents, the oldest first. */
export function describeIncidents(rows: readonly Named[]): AlarmContent {
  const first = rows
    .toSorted((a, b) => a.started_at.getTime() - b.started_at.getTime() || (a.id < b.id ? -1 : 1))
    .slice(0, MAX_NAMED);
  return {
    incidents: first.map(({ id, monitor_name, cause, started_at }) => ({
      id,
      monitor_name: monitor_name ?? '',
      cause,
      started_at_unix: unix(started_at),
    })),
    total: rows.length,
    ...named(rows.length > 1 ? rows.find(({ group_name }) => group_name)?.group_name : null),
  };
}

/** Describes all incidents of these alarms, by alarm. */
export async function describeAlarms(
  { tx }: Work,
  alarmNos: readonly number[],
): Promise<Map<number, AlarmContent>> {
  const { rows } = await sql<AlarmContent & { no: number; name: string | null }>`
    SELECT a.no, (SELECT g.name FROM alarms s JOIN incident_groups g ON g.no = s.group_no WHERE s.no = a.no) AS name, (SELECT count(*)::int FROM incidents i WHERE i.alarm_no = a.no) AS total,
      (SELECT coalesce(jsonb_agg(f), '[]') FROM (
        SELECT i.id, coalesce(m.name, '') AS monitor_name, i.cause,
          floor(extract(epoch FROM i.started_at))::bigint AS started_at_unix
        FROM incidents i LEFT JOIN monitors m ON m.no = i.monitor_no
        WHERE i.alarm_no = a.no ORDER BY i.started_at, i.id LIMIT ${MAX_NAMED}
      ) f) AS incidents
    FROM unnest(${numbers(alarmNos)}) AS a (no)`.execute(tx);
  return new Map(rows.map(({ no, name, incidents, total }) => [no, { incidents, total, ...named(name) }]));
}
