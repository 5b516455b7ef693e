// Starts alarms: one per incident, or one for all incidents of a storm.
import { sql } from 'kysely';
import { type PlannedStep, planChain, type StoredStep } from '#src/domain/escalation.ts';
import { linkAlarms } from '#src/incidents/alarm-no.ts';
import type { IncidentRow } from '#src/incidents/queries.ts';
import { pipelined } from '#src/platform/db/pipelined.ts';
import { alongside, type Work } from '#src/platform/work.ts';
import { enqueueNotices, type NewNotice } from '#src/user-notifications/enqueue.ts';
import { breakOffLater } from '../drills/end.ts';
import type { OnCall } from '../on-call-config.ts';
import { numbers } from './alarm-state.ts';
import { storeStepJobs } from './escalation-job.ts';
import { addAudience, audienceOf, type Person, ringFor } from './loud-alarm.ts';
import { describeIncidents } from './notice-content.ts';

type AssignedAlarm = { no: number; groupNo: number | null; rows: IncidentRow[] };

export type Started = {
  /** Ids of the incidents that now have an alarm. */
  incidentIds: ReadonlySet<string>;
  /** Alarms that were running before; they may be paused. */
  joined: readonly number[];
};

/**
 * Starts the alarms of incidents that have none. Incidents of a storm join its running alarm, or share a new one. The
 * organization is locked; `readOnCall` answers its configuration.
 */
export async function startAlarms(
  work: Work,
  orgId: string,
  rows: readonly IncidentRow[],
  readOnCall: () => Promise<OnCall>,
): Promise<Started> {
  if (rows.length === 0) return { incidentIds: new Set(), joined: [] };
  const { joined, begun } = await assign(work, orgId, rows);
  await join(work, joined);
  if (begun.length > 0) begin(work, orgId, begun, await readOnCall());
  return { incidentIds: new Set(rows.map(({ id }) => id)), joined: joined.map(({ no }) => no) };
}

/** Assigns each incident to a running alarm or a new one, with its number. */
async function assign(
  work: Work,
  orgId: string,
  rows: readonly IncidentRow[],
): Promise<{ joined: AssignedAlarm[]; begun: AssignedAlarm[] }> {
  const groups = Map.groupBy(rows, (row) => (row.group_no === null ? row.id : row.group_no));
  const groupNos = [...groups.keys()].filter((key) => typeof key === 'number');
  const runningOf = await runningOfGroups(work, orgId, groupNos);
  const joined: AssignedAlarm[] = [];
  const fresh: Omit<AssignedAlarm, 'no'>[] = [];
  for (const [key, own] of groups) {
    const groupNo = typeof key === 'number' ? key : null;
    const no = groupNo === null ? undefined : runningOf.get(groupNo);
    if (no === undefined) fresh.push({ groupNo, rows: own });
    else joined.push({ no, groupNo, rows: own });
  }
  const begun = await insertAlarms(work, orgId, fresh);
  const links = [...joined, ...begun].flatMap(({ no, rows: own }) =>
    own.map(({ id }) => ({ incidentId: id, alarmNo: no })),
  );
  alongside(work, linkAlarms(work, links));
  return { joined, begun };
}

async function insertAlarms(
  { tx, now }: Work,
  orgId: string,
  fresh: readonly Omit<AssignedAlarm, 'no'>[],
): Promise<AssignedAlarm[]> {
  if (fresh.length === 0) return [];
  const { rows: made } = await sql<{ no: number }>`
    INSERT INTO alarms (org_id, group_no, started_at)
    SELECT ${orgId}, nullif(g.no, 0), ${now} FROM unnest(${numbers(fresh.map(({ groupNo }) => groupNo ?? 0))})
      WITH ORDINALITY AS g (no, place) ORDER BY g.place
    RETURNING no`.execute(tx);
  // The INSERT numbers the alarms in the order of its rows.
  const nos = made.map(({ no }) => no).sort((a, b) => a - b);
  return fresh.map((alarm, i) => ({ ...alarm, no: nos[i] ?? 0 }));
}

