// A hold comes to its end: by the stored job of its second, or because the announced change was over earlier.
import { sql } from 'kysely';
import { addJob, addJobs, removeJob } from '../platform/jobs/add-job.ts';
import type { Tx, Work } from '../platform/work.ts';
import { announceIncident } from './announce.ts';
import { type Hold, holdsOf } from './hold.ts';
import { type IncidentRow, writeIncidents } from './queries.ts';
import { recordTimeline } from './timeline.ts';

export const END_HOLD_TASK = 'end_hold';

const jobOf = (incidentId: string) => ({
  payload: { incident_id: incidentId },
  key: `${END_HOLD_TASK}:${incidentId}`,
});

/** Stores the job that ends an incident's hold, `at` absent: as soon as this commits; a later second moves it. */
export async function endHoldAt(tx: Tx, incidentId: string, at?: Date): Promise<void> {
  await addJob(tx, { task: END_HOLD_TASK, ...jobOf(incidentId), ...(at ? { runAt: at } : {}) });
}

/** The same for many incidents, in one statement. */
export async function endHoldsAt(tx: Tx, holds: readonly { incidentId: string; at: Date }[]): Promise<void> {
  await addJobs(
    tx,
    END_HOLD_TASK,
    holds.map(({ incidentId, at }) => ({ ...jobOf(incidentId), runAt: at })),
  );
}

/** Takes the stored job back: the hold has ended already. */
export const forgetEndOfHold = (tx: Tx, incidentId: string): Promise<void> =>
  removeJob(tx, jobOf(incidentId).key);

/** The stored job of `alarm_held_until`. Too early it only puts itself back; of a closed incident nothing is left to do. */
export async function endHoldInTime(work: Work, incidentId: string): Promise<void> {
  const { tx, now } = work;
  // The monitor's state first, as ingest does: one order of locks.
  await sql`SELECT 1 FROM monitor_state
    WHERE monitor_no = (SELECT monitor_no FROM incidents WHERE id = ${incidentId}) FOR UPDATE`.execute(tx);
  const held = await tx
    .selectFrom('incidents')
    .select(['id', 'monitor_no', 'created_at', 'alarm_held_until', 'alarm_held_by_hand'])
    .where('id', '=', incidentId)
    .where('status', '=', 'open')
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!held?.alarm_held_until) return;
  if (held.alarm_held_until > now) return endHoldAt(tx, incidentId, held.alarm_held_until);
  await goOnOrEnd(work, { ...held, alarm_held_until: held.alarm_held_until }, held.alarm_held_until);
}

/**
 * Ends the holds of a monitor's open incidents that rest on these announcements, which are no longer in force. The
 * monitor's state is locked by the caller.
 */
export async function endHoldsOf(
  work: Work,
  monitorNo: number,
  announced: readonly { until: Date; byName: string }[],
): Promise<void> {
  const held = await work.tx
    .selectFrom('incidents')
    .select([
      'id',
      'monitor_no',
      'created_at',
      'alarm_held_until',
      'alarm_held_by_name',
      'alarm_held_by_hand',
    ])
    .where('monitor_no', '=', monitorNo)
    .where('status', '=', 'open')
    .where('alarm_held_until', '>', work.now)
    .where('alarm_held_by_hand', '=', false)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  for (const incident of held) {
    const { alarm_held_until: until, alarm_held_by_name: byName } = incident;
    if (until && announced.some((hold) => hold.until.getTime() === until.getTime() && hold.byName === byName))
      await goOnOrEnd(work, { ...incident, alarm_held_until: until }, work.now);
  }
}

type Held = {
  id: string;
  monitor_no: number | null;
  created_at: Date;
  alarm_held_until: Date;
  alarm_held_by_hand: boolean;
};

/**
 * A hold by hand ends when it was said to. Of the others: while what it depends on is still down, an incident is held for as much time again, which its timeline does not repeat;
 * so it is by another change that was announced before it opened. Else its alarm chain is free from `endedAt` on.
 */
async function goOnOrEnd(work: Work, held: Held, endedAt: Date): Promise<void> {
  const { tx, now } = work;
  const { monitor_no: no } = held;
  const holds =
    no === null || held.alarm_held_by_hand
      ? null
      : await holdsOf(tx, [no], { now, openedAt: held.created_at, from: endedAt });
  const next = holds?.get(no ?? 0) ?? null;
  const row = await writeHold(tx, held.id, next);
  if (!row) return;
  if (next) await endHoldAt(tx, held.id, next.until);
  else
    await recordTimeline(work, [
      { incidentId: held.id, kind: 'hold_ended', at: endedAt, actorName: actorOf(work) },
    ]);
  announceIncident(work, row, next ? 'held' : 'hold_ended');
}

/** Who ended it, where it was a person or a key and not the passing of time. */
const actorOf = ({ actor }: Work) => (actor.kind === 'user' || actor.kind === 'key' ? actor.name : null);

/** Writes who holds an incident's alarm until when, null: nobody; answers the incident as it is then. */
export async function writeHold(
  tx: Tx,
  incidentId: string,
  hold: Pick<Hold, 'until' | 'byName' | 'userId'> | null,
  byHand = false,
): Promise<IncidentRow | undefined> {
  const update = tx
    .updateTable('incidents')
    .set({
      alarm_held_until: hold?.until ?? null,
      alarm_held_by_name: hold?.byName ?? null,
      alarm_held_by_user_id: hold?.userId ?? null,
      alarm_held_by_hand: hold !== null && byHand,
    })
    .where('id', '=', incidentId)
    .returningAll();
  const [row] = await writeIncidents(tx, update);
  return row;
}
