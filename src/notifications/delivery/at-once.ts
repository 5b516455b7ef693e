// Hands new deliveries to the worker of this process right after their commit, which saves the claim. They are leased in that
// transaction, so after a crash another worker sends them like any claimed delivery. This happens only while nothing else is
// being sent, when no order, limit or share (./claim.ts) can be violated. Otherwise the workers claim them.
import { sql } from 'kysely';
import { pipelined } from '#src/platform/db/pipelined.ts';
import { afterCommit, type Collector, sendUnawaited, type Work } from '#src/platform/work.ts';
import type { Target } from '../routing-data.ts';
import { LEASE_MS, MAX_PER_TARGET, tryLockClaims } from './claim.ts';
import { type Worker, wakeOwnWorkers, wakingOtherWorkers, workerOf } from './queue.ts';
import type { Attempt, Claimed, Content, Outgoing } from './send.ts';

/** A delivery of this unit of work. */
export type NewDelivery = Content & {
  id: string;
  orgId: string;
  lane: string;
  target: Target;
  /** It belongs to a group: only a claim knows what goes into its message, and when. */
  grouped: boolean;
};

export const atOnce: Collector<NewDelivery> = {
  name: 'deliveries',
  // Last, so that only the commit follows while the lock of claims is held.
  rank: 9,
  async flush(work, made) {
    const worker = workerOf(work.db);
    const isPlain = ({ target, grouped }: NewDelivery) => !grouped && !target.failing && !target.slow;
    // A message with an actor needs the person's current name, which a claim reads.
    const fits = made.length <= MAX_PER_TARGET && work.actor.kind !== 'user' && made.every(isPlain);
    if (worker === null || !fits) {
      sendUnawaited(work, wakingOtherWorkers());
      return afterCommit(work, wakeOwnWorkers);
    }
    // The commit follows right behind, without waiting for the answer.
    const leased = lease(work, made, worker.render(made.map(firstAttemptOf)));
    leased.catch(() => undefined);
    const send = (attempts: Attempt[]) => {
      if (attempts.length > 0) worker.take(attempts);
      if (attempts.length === made.length) return;
      wakeOwnWorkers();
      // Those of other processes look by themselves every few seconds, too.
      wakingOtherWorkers()
        .execute(work.db)
        .catch(() => undefined);
    };
    afterCommit(work, () => void leased.then(send));
  },
};

const firstAttemptOf = ({ id, body, actor, target }: NewDelivery): Outgoing => ({
  deliveryId: id,
  attempt: 1,
  events: [{ body, actor }],
  group: null,
  target,
});

async function lease(
  { tx, now }: Work,
  made: readonly NewDelivery[],
  rendered: ReturnType<Worker['render']>,
): Promise<Attempt[]> {
  const until = new Date(now.getTime() + LEASE_MS);
  const [, { rows }] = await pipelined(
    // Does not wait for a running claim. The next statement sees everything that earlier claims committed.
    () => tryLockClaims(tx),
    () =>
      sql<Claimed>`
      UPDATE delivery_queue q SET leased_until = ${until}, next_attempt_at = ${until}, attempts = attempts + 1
      WHERE current_setting('tocsin.claims_locked') = 'true'
        AND q.lane = ANY(${made.map(({ lane }) => lane)}::text[]) AND q.delivery_id = ANY(${made.map(({ id }) => id)}::text[])
        AND q.next_attempt_at <= ${now}
        AND NOT EXISTS (SELECT FROM delivery_queue l WHERE l.leased_until IS NOT NULL AND l.leased_until > ${now})
        AND NOT EXISTS (SELECT FROM delivery_queue e WHERE e.lane = q.lane AND e.seq < q.seq)
      RETURNING seq, delivery_id AS id, created_at, event_id, lane, attempts, leased_until`.execute(tx),
  );
  return rows.flatMap((claimed) => {
    const own = made.find(({ id }) => id === claimed.id);
    if (!own) return [];
    const { orgId, target, event, incident_id, body, actor } = own;
    const { id, name, kind, url, secretSealed, language } = target;
    return {
      orgId,
      orderingKey: claimed.lane,
      deliveries: [{ ...claimed, event, incident_id, body, actor }],
      target: { id, name, kind, url, secretSealed, language },
      group: null,
      rendered: rendered.get(claimed.id),
      slow: false,
    };
  });
}