/** The running alarm of each of these storms. */
async function runningOfGroups(
  { tx }: Work,
  orgId: string,
  groupNos: readonly number[],
): Promise<Map<number, number>> {
  if (groupNos.length === 0) return new Map();
  const { rows } = await sql<{ no: number; group_no: number }>`
    SELECT max(no) AS no, group_no FROM alarms
    WHERE org_id = ${orgId} AND group_no = ANY(${numbers(groupNos)}) AND ended_at IS NULL GROUP BY group_no`.execute(
    tx,
  );
  return new Map(rows.map(({ no, group_no }) => [group_no, no]));
}

function begin(
  work: Work,
  orgId: string,
  begun: readonly AssignedAlarm[],
  { rotation, administrators, settings, names, drilling }: OnCall,
): void {
  const chain = planChain(rotation, administrators, settings, work.now.getTime());
  // The start, and a mail without delay.
  const atOnce = chain.filter(({ afterMinutes }) => afterMinutes === 0);
  const reaches = atOnce.flatMap((step) => step.reaches);
  const rung = reaches.filter(({ by }) => by.includes('loud_alarm')).map(({ userId }) => userId);
  const people: Person[] = rung.map((userId) => ({ userId, name: names.get(userId) ?? '' }));
  const why = chain[0]?.fallback ? (rotation.active ? ': nobody is on duty' : ': on-call is off') : '';
  const stored = Promise.all([
    drilling ? breakOffLater(work.tx, orgId) : undefined,
    addAudience(
      work,
      begun.flatMap(({ no }) => rung.map((userId) => ({ alarmNo: no, userId }))),
    ),
    saveSteps(work, stepsOf(work, chain, begun)),
    enqueueNotices(
      work,
      begun.flatMap((alarm) => noticesOf(orgId, alarm, reaches)),
    ),
    ringFor(
      work,
      begun.flatMap(({ rows }) => rows.map((row) => ({ row, people, detail: `the loud alarm rings${why}` }))),
    ),
  ]);
  alongside(work, stored);
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

async function saveSteps(work: Work, steps: readonly NewStep[]): Promise<void> {
  if (steps.length === 0) return;
  await pipelined(
    () =>
      sql`INSERT INTO alarm_steps (alarm_no, step, due_at, done_at)
      SELECT alarm_no, step, due_at, done_at FROM jsonb_to_recordset(${JSON.stringify(steps)}::jsonb)
        AS given (alarm_no bigint, step text, due_at timestamptz, done_at timestamptz)`.execute(work.tx),
    () => storeStepJobs(work, new Set(steps.map(({ alarm_no }) => alarm_no))),
  );
}

function noticesOf(orgId: string, { no, rows }: AssignedAlarm, reaches: PlannedStep['reaches']): NewNotice[] {
  const about = describeIncidents(rows);
  return reaches.flatMap(({ userId, by }) => {
    const notice = { orgId, userId, alarmNo: no, kind: 'alarm' as const };
    const push: NewNotice = { ...notice, channel: 'push', data: { ...about, stage: 'start' } };
    const mail: NewNotice = { ...notice, channel: 'mail', data: { ...about, stage: 'mail' } };
    return [...(by.includes('push') ? [push] : []), ...(by.includes('mail') ? [mail] : [])];
  });
}

/** A later incident of a storm rings for the people its alarm has reached; the steps keep their times. */
async function join(work: Work, joined: readonly AssignedAlarm[]): Promise<void> {
  if (joined.length === 0) return;
  const audience = await audienceOf(
    work,
    joined.map(({ no }) => no),
  );
  await ringFor(
    work,
    joined.flatMap(({ no, rows }) =>
      rows.map((row) => ({
        row,
        people: audience(no),
        detail: 'the loud alarm of the incidents that opened together rings',
      })),
    ),
  );
}
