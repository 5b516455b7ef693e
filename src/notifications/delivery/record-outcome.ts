// Records the outcomes of attempts: deliveries, the health of their targets and the entries in timelines, together.
import { sql } from 'kysely';
import { nextTry } from '#src/domain/backoff.ts';
import { CHANNEL_FAMILIES } from '#src/domain/names.ts';
import { pipelined } from '#src/platform/db/pipelined.ts';
import { hook } from '#src/platform/hook.ts';
import { afterCommit, type Database, type Work } from '#src/platform/work.ts';
import { deferFollowers } from './defer-followers.ts';
import { countDelivery } from './metrics.ts';
import { madeAt } from './queue.ts';
import { noteRefused, noteReported } from './read-groups.ts';
import type { AttemptResult, Claimed, Content } from './send.ts';
import { cancelOutdated } from './superseded.ts';
import { judgeTargets, type LockedTarget, lockTargets } from './target-health.ts';

export type DeliveryEnd = {
  orgId: string;
  /** An incident, or a fire drill. */
  incidentId: string;
  targetId: string;
  target: string;
  event: string;
  ok: boolean;
  error: string | null;
  /** Other events in the same message. */
  others: number;
  at: Date;
};

/** Deliveries ended: they arrived, or will not be retried. */
export const deliveriesEnded = hook<readonly DeliveryEnd[]>();

type State = 'delivered' | 'pending' | 'failed' | 'cancelled';
/** `uncounted`: nothing was sent, and the next attempt gets the same number. */
type Outcome = { delivery: Claimed & Content; state: State; retryAt: Date | null; uncounted?: boolean };

/**
 * Records ended attempts, in that order: removes their deliveries from the queue or schedules a retry, and updates the health
 * of their targets. Leaves a delivery to the worker that has taken over its lease. Resolves to the ends to announce. If every
 * attempt arrived, the statements that change the queue are issued first, at the call.
 */
export async function recordOutcomes(
  work: Work,
  results: readonly AttemptResult[],
  random: () => number,
): Promise<DeliveryEnd[]> {
  if (results.length === 0) return [];
  if (results.every(({ result }) => result.outcome.kind === 'delivered')) {
    const outcomes = results.map((each) => outcomesOf(work, each, 0, true));
    const [locked, released] = await pipelined(
      // Locks the target first, as deleting a target and replaying a delivery do.
      () => lockTargets(work, results),
      () => release(work, outcomes.flat()),
    );
    return write(work, locked, results, outcomes, released);
  }
  const locked = await lockTargets(work, results);
  const wanted = new Set(locked.filter(({ active }) => active).map(({ id }) => id));
  const outcomes = results.map((each) =>
    outcomesOf(work, each, random(), wanted.has(each.attempt.target.id)),
  );
  const released = await release(work, outcomes.flat());
  const ends = await write(work, locked, results, outcomes, released);
  const outdated = await cancelOutdated(work, retriedPages(results, outcomes, released));
  await deferFollowers(
    work,
    outcomes.flat().filter(({ delivery }) => !outdated.has(delivery.seq)),
    released,
  );
  return ends;
}

/** The deliveries of paging targets that are tried again. */
const retriedPages = (
  results: readonly AttemptResult[],
  outcomes: readonly Outcome[][],
  released: ReadonlyMap<number, string>,
) =>
  results.flatMap(({ attempt }, i) =>
    CHANNEL_FAMILIES[attempt.target.kind] === 'paging'
      ? (outcomes[i] ?? []).flatMap(({ delivery, retryAt }) =>
          retryAt !== null && released.has(delivery.seq) ? [delivery] : [],
        )
      : [],
  );

