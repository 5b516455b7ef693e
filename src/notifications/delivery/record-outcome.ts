// What came of tries, written down: deliveries, the health of their targets and what incidents know of it, together.
import { sql } from 'kysely';
import { nextTry } from '#src/domain/backoff.ts';
import { WEBHOOK_FAMILIES } from '#src/domain/names.ts';
import { announcement } from '#src/platform/announcement.ts';
import type { Work } from '#src/platform/work.ts';
import { groupOfLane } from '../ordering-key.ts';
import type { Claimed, Content, Landed } from './attempt.ts';
import { madeAt } from './generic-plans.ts';
import { postponeLanes } from './postpone.ts';
import { judgeTargets, type LockedTarget, lockTargets } from './target-health.ts';

export type DeliveryEnd = {
  orgId: string;
  incidentId: string;
  target: string;
  event: string;
  ok: boolean;
  error: string | null;
  /** How many others the same message told of. */
  others: number;
  at: Date;
};

/** Deliveries ended: they arrived, or never will without somebody's help. */
export const deliveriesEnded = announcement<readonly DeliveryEnd[]>();

type Ended = Claimed & Content;
type State = 'delivered' | 'pending' | 'failed' | 'cancelled';
/** `uncounted`: the try was none, and its number is given to the next one. */
type Outcome = { delivery: Ended; state: State; retryAt: Date | null; uncounted?: boolean };

/** `released`: what was sent is out of the queue, or waits in it again; `ended`: all is written, to be announced. */
export type Settling = { released: Promise<void>; ended: Promise<DeliveryEnd[]> };

/**
 * Writes down tries that ended, in the order in which they did. What somebody else has taken over meanwhile is theirs.
 * Statements that may follow `released` can be issued right behind it, before anything has been answered.
 */
export function settle(work: Work, landed: readonly Landed[], random: () => number): Settling {
  if (landed.length === 0) return { released: Promise.resolve(), ended: Promise.resolve([]) };
  // Before anything else: whoever deletes a target or brings a delivery back holds its row first, then the others.
  const targets = lockTargets(work, landed);
  if (landed.every(({ attempted }) => attempted.outcome.kind === 'delivered')) {
    const outcomes = landed.map((each) => outcomesOf(work, each, 0, true));
    const released = release(work, outcomes.flat());
    return { released: Promise.resolve(), ended: write(work, targets, landed, outcomes, released) };
  }
  const ended = targets.then(async (locked) => {
    const wanted = new Set(locked.filter(({ active }) => active).map(({ id }) => id));
    const outcomes = landed.map((each) =>
      outcomesOf(work, each, random(), wanted.has(each.flight.target.id)),
    );
    const released = release(work, outcomes.flat());
    const [ends] = await Promise.all([
      write(work, targets, landed, outcomes, released),
      postponeFollowers(work, outcomes.flat()),
    ]);
    return ends;
  });
  return { released: ended.then(() => undefined), ended };
}

async function write(
  work: Work,
  targets: Promise<LockedTarget[]>,
  landed: readonly Landed[],
  outcomes: readonly Outcome[][],
  released: Promise<ReadonlySet<number>>,
): Promise<DeliveryEnd[]> {
  const [locked, mine] = await Promise.all([targets, released]);
  await Promise.all([
    writeDeliveries(
      work,
      landed.flatMap(({ attempted }, i) =>
        (outcomes[i] ?? [])
          .filter(({ delivery }) => mine.has(delivery.seq))
          .map((outcome) => ({ ...outcome, attempted })),
      ),
    ),
    judgeTargets(work, locked, landed),
  ]);
  return landed.flatMap(({ flight, attempted }, i) =>
    (outcomes[i] ?? []).flatMap(({ delivery, state }): DeliveryEnd[] => {
      if (state === 'pending' || state === 'cancelled') return [];
      if (delivery.incident_id === null || !mine.has(delivery.seq)) return [];
      return [
        {
          orgId: flight.orgId,
          incidentId: delivery.incident_id,
          target: flight.target.name,
          event: delivery.event,
          ok: state === 'delivered',
          error: attempted.error,
          others: flight.deliveries.length - 1,
          at: work.now,
        },
      ];
    }),
  );
}

/** What one try means for each of the deliveries it told of. They are tried again together, while their target is wanted. */
function outcomesOf(
  { now }: Work,
  { flight, attempted }: Landed,
  random: number,
  isWanted: boolean,
): Outcome[] {
  const { outcome } = attempted;
  if (outcome.kind === 'delivered')
    return flight.deliveries.map((delivery) => ({ delivery, state: 'delivered', retryAt: null }));
  const paging = WEBHOOK_FAMILIES[flight.target.kind] === 'paging';
  const next = flight.deliveries.map((delivery) => ({
    delivery,
    next: nextTry({ attempt: delivery.attempts, outcome, random, paging }),
  }));
  // The one that has waited longest says when: what came later goes along.
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

/** Takes them out of the queue, or has them wait again; answers those whose lease was still the one they were sent under. */
async function release({ tx }: Work, outcomes: readonly Outcome[]): Promise<ReadonlySet<number>> {
  // What was sent together came back together: there are few of these.
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
        ? sql<{ seq: number }>`DELETE FROM delivery_queue WHERE ${mine} RETURNING seq`
        : sql<{ seq: number }>`UPDATE delivery_queue SET leased_until = NULL, next_attempt_at = ${retryAt},
              attempts = attempts - ${uncounted ? 1 : 0}
            WHERE ${mine} RETURNING seq`
      ).execute(tx);
      return rows;
    }),
  );
  return new Set(released.flat().map(({ seq }) => seq));
}

/** What people see of them. Those of which the same is to be said are written with one statement. */
async function writeDeliveries(
  { tx, now }: Work,
  outcomes: readonly (Outcome & Pick<Landed, 'attempted'>)[],
): Promise<void> {
  const alike = Map.groupBy(outcomes, ({ delivery, state, retryAt, uncounted, attempted }) =>
    JSON.stringify([state, delivery.attempts, retryAt, uncounted, attempted.statusCode, attempted.error]),
  );
  await Promise.all(
    Array.from(alike.values(), async (same) => {
      const [{ delivery, state, retryAt, uncounted, attempted }] = same as [(typeof same)[number]];
      const these = madeAt(
        same.map((each) => each.delivery.id),
        same.map((each) => each.delivery.created_at),
      );
      await sql`
        UPDATE deliveries SET state = ${state}, attempts = ${delivery.attempts - (uncounted ? 1 : 0)}, next_attempt_at = ${retryAt},
          finished_at = ${state === 'pending' ? null : now}, status_code = ${attempted.statusCode},
          error = ${attempted.error}
        WHERE ${these}`.execute(tx);
    }),
  );
}

/** What stands behind a delivery that is tried again later is not due before it: it need not be looked at. */
async function postponeFollowers(work: Work, outcomes: readonly Outcome[]): Promise<void> {
  const lanes = new Map<string, Date>();
  for (const { delivery, retryAt } of outcomes)
    if (retryAt && !lanes.has(delivery.lane)) lanes.set(delivery.lane, retryAt);
  await Promise.all(
    Array.from(lanes, async ([lane, until]) => {
      const postponed = postponeLanes(work, [lane], until);
      if (groupOfLane(lane) !== null)
        await sql`UPDATE grouped_lanes SET not_before = ${until} WHERE lane = ${lane} AND not_before < ${until}`.execute(
          work.tx,
        );
      await postponed;
    }),
  );
}
