// Starts alarms: one per incident, or one for all incidents of a storm.
import { type RawBuilder, sql } from 'kysely';
import { type PlannedStep, planChain, type StoredStep } from '#src/domain/escalation.ts';
import { linkingAlarms } from '#src/incidents/alarm-no.ts';
import { runningGroup } from '#src/incidents/groups.ts';
import type { IncidentRow } from '#src/incidents/queries.ts';
import { sendUnawaited, type Work } from '#src/platform/work.ts';
import { enqueuing, type NewNotice } from '#src/user-notifications/enqueue.ts';
import { abortingLater } from '../drills/end.ts';
import { type OnCall, readOnCall } from '../on-call-config.ts';
import { numbers } from './alarm-state.ts';
import { storingStepJobs } from './escalation-job.ts';
import { addingAudience, type Person, ringing } from './loud-alarm.ts';
import { type AlarmContent, describeIncidents, describeRinging } from './notice-content.ts';

type AssignedAlarm = { no: number; groupNo: number | null; rows: IncidentRow[] };

export type Started = {
  /** Ids of the incidents that now have an alarm. */
  incidentIds: ReadonlySet<string>;
  /** Alarms that were running before. */
  joined: readonly number[];
  /** Those of them that are paused: they go on, now that an incident pages. */
  paused: readonly number[];
};

export const NONE: Started = { incidentIds: new Set(), joined: [], paused: [] };

/** The data that is read before alarms start. */
export type Beforehand = {
  onCall: OnCall;
  /** The alarm of the storm that incidents join now. */
  running: readonly RunningAlarm[];
  /** The number of the first new alarm, so that it need not be waited for. */
  no: number;
};

type RunningAlarm = { no: number; groupNo: number; paused: boolean; people: Person[] };

/** Reads what the start of alarms needs, in one round trip. A number that is not used is lost, which harms nothing. */
export async function readBeforehand(work: Work, orgId: string): Promise<Beforehand> {
  const [onCall, running, [no = 0]] = await Promise.all([
    readOnCall(work.tx, orgId, work.now),
    runningOfGroups(work, orgId, sql`(SELECT no FROM ${runningGroup(orgId, work.now)} g)`),
    newNumbers(work, 1),
  ]);
  return { onCall, running, no };
}

/** Numbers of new alarms, ascending. */
async function newNumbers({ tx }: Work, howMany: number): Promise<number[]> {
  if (howMany < 1) return [];
  const { rows } = await sql<{ no: number }>`
    SELECT nextval('alarms_no_seq') AS no FROM generate_series(1, ${howMany}::int)`.execute(tx);
  return rows.map(({ no }) => no);
}

/**
 * Starts the alarms of incidents that have none. Incidents of a storm join its running alarm, or share a new one. The
 * organization is locked.
 */
export async function startAlarms(
  work: Work,
  orgId: string,
  rows: readonly IncidentRow[],
  beforehand: () => Promise<Beforehand>,
): Promise<Started> {
  if (rows.length === 0) return NONE;
  const { onCall, running, no } = await beforehand();
  const { joined, fresh } = await assign(work, orgId, rows, running);
  join(work, joined);
  const nos = [no, ...(await newNumbers(work, fresh.length - 1))];
  const begun = fresh.map((alarm, i) => ({ ...alarm, no: nos[i] ?? 0 }));
  // More of the storm may have opened than are given: their own units of work find this alarm.
  const about = await describeRinging(
    work,
    begun.flatMap(({ groupNo }) => groupNo ?? []),
  );
  if (begun.length > 0) begin(work, orgId, begun, about, onCall);
  return {
    incidentIds: new Set(rows.map(({ id }) => id)),
    joined: joined.map(({ alarm }) => alarm.no),
    paused: joined.flatMap(({ alarm }) => (alarm.paused ? [alarm.no] : [])),
  };
}

type Joined = { alarm: RunningAlarm; rows: IncidentRow[] };

/** Finds the running alarm of each incident; `fresh` are the alarms that have to begin. */
async function assign(
  work: Work,
  orgId: string,
  rows: readonly IncidentRow[],
  known: readonly RunningAlarm[],
): Promise<{ joined: Joined[]; fresh: Omit<AssignedAlarm, 'no'>[] }> {
  const groups = Map.groupBy(rows, (row) => (row.group_no === null ? row.id : row.group_no));
  const others = [...groups.keys()].filter(
    (key) => typeof key === 'number' && !known.some(({ groupNo }) => groupNo === key),
  );
  const found =
    others.length === 0 ? [] : await runningOfGroups(work, orgId, sql`ANY(${numbers(others as number[])})`);
  const runningOf = new Map([...known, ...found].map((alarm) => [alarm.groupNo, alarm]));
  const joined: Joined[] = [];
  const fresh: Omit<AssignedAlarm, 'no'>[] = [];
  for (const [key, own] of groups) {
    const groupNo = typeof key === 'number' ? key : null;
    const alarm = groupNo === null ? undefined : runningOf.get(groupNo);
    if (alarm === undefined) fresh.push({ groupNo, rows: own });
    else joined.push({ alarm, rows: own });
  }
  return { joined, fresh };
}

const linking = (alarms: readonly Pick<AssignedAlarm, 'no' | 'rows'>[]): RawBuilder<unknown> =>
  linkingAlarms(alarms.flatMap(({ no, rows }) => rows.map(({ id }) => ({ incidentId: id, alarmNo: no }))));

