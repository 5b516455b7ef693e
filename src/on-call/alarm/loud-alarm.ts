// The loud alarm: makes people's clients ring over the live stream, and records it in the timeline.
import { type RawBuilder, sql } from 'kysely';
import type { AlarmEvent } from '#src/events/contract.ts';
import { publishAlarm } from '#src/events/publish.ts';
import type { IncidentRow } from '#src/incidents/queries.ts';
import { timelineEntries } from '#src/incidents/timeline.ts';
import type { Work } from '#src/platform/work.ts';
import { numbers } from './alarm-state.ts';

export type Person = { userId: string; name: string };

/** The members that these alarms have reached so far; `mayTakeIt`: without those who have become viewers since. */
export async function audienceOf(
  { tx }: Work,
  alarmNos: Iterable<number>,
  { mayTakeIt }: { mayTakeIt: boolean },
): Promise<(alarmNo: number | null | undefined) => readonly Person[]> {
  const { rows } = await sql<Person & { alarmNo: number }>`
    SELECT aud.alarm_no AS "alarmNo", u.id AS "userId", u.name
    FROM alarm_audience aud JOIN alarms a ON a.no = aud.alarm_no
    JOIN members m ON m.org_id = a.org_id AND m.user_id = aud.user_id JOIN users u ON u.id = aud.user_id
    WHERE aud.alarm_no = ANY(${numbers(alarmNos)}) ${mayTakeIt ? sql`AND m.role <> 'viewer'` : sql``} ORDER BY aud.since, m.joined_at, u.id`.execute(
    tx,
  );
  const byAlarm = Map.groupBy(rows, ({ alarmNo }) => alarmNo);
  return (alarmNo) => byAlarm.get(alarmNo ?? 0) ?? [];
}

type Added = { alarmNo: number; userId: string };

/** Adds people to the audience of alarms. */
export async function addAudience(work: Work, added: readonly Added[]): Promise<void> {
  await addingAudience(work, added)?.execute(work.tx);
}

/** The statement of `addAudience`; null: there is nobody. */
export function addingAudience({ now }: Work, added: readonly Added[]): RawBuilder<unknown> | null {
  if (added.length === 0) return null;
  return sql`INSERT INTO alarm_audience (alarm_no, user_id, since)
    SELECT given.no, given.id, ${now} FROM unnest(${numbers(added.map(({ alarmNo }) => alarmNo))},
      ${added.map(({ userId }) => userId)}::text[]) AS given (no, id)
    ON CONFLICT DO NOTHING`;
}

/** Starts or ends the alarm of an incident on the clients of these people, when this unit of work commits. */
export function publishRinging(
  work: Work,
  row: IncidentRow,
  change: AlarmEvent['change'],
  people: readonly Person[],
): void {
  if (people.length === 0) return;
  const { monitor_id, monitor_name, project_id, severity, cause } = row;
  publishAlarm(
    work,
    row.org_id,
    { incident_id: row.id, monitor_id, monitor_name, project_id, change, severity, cause },
    people.map(({ userId }) => userId),
  );
}

export type Ringing = { row: IncidentRow; people: readonly Person[]; detail: string };

/** Rings for people, and records in each incident's timeline for whom. */
export async function ringFor(work: Work, rings: readonly Ringing[]): Promise<void> {
  await ringing(work, rings)?.execute(work.tx);
}

/** Rings for people, and returns the statement that records it; null: there is nobody. */
export function ringing(work: Work, rings: readonly Ringing[]): RawBuilder<unknown> | null {
  for (const { row, people } of rings) publishRinging(work, row, 'ringing', people);
  return timelineEntries(
    work,
    rings.flatMap(({ row, people, detail }) =>
      people.map(({ userId, name }) => ({
        incidentId: row.id,
        kind: 'paged' as const,
        actorName: name,
        actorUserId: userId,
        detail,
      })),
    ),
  );
}
