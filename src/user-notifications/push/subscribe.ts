import { isIP } from 'node:net';
import { sql } from 'kysely';
import { recordActivity } from '#src/activity/record.ts';
import { networkAccess } from '#src/domain/network-policy.ts';
import { checkUrl } from '#src/domain/target.ts';
import type { BodyOf } from '#src/platform/contract.ts';
import { advisoryLock } from '#src/platform/db/advisory-lock.ts';
import { newId } from '#src/platform/ids.ts';
import { arePushKeys } from '#src/platform/push/push.ts';
import { notFound, refuse } from '#src/platform/refusals.ts';
import type { Database, Work } from '#src/platform/work.ts';
import type { createPushSubscription, PushSubscription } from '../contract.ts';
import { browserName } from './browser-name.ts';
import { type Subscription, showSubscription } from './subscriptions.ts';

export const MAX_SUBSCRIPTIONS = 20;

type Body = BodyOf<typeof createPushSubscription>;

/**
 * Stores a browser's subscription. The same endpoint again replaces the stored one, even another person's: somebody else is
 * signed in to the browser now. Where the browser says which endpoint it had before, that subscription of the person gets the
 * new one. `invalid_request` for an address that must not be sent to, for invalid keys, and for the 21st
 * browser.
 */
export async function subscribe(
  work: Work,
  userId: string,
  body: Body,
  { allowPrivate, userAgent }: { allowPrivate: boolean; userAgent: string | undefined },
): Promise<PushSubscription> {
  const { tx, now } = work;
  refuseEndpoint(body.endpoint, allowPrivate);
  if (!arePushKeys(body.keys))
    refuse('invalid_request', 'keys must be the keys that the browser gave: a point on P-256 and 16 bytes.', {
      field: 'keys',
    });
  // Locked, so that two requests cannot both store the twentieth.
  await advisoryLock(tx, `push subscriptions ${userId}`);
  await renameEndpoint(work, userId, body);
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM push_subscriptions
    WHERE user_id = ${userId} AND endpoint <> ${body.endpoint}`.execute(tx);
  if ((rows[0]?.n ?? 0) >= MAX_SUBSCRIPTIONS)
    refuse(
      'invalid_request',
      `endpoint would be your browser number ${MAX_SUBSCRIPTIONS + 1}; remove one that you do not use any more.`,
      { field: 'endpoint', limit: MAX_SUBSCRIPTIONS },
    );
  const written = {
    user_id: userId,
    p256dh: body.keys.p256dh,
    auth: body.keys.auth,
    browser: browserName(userAgent),
    created_at: now,
    last_success_at: null,
    last_error: null,
  };
  const row = await tx
    .insertInto('push_subscriptions')
    .values({ id: newId('psb'), endpoint: body.endpoint, ...written })
    .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(written))
    .returningAll()
    .executeTakeFirstOrThrow();
  await record(work, 'account.push_subscribe', row);
  return showSubscription(row);
}

/** The subscription of the endpoint that the browser had gets the one that it has, in place of what was stored there meanwhile. */
async function renameEndpoint({ tx }: Work, userId: string, { replaces, endpoint }: Body): Promise<void> {
  if (replaces === undefined || replaces === endpoint) return;
  const own = await tx
    .selectFrom('push_subscriptions')
    .select('id')
    .where('endpoint', '=', replaces)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (!own) return;
  await tx.deleteFrom('push_subscriptions').where('endpoint', '=', endpoint).execute();
  await tx.updateTable('push_subscriptions').set({ endpoint }).where('id', '=', own.id).execute();
}

/** Deletes a browser of a person; 404 for another person's. */
export async function unsubscribe(work: Work, userId: string, id: string): Promise<void> {
  const row = await work.tx
    .deleteFrom('push_subscriptions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst();
  if (!row) notFound('subscription');
  await record(work, 'account.push_unsubscribe', row);
}

/** Deletes every browser of a person; returns how many. */
export async function unsubscribeAll(work: Work, userId: string): Promise<number> {
  const rows = await work.tx
    .deleteFrom('push_subscriptions')
    .where('user_id', '=', userId)
    .returningAll()
    .execute();
  for (const row of rows) await record(work, 'account.push_unsubscribe', row);
  return rows.length;
}

/** A browser of a person; 404 for another person's. */
export async function subscriptionOf(db: Database, userId: string, id: string): Promise<Subscription> {
  const row = await db
    .selectFrom('push_subscriptions')
    .select(['id', 'endpoint', 'p256dh', 'auth'])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row ?? notFound('subscription');
}

/** The activity log does not contain the endpoint, which is a secret of the browser. */
const record = (work: Work, action: string, row: { id: string; browser: string }) =>
  recordActivity(work, {
    orgId: null,
    action,
    resource: { kind: 'push_subscription', id: row.id, name: row.browser },
  });

/**
 * Accepts https, and http for this machine if private addresses are allowed. The network policy checks literal addresses
 * here, and host names whenever a message is sent.
 */
function refuseEndpoint(endpoint: string, allowPrivate: boolean): void {
  const wrong = wrongWith(endpoint, allowPrivate);
  if (wrong !== null) refuse('invalid_request', `endpoint ${wrong}.`, { field: 'endpoint' });
}

function wrongWith(endpoint: string, allowPrivate: boolean): string | null {
  const checked = checkUrl(endpoint, { schemes: ['https', 'http'], allowSingleLabel: allowPrivate });
  if (!checked.ok) return 'must be the https address that the browser gave';
  const { protocol, hostname, username, password } = checked.url;
  const host = hostname.replace(/^\[|\]$/g, '');
  const isLoopback = host === 'localhost' || host === '::1' || /^127\.[\d.]+$/.test(host);
  if (protocol === 'http:' && !(isLoopback && allowPrivate)) return 'must be an https address';
  if (username !== '' || password !== '') return 'must not have a user or a password in it';
  if (isIP(host) !== 0 && !networkAccess(host, { allowPrivate }).allowed)
    return 'is an address that the network policy of this server does not allow';
  return null;
}
