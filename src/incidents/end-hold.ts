// Ends holds: by a job scheduled for their end, or earlier with the announced change. Holds of an organization that are due
// together end in one unit of work: a deployment holds hundreds of monitors until the same second.
import { type RawBuilder, sql } from 'kysely';
import { addingJobs, addJobs, removeJobs } from '../platform/jobs/add-job.ts';
import type { Tx, Work } from '../platform/work.ts';
import { announceIncident } from './announce.ts';
import { type Hold, holdsFor } from './hold.ts';
import { type IncidentRow, writeIncidents } from './queries.ts';
import { recordTimeline } from './timeline.ts';

export const END_HOLD_TASK = 'end_hold';

export const endHoldKey = (incidentId: string) => `${END_HOLD_TASK}:${incidentId}`;
const jobOf = (incidentId: string) => ({
  payload: { incident_id: incidentId },
  key: endHoldKey(incidentId),
});

/** Schedules the jobs that end the holds of incidents, in one statement; a later time reschedules the job. */
export async function endHoldsAt(work: Pick<Work, 'tx' | 'now'>, holds: readonly EndOfHold[]): Promise<void> {
  await endingHolds(work, holds)?.execute(work.tx);
}

type EndOfHold = { incidentId: string; at: Date };

/** The statement of `endHoldsAt`; null: there is none. */
export const endingHolds = (
  { now }: Pick<Work, 'now'>,
  holds: readonly EndOfHold[],
): RawBuilder<unknown> | null =>
  addingJobs(
    END_HOLD_TASK,
    holds.map(({ incidentId, at }) => ({ ...jobOf(incidentId), runAt: at, from: now })),
  );

/** Runs the jobs of these holds as soon as this commits. */
export const endHoldsNow = (tx: Tx, incidentIds: readonly string[]): Promise<void> =>
  addJobs(tx, END_HOLD_TASK, incidentIds.map(jobOf));

/** Cancels the jobs of holds that have ended already. */
export const cancelEndOfHolds = (tx: Tx, incidentIds: readonly string[]): Promise<void> =>
  removeJobs(tx, incidentIds.map(endHoldKey));

/**
 * The job scheduled for `alarm_held_until`. Ends every due hold of the incident's organization and cancels their jobs; with
 * `alone`, used when the batch fails, only its own. Runs too early: reschedules itself. Does nothing for a closed incident.
 */
export async function endHoldInTime(work: Work, incidentId: string, alone = false): Promise<void> {
  const { tx, now } = work;
  const held = await tx
    .selectFrom('incidents')
    .select(['org_id', 'alarm_held_until'])
    .where('id', '=', incidentId)
    .where('status', '=', 'open')
    .executeTakeFirst();
  if (!held?.alarm_held_until) return;
  if (held.alarm_held_until > now) return endHoldsAt(work, [{ incidentId, at: held.alarm_held_until }]);
  const due = sql<boolean>`incidents.org_id = ${held.org_id} AND incidents.alarm_held_until <= ${now}
    AND (NOT ${alone}::boolean OR incidents.id = ${incidentId})`;
  // Locks the monitors' states first, as ingest does.
  await sql`SELECT 1 FROM monitor_state
    WHERE monitor_no IN (SELECT monitor_no FROM incidents WHERE ${due} AND status = 'open')
    ORDER BY monitor_no FOR UPDATE`.execute(tx);
  const all = await lockHeld(tx, due);
  const others = all.filter(({ id }) => id !== incidentId).map(({ id }) => id);
  await cancelEndOfHolds(tx, others);
  await extendOrEnd(
    work,
    all.map((each) => ({ ...each, endedAt: each.alarm_held_until })),
  );
}

/**
 * Ends the holds of a monitor's open incidents that came from these announcements, which are no longer in force. The caller
 * has locked the monitor's state.
 */
export async function endHoldsOf(
  work: Work,
  monitorNo: number,
  announced: readonly { until: Date; byName: string }[],
): Promise<void> {
  const { tx, now } = work;
  const held = await lockHeld(
    tx,
    sql<boolean>`incidents.monitor_no = ${monitorNo} AND incidents.alarm_held_until > ${now}
      AND NOT incidents.alarm_held_by_hand`,
  );
  const over = held.filter(({ alarm_held_until: until, alarm_held_by_name: byName }) =>
    announced.some((hold) => hold.until.getTime() === until.getTime() && hold.byName === byName),
  );
  await extendOrEnd(
    work,
    over.map((each) => ({ ...each, endedAt: now })),
  );
}

