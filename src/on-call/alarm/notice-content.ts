// The content of an alarm's personal notices: the incidents it is about.
import { type RawBuilder, sql } from 'kysely';
import { isPaging } from '#src/conditions/paging.ts';
import { unix } from '#src/platform/unix.ts';
import type { Work } from '#src/platform/work.ts';
import type { AlarmNoticeData } from '#src/user-notifications/enqueue.ts';
import { numbers } from './alarm-state.ts';

/** A notice names this many incidents and counts the others. */
export const MAX_NAMED = 20;

export type AlarmContent = Pick<AlarmNoticeData, 'incidents' | 'total' | 'storm_name' | 'quiet'>;

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
export const describeAlarms = (work: Pick<Work, 'tx'>, alarmNos: readonly number[]) =>
  describe(work, alarmNos, {
    incidents: sql`i.alarm_no = given.no`,
    groupNo: sql`(SELECT a.group_no FROM alarms a WHERE a.no = given.no)`,
  });

/** Describes all incidents of these storms, quiet ones included, by group. */
export const describeStorms = (work: Pick<Work, 'tx'>, groupNos: readonly number[]) =>
  describe(work, groupNos, { incidents: sql`i.group_no = given.no`, groupNo: sql`given.no` });

/** Describes the incidents of these storms that no alarm has taken yet and that page, by group: they ring together. */
export async function describeRinging(
  { tx, now }: Pick<Work, 'tx' | 'now'>,
  groupNos: readonly number[],
): Promise<ReadonlyMap<number, AlarmContent>> {
  if (groupNos.length === 0) return new Map();
  const incidents = sql`i.group_no = given.no AND i.alarm_no IS NULL AND ${isPaging(now)}`;
  const about = await describe({ tx }, groupNos, { incidents, groupNo: sql`given.no` });
  return new Map(
    [...about].map(([no, { incidents, total, storm_name }]) => [
      no,
      { incidents, total, ...named(total > 1 ? storm_name : null) },
    ]),
  );
}

type Of = { incidents: RawBuilder<unknown>; groupNo: RawBuilder<unknown> };

async function describe(
  { tx }: Pick<Work, 'tx'>,
  nos: readonly number[],
  of: Of,
): Promise<Map<number, AlarmContent>> {
  const { rows } = await sql<AlarmContent & { no: number; name: string | null; quiet: number }>`
    SELECT given.no, (SELECT count(*)::int FROM incidents i
        WHERE i.group_no = ${of.groupNo} AND i.status = 'open' AND i.alarm_no IS NULL) AS quiet,
      (SELECT g.name FROM incident_groups g WHERE g.no = ${of.groupNo}) AS name,
      (SELECT count(*)::int FROM incidents i WHERE ${of.incidents}) AS total,
      (SELECT coalesce(jsonb_agg(f), '[]') FROM (
        SELECT i.id, coalesce(m.name, '') AS monitor_name, i.cause,
          floor(extract(epoch FROM i.started_at))::bigint AS started_at_unix
        FROM incidents i LEFT JOIN monitors m ON m.no = i.monitor_no
        WHERE ${of.incidents} ORDER BY i.started_at, i.id LIMIT ${MAX_NAMED}
      ) f) AS incidents
    FROM unnest(${numbers(nos)}) AS given (no)`.execute(tx);
  return new Map(
    rows.map(({ no, name, incidents, total, quiet }) => [
      no,
      { incidents, total, ...named(name), ...(quiet > 0 ? { quiet } : {}) },
    ]),
  );
}
