import { sql } from 'kysely';
import { clientBlock } from '#src/domain/client-block.ts';
import { DAY_MS, HOUR_MS } from '#src/domain/durations.ts';
import { emailAddress } from '#src/domain/email-address.ts';
import type { PageLanguage } from '#src/domain/names.ts';
import { advisoryLock } from '#src/platform/db/advisory-lock.ts';
import { newId } from '#src/platform/ids.ts';
import { refuse } from '#src/platform/refusals.ts';
import { hashToken } from '#src/platform/secrets.ts';
import type { Tx, Work } from '#src/platform/work.ts';
import { PAGE_MAILS_CHANNEL } from './make-mailing.ts';

/** Requests in an hour from one client, and for one page: beyond the limit nobody is mailed, and the client gets an error. */
const OF_A_CLIENT = 20;
const OF_A_PAGE = 500;
/** Confirmation mails in a day to one address, from all pages together. Beyond the limit none is sent, without an error. */
const TO_AN_ADDRESS = 3;
/** Confirmed subscribers of a page. */
export const MAX_SUBSCRIBERS = 10_000;

export type Subscription = {
  pageId: string;
  email: string;
  language: PageLanguage;
  /** The client that asked. */
  client: string;
};

/**
 * Stores a request for the mails of a page, and mails the address a link to confirm it. Does the same whether or not the
 * address is known, so that nobody learns who subscribed. Refuses an invalid address (400), too many requests of a client or
 * for a page (429), and a full page (409).
 */
export async function subscribe(
  work: Work,
  { pageId, email: given, language, client }: Subscription,
): Promise<void> {
  const { tx, now } = work;
  const email =
    emailAddress(given) ??
    refuse('invalid_request', 'email is not a valid e-mail address.', { field: 'email' });
  const hash = hashToken(email);
  const block = clientBlock(client);
  await lockSubscribers(tx, pageId);
  await advisoryLock(tx, `subscriptions to ${hash.toString('hex')}`);
  const asked = await countRequests(tx, { pageId, hash, block, now });
  if (asked.of_client >= OF_A_CLIENT || asked.of_page >= OF_A_PAGE)
    refuse('rate_limited', 'Too many subscriptions were asked for within the hour. Try again later.', {
      retryAfterSeconds: 3600,
    });
  await refuseFull(tx, pageId);
  await tx
    .insertInto('status_page_subscription_requests')
    .values({ status_page_id: pageId, address_hash: hash, client: block, at: now })
    .execute();
  if (asked.to_address >= TO_AN_ADDRESS) return;
  const subscriberId = await subscriberOf(work, pageId, email, language);
  await tx
    .insertInto('status_page_mails')
    .values({ mailing_no: null, subscriber_id: subscriberId, next_at: now })
    .execute();
  await sql`SELECT pg_notify(${PAGE_MAILS_CHANNEL}, '')`.execute(tx);
}

/** Until the end of the transaction: the number of subscribers of a page stays what it is. */
export const lockSubscribers = (tx: Tx, pageId: string): Promise<void> =>
  advisoryLock(tx, `subscriptions of ${pageId}`);

type Given = { pageId: string; hash: Buffer; block: string; now: Date };

async function countRequests(tx: Tx, { pageId, hash, block, now }: Given) {
  const hourAgo = new Date(now.getTime() - HOUR_MS);
  const { rows } = await sql<{ of_client: number; of_page: number; to_address: number }>`
    SELECT
      (SELECT count(*)::int FROM status_page_subscription_requests WHERE client = ${block} AND at > ${hourAgo}) AS of_client,
      (SELECT count(*)::int FROM status_page_subscription_requests WHERE status_page_id = ${pageId} AND at > ${hourAgo}) AS of_page,
      (SELECT count(*)::int FROM status_page_subscription_requests
        WHERE address_hash = ${hash} AND at > ${new Date(now.getTime() - DAY_MS)}) AS to_address`.execute(tx);
  return rows[0] ?? { of_client: 0, of_page: 0, to_address: 0 };
}

/** Applies to known addresses too, so that the answer does not reveal them. Unconfirmed addresses do not count. */
export async function refuseFull(tx: Tx, pageId: string): Promise<void> {
  const { count } = await tx
    .selectFrom('status_page_subscribers')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('status_page_id', '=', pageId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_SUBSCRIBERS)
    refuse('limit_reached', `This page has ${MAX_SUBSCRIBERS} subscribers and takes no more.`, {
      limit: MAX_SUBSCRIBERS,
    });
}

/** The subscriber with this address; a new one if there is none. */
async function subscriberOf(
  { tx, now }: Work,
  pageId: string,
  email: string,
  language: PageLanguage,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM status_page_subscribers WHERE status_page_id = ${pageId} AND lower(email) = ${email}`.execute(
    tx,
  );
  if (rows[0]) return rows[0].id;
  const id = newId('sub');
  await tx
    .insertInto('status_page_subscribers')
    .values({ id, status_page_id: pageId, email, language, created_at: now })
    .execute();
  return id;
}