type Held = {
  id: string;
  monitor_no: number | null;
  created_at: Date;
  alarm_held_until: Date;
  alarm_held_by_name: string | null;
  alarm_held_by_hand: boolean;
};

/** Locks the open, held incidents among `those` in the order of their ids. */
async function lockHeld(tx: Tx, those: RawBuilder<boolean>): Promise<Held[]> {
  const rows = await tx
    .selectFrom('incidents')
    .select([
      'id',
      'monitor_no',
      'created_at',
      'alarm_held_until',
      'alarm_held_by_name',
      'alarm_held_by_hand',
    ])
    .where(those)
    .where('status', '=', 'open')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return rows.flatMap((row) =>
    row.alarm_held_until === null ? [] : [{ ...row, alarm_held_until: row.alarm_held_until }],
  );
}

/**
 * Ends or extends holds. A manual hold simply ends. Any other is extended by the same time again while a dependency is still
 * down, or by another change that was announced before the incident opened; the timeline does not repeat it. Otherwise the
 * alarm may start from `endedAt` on.
 */
async function extendOrEnd(work: Work, held: readonly (Held & { endedAt: Date })[]): Promise<void> {
  if (held.length === 0) return;
  const { tx, now } = work;
  const nextOf = await nextHolds(work, held);
  const rows = await writeHolds(
    tx,
    held.map(({ id }) => ({ incidentId: id, hold: nextOf.get(id) ?? null })),
  );
  await endHoldsAt(
    { tx, now },
    [...nextOf].map(([incidentId, { until }]) => ({ incidentId, at: until })),
  );
  await recordTimeline(
    work,
    held.flatMap(({ id, endedAt }) =>
      nextOf.has(id)
        ? []
        : [{ incidentId: id, kind: 'hold_ended' as const, at: endedAt, actorName: actorOf(work) }],
    ),
  );
  for (const row of rows) announceIncident(work, row, nextOf.has(row.id) ? 'held' : 'hold_ended');
}

/** The next hold of each incident that has one, by incident id. */
async function nextHolds(
  { tx, now }: Work,
  held: readonly (Held & { endedAt: Date })[],
): Promise<Map<string, Hold>> {
  const queries = held.flatMap(({ id, monitor_no: monitorNo, alarm_held_by_hand, created_at, endedAt }) =>
    monitorNo === null || alarm_held_by_hand ? [] : [{ id, monitorNo, openedAt: created_at, from: endedAt }],
  );
  const holds = await holdsFor(tx, queries, now);
  return new Map(queries.flatMap(({ id }, i) => (holds[i] ? [[id, holds[i]] as const] : [])));
}

/** The person or key that ended the hold; null when its time ran out. */
const actorOf = ({ actor }: Work) => (actor.kind === 'user' || actor.kind === 'key' ? actor.name : null);

type NewHold = {
  incidentId: string;
  /** null: nobody holds it. */
  hold: Pick<Hold, 'until' | 'byName' | 'userId'> | null;
  byHand?: boolean;
};

/** Writes the holds of incidents in one statement, and returns the updated incidents. */
export async function writeHolds(tx: Tx, holds: readonly NewHold[]): Promise<IncidentRow[]> {
  const given = holds.map(({ incidentId, hold, byHand = false }) => ({
    id: incidentId,
    until: hold?.until ?? null,
    by_name: hold?.byName ?? null,
    user_id: hold?.userId ?? null,
    by_hand: hold !== null && byHand,
  }));
  return writeIncidents(
    tx,
    sql`UPDATE incidents i SET alarm_held_until = g.until, alarm_held_by_name = g.by_name,
      alarm_held_by_user_id = g.user_id, alarm_held_by_hand = g.by_hand
    FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
      AS g (id text, until timestamptz, by_name text, user_id text, by_hand boolean)
    WHERE i.id = g.id RETURNING i.*`,
  );
}