async function write(
  work: Work,
  locked: LockedTarget[],
  results: readonly AttemptResult[],
  outcomes: readonly Outcome[][],
  released: ReadonlyMap<number, string>,
): Promise<DeliveryEnd[]> {
  await pipelined(
    () =>
      writeDeliveries(
        work,
        results.flatMap(({ result }, i) =>
          (outcomes[i] ?? [])
            .filter(({ delivery }) => released.has(delivery.seq))
            .map((outcome) => ({ ...outcome, result })),
        ),
      ),
    // After the deliveries: a target that is switched off here has its pending ones cancelled.
    () => judgeTargets(work, locked, results),
    () => noteGroups(work, results, outcomes, released),
  );
  afterCommit(work, () => {
    for (const [i, { attempt }] of results.entries())
      for (const { delivery, state } of outcomes[i] ?? [])
        if (released.has(delivery.seq)) countDelivery(attempt.target.kind, state);
  });
  return results.flatMap(({ attempt, result }, i) =>
    (outcomes[i] ?? []).flatMap(({ delivery, state }): DeliveryEnd[] => {
      if (state === 'pending' || state === 'cancelled') return [];
      if (delivery.incident_id === null || !released.has(delivery.seq)) return [];
      return [
        {
          orgId: attempt.orgId,
          incidentId: delivery.incident_id,
          targetId: attempt.target.id,
          target: attempt.target.name,
          event: delivery.event,
          ok: state === 'delivered',
          error: result.error,
          others: attempt.deliveries.length - 1,
          at: work.now,
        },
      ];
    }),
  );
}

/**
 * Records what the messages have said about groups, or failed to say. One whose deliveries another worker has taken over may be
 * older than what that one has sent.
 */
async function noteGroups(
  work: Work,
  results: readonly AttemptResult[],
  outcomes: readonly Outcome[][],
  released: ReadonlyMap<number, string>,
): Promise<void> {
  const about = results.flatMap(({ attempt: { group, orderingKey: lane }, result }, i) => {
    const own = (outcomes[i] ?? []).filter(({ delivery }) => released.has(delivery.seq));
    return group && own.length > 0 ? [{ lane, group, result, states: own.map(({ state }) => state) }] : [];
  });
  const said = about.filter(({ result }) => result.outcome.kind === 'delivered');
  const refused = about.filter(({ states, group }) => states.includes('failed') && group.pages.length > 0);
  if (said.length > 0)
    await noteReported(
      work,
      said.map(({ lane, group, result: { posted = null } }) => ({ lane, group, posted })),
    );
  if (refused.length > 0) await noteRefused(work, refused);
}

/** The outcome of one attempt for each of its deliveries. They are retried together, while their target is active. */
function outcomesOf(
  { now }: Work,
  { attempt, result }: AttemptResult,
  random: number,
  isWanted: boolean,
): Outcome[] {
  const { outcome } = result;
  if (outcome.kind === 'delivered')
    return attempt.deliveries.map((delivery) => ({ delivery, state: 'delivered', retryAt: null }));
  const paging = CHANNEL_FAMILIES[attempt.target.kind] === 'paging';
  const next = attempt.deliveries.map((delivery) => ({
    delivery,
    next: nextTry({ attempt: delivery.attempts, outcome, random, paging }),
  }));
  // The delivery with the most attempts decides how long all of them wait.
  const inMs = next.reduce(
    (most, each) => (each.next.kind === 'retry' ? Math.max(most, each.next.inMs) : most),
    0,
  );
  const retryAt = new Date(now.getTime() + inMs);
  return next.map(({ delivery, next: { kind } }) => {
    if (kind !== 'retry') return { delivery, state: 'failed', retryAt: null };
    return isWanted
      ? { delivery, state: 'pending', retryAt, uncounted: outcome.kind === 'not_tried' }
      : { delivery, state: 'cancelled', retryAt: null };
  });
}

/**
 * Removes deliveries from the queue or schedules their retry; returns those whose lease was still this worker's, with their
 * current ordering keys.
 */
