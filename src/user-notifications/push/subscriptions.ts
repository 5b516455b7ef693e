// The browsers in which people get web push.
import { type Selectable, sql } from 'kysely';
import type { DB } from '#src/platform/db/tables.ts';
import type { PushAddress, PushOutcome } from '#src/platform/push/push.ts';
import { unix, unixOrNull } from '#src/platform/unix.ts';
import type { Database, Tx } from '#src/platform/work.ts';
import type { PushSubscription } from '../contract.ts';

export type Subscription = PushAddress & { id: string };

export function showSubscription(row: Selectable<DB['push_subscriptions']>): PushSubscription {
  return {
    id: row.id,
    browser: row.browser,
    created_at_unix: unix(row.created_at),
    last_success_at_unix: unixOrNull(row.last_success_at),
    last_error: row.last_error,
  };
}

/** Oldest first. */
export async function listSubscriptions(db: Database | Tx, userId: string): Promise<PushSubscription[]> {
  const rows = await db
    .selectFrom('push_subscriptions')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(showSubscription);
}

/** The browsers that messages for a person are sent to. */
export async function subscriptionsOf(db: Database, userId: string): Promise<Subscription[]> {
  return db
    .selectFrom('push_subscriptions')
    .select(['id', 'endpoint', 'p256dh', 'auth'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
}

/**
 * Records the outcome of an attempt. A browser that has unsubscribed is deleted, unless it has subscribed again meanwhile
 * with other keys.
 */
export async function noteOutcome(
  db: Database,
  now: Date,
  { id, p256dh }: Subscription,
  outcome: PushOutcome,
): Promise<void> {
  if (outcome.kind === 'not_tried') return;
  if (outcome.kind === 'gone')
    await db.deleteFrom('push_subscriptions').where('id', '=', id).where('p256dh', '=', p256dh).execute();
  else if (outcome.kind === 'accepted')
    await sql`
      UPDATE push_subscriptions SET last_success_at = ${now}, last_error = NULL WHERE id = ${id}`.execute(db);
  else await sql`UPDATE push_subscriptions SET last_error = ${outcome.error} WHERE id = ${id}`.execute(db);
}
