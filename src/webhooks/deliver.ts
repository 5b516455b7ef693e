// Delivers the head of a lane, then the next: at least once, in order, the same bytes and id on every try.
import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import { type DeliveryOutcome, nextTry } from '../domain/backoff.ts';
import { announcement } from '../platform/announcement.ts';
import type { Vault } from '../platform/secrets.ts';
import { type Database, runWork, SYSTEM, type Work } from '../platform/work.ts';
import { scheduleLane } from './lane.ts';
import { type Send, sendSigned } from './send.ts';

export type DeliverOptions = {
  db: Database;
  vault: Vault;
  send: Send;
  clock: () => Date;
  random: () => number;
};

/** A delivery ended: it arrived, or it never will without somebody's help. */
export const deliveryEnded = announcement<{
  orgId: string;
  incidentId: string;
  target: string;
  event: string;
  ok: boolean;
  error: string | null;
  at: Date;
}>();

/** Longer than the total time of a try: whoever holds a lease past it has died. */
const LEASE_MS = 30_000;

type Claimed = {
  id: string;
  created_at: Date;
  org_id: string;
  target_id: string;
  event: string;
  event_id: string;
  attempts: number;
  body: string;
  incident_id: string | null;
  url: string;
  target_name: string;
  secret_sealed: string;
};

/** Works a lane until it is empty, waits for a retry, or somebody else works it. */
export async function deliverLane(options: DeliverOptions, lane: string): Promise<void> {
  for (;;) {
    const claimed = await claim(options, lane);
    if (!claimed) return;
    const attempted = await sendSigned(options, {
      deliveryId: claimed.id,
      attempt: claimed.attempts,
      eventId: claimed.event_id,
      event: claimed.event,
      body: claimed.body,
      target: { id: claimed.target_id, url: claimed.url, secretSealed: claimed.secret_sealed },
    });
    const goesOn = await runWork(options.db, options.clock(), SYSTEM, (work) =>
      settle(work, options, claimed, lane, attempted),
    );
    if (!goesOn) return;
  }
}

/** Takes the head of the lane for LEASE_MS, in one statement. Deliveries of targets that are gone or off are dropped. */
async function claim({ db, clock }: DeliverOptions, lane: string): Promise<Claimed | null> {
  const now = clock();
  const { rows } = await sql<Claimed>`
    WITH head AS (
      SELECT id, created_at FROM deliveries WHERE lane = ${lane} AND state = 'pending' ORDER BY seq LIMIT 1 FOR UPDATE
    )
    UPDATE deliveries d SET leased_until = ${new Date(now.getTime() + LEASE_MS)}, attempts = d.attempts + 1
    FROM head, outbox o, webhook_targets t
    WHERE d.id = head.id AND d.created_at = head.created_at
      AND o.id = d.event_id AND t.id = d.target_id AND t.active
      AND (d.leased_until IS NULL OR d.leased_until < ${now}) AND d.next_attempt_at <= ${now}
    RETURNING d.id, d.created_at, d.org_id, d.target_id, d.event, d.event_id, d.attempts, o.body, o.incident_id,
      t.url, t.name AS target_name, t.secret_sealed`.execute(db);
  if (rows[0]) return rows[0];
  // Nothing was claimed: the lane is empty, waits, is being worked, or its target does not want it any more.
  await sql`
    UPDATE deliveries d SET state = 'cancelled', finished_at = ${now}, next_attempt_at = NULL
    WHERE d.lane = ${lane} AND d.state = 'pending'
      AND NOT EXISTS (SELECT FROM webhook_targets t WHERE t.id = d.target_id AND t.active)`.execute(db);
  await rescheduleIfWaiting(db, lane, now);
  return null;
}

/** A job that came early, or instead of the one that was waiting, puts the waiting one back. */
async function rescheduleIfWaiting(db: Database, lane: string, now: Date): Promise<void> {
  const head = await db
    .selectFrom('deliveries')
    .select('next_attempt_at')
    .where('lane', '=', lane)
    .where('state', '=', 'pending')
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
  const at = head?.next_attempt_at;
  if (at && at > now) await runWork(db, now, SYSTEM, (work) => scheduleLane(work.tx, lane, at));
}

/** Writes down what came of a try; true when the lane's next delivery may follow at once. */
async function settle(
  work: Work,
  { random }: DeliverOptions,
  claimed: Claimed,
  lane: string,
  {
    outcome,
    statusCode,
    error,
  }: { outcome: DeliveryOutcome; statusCode: number | null; error: string | null },
): Promise<boolean> {
  const { tx, now } = work;
  const ok = outcome.kind === 'delivered';
  const next = ok ? null : nextTry({ attempt: claimed.attempts, outcome, random: random() });
  const retryAt = next?.kind === 'retry' ? new Date(now.getTime() + next.inMs) : null;
  const state = ok ? 'delivered' : retryAt ? 'pending' : 'failed';
  await tx
    .updateTable('deliveries')
    .set({
      state,
      leased_until: null,
      next_attempt_at: retryAt,
      status_code: statusCode,
      error,
      finished_at: state === 'pending' ? null : now,
    })
    .where('id', '=', claimed.id)
    .where('created_at', '=', claimed.created_at)
    .execute();
  const kept = await tx
    .updateTable('webhook_targets')
    .set({
      last_delivery_at: now,
      last_delivery_ok: ok,
      last_error: error,
      ...(next?.kind === 'deactivate' ? { active: false } : {}),
    })
    .where('id', '=', claimed.target_id)
    .returning('id')
    .executeTakeFirst();
  if (kept && next?.kind === 'deactivate')
    await recordActivity(work, {
      orgId: claimed.org_id,
      action: 'webhook.deactivate',
      resource: { kind: 'webhook', id: claimed.target_id, name: claimed.target_name },
      after: { active: false, reason: error },
    });
  if (retryAt) await scheduleLane(tx, lane, retryAt);
  else if (claimed.incident_id !== null)
    await deliveryEnded.announce(work, {
      orgId: claimed.org_id,
      incidentId: claimed.incident_id,
      target: claimed.target_name,
      event: claimed.event,
      ok,
      error,
      at: now,
    });
  return retryAt === null;
}