async function release({ tx }: Work, outcomes: readonly Outcome[]): Promise<ReadonlyMap<number, string>> {
  // Deliveries of one attempt have the same lease and the same outcome: there are few groups.
  const leases = Map.groupBy(
    outcomes,
    ({ delivery, retryAt, uncounted }) =>
      `${delivery.leased_until.getTime()} ${retryAt?.getTime()} ${uncounted}`,
  );
  const released = await Promise.all(
    Array.from(leases.values(), async (same) => {
      const [{ delivery, retryAt, uncounted }] = same as [Outcome];
      const seqs = same.map((each) => String(each.delivery.seq));
      const mine = sql`seq = ANY(${seqs}::bigint[]) AND leased_until = ${delivery.leased_until}`;
      const { rows } = await (retryAt === null
        ? sql<Released>`DELETE FROM delivery_queue WHERE ${mine} RETURNING seq, lane`
        : sql<Released>`UPDATE delivery_queue SET leased_until = NULL, next_attempt_at = ${unlessHeld(retryAt)},
              attempts = attempts - ${uncounted ? 1 : 0}
            WHERE ${mine} RETURNING seq, lane`
      ).execute(tx);
      return rows;
    }),
  );
  return new Map(released.flat().map(({ seq, lane }) => [seq, lane]));
}

/** A page whose alarm was paused while it was being sent keeps waiting for that (./held-pages.ts). */
const unlessHeld = (retryAt: Date) =>
  sql`CASE WHEN next_attempt_at = 'infinity' THEN next_attempt_at ELSE ${retryAt}::timestamptz END`;

type Released = { seq: number; lane: string };

/** Writes the rows that people see, with one statement for all rows that change in the same way. */
async function writeDeliveries(
  { tx, now }: Work,
  outcomes: readonly (Outcome & Pick<AttemptResult, 'result'>)[],
): Promise<void> {
  const alike = Map.groupBy(outcomes, ({ delivery, state, retryAt, uncounted, result }) =>
    JSON.stringify([state, delivery.attempts, retryAt, uncounted, result.statusCode, result.error]),
  );
  await Promise.all(
    Array.from(alike.values(), async (same) => {
      const [{ delivery, state, retryAt, uncounted, result }] = same as [(typeof same)[number]];
      const these = madeAt(
        same.map((each) => each.delivery.id),
        same.map((each) => each.delivery.created_at),
      );
      // null: it is held.
      const queued = sql`(SELECT nullif(q.next_attempt_at, 'infinity') FROM delivery_queue q WHERE q.seq = deliveries.seq)`;
      const next = retryAt === null ? null : queued;
      await sql`
        UPDATE deliveries SET state = ${state}, attempts = ${delivery.attempts - (uncounted ? 1 : 0)}, next_attempt_at = ${next},
          finished_at = ${state === 'pending' ? null : now}, status_code = ${result.statusCode},
          error = ${result.error}
        WHERE ${these}`.execute(tx);
    }),
  );
}

/**
 * Records an outcome that `recordOutcomes` failed on, so that the worker can continue: only in the queue and the list of
 * deliveries, without target health and reactions. A delivery that arrived is not sent again; any other is retried after the
 * usual pause. Deliveries that another worker has taken over are left to it.
 */
export async function recordWithoutReactions(
  db: Database,
  now: Date,
  { attempt, result }: AttemptResult,
  random: number,
): Promise<void> {
  const { outcome, statusCode, error } = result;
  const paging = CHANNEL_FAMILIES[attempt.target.kind] === 'paging';
  for (const { seq, id, created_at, attempts, leased_until } of attempt.deliveries) {
    const next =
      outcome.kind === 'delivered' ? null : nextTry({ attempt: attempts, outcome, random, paging });
    const retryAt = next?.kind === 'retry' ? new Date(now.getTime() + next.inMs) : null;
    const mine = sql`seq = ${seq}::bigint AND leased_until = ${leased_until}`;
    const { numAffectedRows } = await (retryAt === null
      ? sql`DELETE FROM delivery_queue WHERE ${mine}`
      : sql`UPDATE delivery_queue SET leased_until = NULL, next_attempt_at = ${unlessHeld(retryAt)} WHERE ${mine}`
    ).execute(db);
    if (numAffectedRows === 0n) continue;
    const state = next === null ? 'delivered' : retryAt === null ? 'failed' : 'pending';
    await sql`
      UPDATE deliveries SET state = ${state}, attempts = ${attempts}, next_attempt_at = ${retryAt},
        finished_at = ${retryAt === null ? now : null}, status_code = ${statusCode}, error = ${error}
      WHERE ${madeAt([id], [created_at])}`.execute(db);
    countDelivery(attempt.target.kind, state);
  }
}