const inserting = ({ now }: Work, orgId: string, begun: readonly AssignedAlarm[]): RawBuilder<unknown> =>
  sql`
    INSERT INTO alarms (no, org_id, group_no, started_at) OVERRIDING SYSTEM VALUE
    SELECT g.no, ${orgId}, nullif(g.group_no, 0), ${now} FROM unnest(${numbers(begun.map(({ no }) => no))},
      ${numbers(begun.map(({ groupNo }) => groupNo ?? 0))}) AS g (no, group_no)`;

/** The running alarm of each of these storms, with the people it has reached. */
async function runningOfGroups(
  { tx }: Work,
  orgId: string,
  groupNos: RawBuilder<unknown>,
): Promise<RunningAlarm[]> {
  const { rows } = await sql<RunningAlarm>`
    SELECT a.no, a.group_no AS "groupNo", a.paused_at IS NOT NULL AS paused, coalesce((
        SELECT json_agg(json_build_object('userId', u.id, 'name', u.name) ORDER BY aud.since, m.joined_at, u.id)
        FROM alarm_audience aud JOIN members m ON m.org_id = a.org_id AND m.user_id = aud.user_id AND m.role <> 'viewer'
        JOIN users u ON u.id = aud.user_id WHERE aud.alarm_no = a.no), '[]') AS people
    FROM alarms a WHERE a.no IN (SELECT max(no) FROM alarms
      WHERE org_id = ${orgId} AND group_no = ${groupNos} AND ended_at IS NULL GROUP BY group_no)`.execute(tx);
  return rows;
}

function begin(
  work: Work,
  orgId: string,
  begun: readonly AssignedAlarm[],
  about: ReadonlyMap<number, AlarmContent>,
  { rotation, administrators, settings, names, drilling }: OnCall,
): void {
  const chain = planChain(rotation, administrators, settings, work.now.getTime());
  // The start, and a mail without delay.
  const atOnce = chain.filter(({ afterMinutes }) => afterMinutes === 0);
  const reaches = atOnce.flatMap((step) => step.reaches);
  const rung = reaches.filter(({ by }) => by.includes('loud_alarm')).map(({ userId }) => userId);
  const people: Person[] = rung.map((userId) => ({ userId, name: names.get(userId) ?? '' }));
  const why = chain[0]?.fallback ? (rotation.active ? ': nobody is on duty' : ': on-call is off') : '';
  sendUnawaited(
    work,
    // Everything else refers to them.
    inserting(work, orgId, begun),
    linking(begun),
    drilling ? abortingLater(orgId) : null,
    addingAudience(
      work,
      begun.flatMap(({ no }) => rung.map((userId) => ({ alarmNo: no, userId }))),
    ),
    ...savingSteps(work, stepsOf(work, chain, begun)),
    enqueuing(
      work,
      begun.flatMap(({ no, groupNo, rows }) =>
        noticesOf(orgId, no, about.get(groupNo ?? 0) ?? describeIncidents(rows), reaches),
      ),
    ),
    ringing(
      work,
      begun.flatMap(({ rows }) => rows.map((row) => ({ row, people, detail: `the loud alarm rings${why}` }))),
    ),
  );
}

type NewStep = { alarm_no: number; step: StoredStep; due_at: Date; done_at: Date | null };

/** The later steps of new alarms. The last stage stores the reminder; where there is none, the start does. */
function stepsOf({ now }: Work, chain: readonly PlannedStep[], begun: readonly AssignedAlarm[]): NewStep[] {
  const hasStages = chain.some(({ step }) => step === 'stage2');
  return begun.flatMap(({ no }) =>
    chain.flatMap(({ step, afterMinutes }) =>
      step === 'start' || (step === 'reminder' && hasStages)
        ? []
        : {
            alarm_no: no,
            step,
            due_at: new Date(now.getTime() + afterMinutes * 60_000),
            done_at: afterMinutes === 0 ? now : null,
          },
    ),
  );
}

function savingSteps(work: Work, steps: readonly NewStep[]): RawBuilder<unknown>[] {
  if (steps.length === 0) return [];
  return [
    sql`INSERT INTO alarm_steps (alarm_no, step, due_at, done_at)
      SELECT alarm_no, step, due_at, done_at FROM jsonb_to_recordset(${JSON.stringify(steps)}::jsonb)
        AS given (alarm_no bigint, step text, due_at timestamptz, done_at timestamptz)`,
    storingStepJobs(work, new Set(steps.map(({ alarm_no }) => alarm_no))),
  ];
}

function noticesOf(
  orgId: string,
  no: number,
  about: AlarmContent,
  reaches: PlannedStep['reaches'],
): NewNotice[] {
  return reaches.flatMap(({ userId, by }) => {
    const notice = { orgId, userId, alarmNo: no, kind: 'alarm' as const };
    const push: NewNotice = { ...notice, channel: 'push', data: { ...about, stage: 'start' } };
    const mail: NewNotice = { ...notice, channel: 'mail', data: { ...about, stage: 'mail' } };
    return [...(by.includes('push') ? [push] : []), ...(by.includes('mail') ? [mail] : [])];
  });
}

/** A later incident of a storm rings for the people its alarm has reached; the steps keep their times. */
function join(work: Work, joined: readonly Joined[]): void {
  if (joined.length === 0) return;
  const rings = joined.flatMap(({ alarm, rows }) =>
    rows.map((row) => ({
      row,
      people: alarm.people,
      detail: 'the loud alarm of the incidents that opened together rings',
    })),
  );
  sendUnawaited(
    work,
    linking(joined.map(({ alarm, rows }) => ({ no: alarm.no, rows }))),
    ringing(work, rings),
  );
}
