// Sends the mails of status pages, in slots of their own, so that they never delay mails that wake people.
import { sql } from 'kysely';
import { outlastsAttempt } from '#src/domain/attempt-time.ts';
import type { PageLanguage } from '#src/domain/names.ts';
import type { Listener } from '#src/platform/db/listener.ts';
import { recordPatiently } from '#src/platform/db/record-patiently.ts';
import type { Log } from '#src/platform/log.ts';
import { countMailing } from '#src/platform/mail/count-mailing.ts';
import { type Mail, MailFailure } from '#src/platform/mail/mail.ts';
import { startPolling } from '#src/platform/polling.ts';
import type { Database } from '#src/platform/work.ts';
import { IS_SHOWN } from './announce.ts';
import type { Announcement } from './facts.ts';
import { confirmMail, knownMail, newsMail, type Recipient } from './mails.ts';
import { PAGE_MAILS_CHANNEL } from './make-mailing.ts';
import { makeToken } from './tokens.ts';

export type PageMailsOptions = {
  db: Database;
  clock: () => Date;
  log: Log;
  mail: Mail;
  key: Buffer;
  baseUrl: string;
  /** The port of custom domains in addresses; see DomainSettings. */
  edgePort: string;
};

/** The most mails of a process at a time. */
const AT_ONCE = 4;
/** Mails of a mailing from which those are chosen: another server may be claiming the first ones. */
const CANDIDATES = 4 * AT_ONCE;
/** Longer than an attempt may take: a sender that holds a mail past this has died. */
const LEASE_MS = 30_000;
/** Pauses between the attempts of one mail; after the last one it is given up. */
const PAUSES_MS = [60_000, 300_000, 1_800_000, 7_200_000, 28_800_000] as const;
/** Consecutive mails that a server refuses permanently: the subscription ends with the fifth. */
const MAX_BOUNCES = 5;
const MAX_POLL_MS = 10_000;

type Claimed = {
  no: number;
  attempts: number;
  leased_until: Date;
  subscriber_id: string;
  email: string;
  language: PageLanguage;
  confirmed: boolean;
  /** null: all. */
  chosen: number[] | null;
  page_name: string;
  slug: string;
  /** A domain of the page with https; null if there is none. */
  domain: string | null;
  timezone: string;
  announcements: Announcement[] | null;
  /** Public labels of the page's monitors by their numbers. */
  labels: Record<string, string>;
};

/** Sends every mail that is due, and resolves when none is left. */
export async function sendPageMails(
  options: PageMailsOptions,
  isStopped: () => boolean = () => false,
): Promise<void> {
  for (;;) {
    const claimed = isStopped() ? [] : await claim(options.db, options.clock());
    if (claimed.length === 0) return;
    // All of them, also if one fails: the next ones take their places.
    const sent = await Promise.allSettled(claimed.map((mail) => sendOne(options, mail, isStopped)));
    const failure = sent.find(({ status }) => status === 'rejected');
    if (failure) throw (failure as PromiseRejectedResult).reason;
  }
}

/** Starts the sender of a process. It looks after a commit that stores mails, and every 10 s. */
export function startPageMails(options: PageMailsOptions, listener: Listener): { stop: () => Promise<void> } {
  let stopped = false;
  let again = false;
  let polling: Promise<void> | null = null;
  const poll = () => {
    if (stopped) return;
    again = polling !== null;
    polling ??= sendPageMails(options, () => stopped)
      .catch((err: unknown) =>
        options.log.warn({ err }, 'cannot send the mails of status pages; trying again'),
      )
      .finally(() => {
        polling = null;
        if (again) poll();
      });
  };
  const stopPolling = startPolling(poll, MAX_POLL_MS);
  listener.listen(PAGE_MAILS_CHANNEL, poll);
  poll();
  return {
    async stop() {
      stopped = true;
      stopPolling();
      await polling;
    },
  };
}

/**
 * Claims mails that are due: those that confirm an address first, then organizations in turn. A mailing to thousands does not hold
 * up the mail of another page.
 */
async function claim(db: Database, now: Date): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    WITH RECURSIVE mailing (no) AS (
      SELECT min(mailing_no) FROM status_page_mails
      UNION ALL
      SELECT (SELECT min(m.mailing_no) FROM status_page_mails m WHERE m.mailing_no > mailing.no)
      FROM mailing WHERE mailing.no IS NOT NULL
    ), waiting AS (
      (SELECT m.no, 0 AS place FROM status_page_mails m JOIN status_page_subscribers s ON s.id = m.subscriber_id
        JOIN status_pages p ON p.id = s.status_page_id
        WHERE m.mailing_no IS NULL AND m.next_at <= ${now} AND ${IS_SHOWN} ORDER BY m.next_at, m.no LIMIT ${CANDIDATES})
      UNION ALL
      SELECT first.no, row_number() OVER (PARTITION BY p.org_id ORDER BY first.next_at, first.no) AS place
      FROM mailing JOIN status_page_mailings g ON g.no = mailing.no JOIN status_pages p ON p.id = g.status_page_id
      CROSS JOIN LATERAL (SELECT m.no, m.next_at FROM status_page_mails m
        WHERE m.mailing_no = mailing.no AND m.next_at <= ${now} ORDER BY m.next_at, m.no LIMIT ${CANDIDATES}) first
      WHERE ${IS_SHOWN}
    ), due AS (
      SELECT m.no FROM status_page_mails m JOIN waiting ON waiting.no = m.no
      ORDER BY waiting.place, m.next_at, m.no LIMIT ${AT_ONCE} FOR UPDATE OF m SKIP LOCKED
    ), leased AS (
      UPDATE status_page_mails m SET attempts = attempts + 1, next_at = ${new Date(now.getTime() + LEASE_MS)}
      FROM due WHERE m.no = due.no RETURNING m.no, m.attempts, m.next_at, m.subscriber_id, m.mailing_no
    )
    SELECT l.no, l.attempts, l.next_at AS leased_until, s.id AS subscriber_id, s.email, s.language, s.confirmed_at IS NOT NULL AS confirmed,
      CASE WHEN NOT s.all_monitors THEN ARRAY(SELECT monitor_no FROM status_page_subscriber_monitors WHERE subscriber_id = s.id) END AS chosen,
      p.name AS page_name, p.slug, p.timezone, g.announcements,
      (SELECT domain FROM status_page_domains WHERE status_page_id = p.id AND status = 'verified' AND cert_status = 'issued'
        ORDER BY verified_at, id LIMIT 1) AS domain,
      coalesce((SELECT jsonb_object_agg(x.monitor_no, coalesce(x.display_name, m.name)) FROM status_page_monitors x
        JOIN monitors m ON m.no = x.monitor_no WHERE x.status_page_id = p.id), '{}') AS labels
    FROM leased l JOIN status_page_subscribers s ON s.id = l.subscriber_id
    JOIN status_pages p ON p.id = s.status_page_id
    LEFT JOIN status_page_mailings g ON g.no = l.mailing_no`.execute(db);
  return rows;
}

async function sendOne(options: PageMailsOptions, claimed: Claimed, isStopped: () => boolean): Promise<void> {
  const { db, clock, log, mail } = options;
  if (!outlastsAttempt(claimed.leased_until, clock())) return giveBack(db, claimed, clock());
  const failure = await attempt(mail, () => bodyOf(options, claimed), claimed);
  if (failure === null) return recordPatiently(() => done(db, claimed), isStopped);
  const { failureClass = 'internal' } = failure instanceof MailFailure ? failure : {};
  log.warn(
    { mail: claimed.no, failure_class: failureClass, err: failure },
    'a mail of a status page could not be sent',
  );
  await failed(db, claimed, failure, clock());
}

/** Another server could send it, too: nothing was tried. */
async function giveBack(db: Database, { no, leased_until }: Claimed, now: Date): Promise<void> {
  await sql`UPDATE status_page_mails SET next_at = ${now}, attempts = attempts - 1
    WHERE no = ${no} AND next_at = ${leased_until}`.execute(db);
}

/** Resolves to why the mail could not be sent; an error of our own counts like one of the mail server. */
async function attempt(
  mail: Mail,
  bodyOf: () => ReturnType<typeof newsMail> | null,
  { no, email }: Claimed,
): Promise<unknown> {
  try {
    const body = bodyOf();
    if (body === null) return null;
    await mail.send({ to: email, name: `status-page-mail-${no}`, ...body });
    countMailing('status_page', 'sent');
    return null;
  } catch (error) {
    return error;
  }
}

/** The mail, or null if nothing in it concerns this subscriber any more. */
function bodyOf({ key, baseUrl, edgePort }: PageMailsOptions, claimed: Claimed) {
  const { subscriber_id, email, language, page_name, slug, domain, timezone, chosen } = claimed;
  const manageUrl = `${baseUrl}/subscriptions/${makeToken(key, 'manage', subscriber_id)}`;
  const to: Recipient = {
    ...{ email, language, pageName: page_name, timezone, manageUrl },
    unsubscribeUrl: `${manageUrl}/unsubscribe`,
    pageUrl: domain === null ? `${baseUrl}/status/${slug}` : `https://${domain}${edgePort}/`,
  };
  if (claimed.announcements === null) {
    if (claimed.confirmed) return knownMail(to);
    return confirmMail(to, `${baseUrl}/subscriptions/confirm/${makeToken(key, 'confirm', subscriber_id)}`);
  }
  const own = claimed.announcements.filter(
    ({ monitorNos }) =>
      chosen === null || monitorNos.length === 0 || monitorNos.some((no) => chosen.includes(no)),
  );
  return own.length === 0 || !claimed.confirmed
    ? null
    : newsMail(to, own, (no) => claimed.labels[String(no)]);
}

async function done(db: Database, { no, subscriber_id }: Claimed): Promise<void> {
  await sql`
    WITH sent AS (DELETE FROM status_page_mails WHERE no = ${no})
    UPDATE status_page_subscribers SET bounces = 0 WHERE id = ${subscriber_id} AND bounces > 0`.execute(db);
}

/** A permanent refusal is one step to the end of the subscription. Any other mail is tried again, until it is given up. */
async function failed(db: Database, claimed: Claimed, failure: unknown, now: Date): Promise<void> {
  // A refused password, sender or message is no fault of the address.
  if (failure instanceof MailFailure && failure.refused === 'recipient') {
    await sql`
      WITH given_up AS (DELETE FROM status_page_mails WHERE no = ${claimed.no})
      UPDATE status_page_subscribers SET bounces = bounces + 1 WHERE id = ${claimed.subscriber_id}`.execute(
      db,
    );
    await db
      .deleteFrom('status_page_subscribers')
      .where('id', '=', claimed.subscriber_id)
      .where('bounces', '>=', MAX_BOUNCES)
      .execute();
    return countMailing('status_page', 'refused');
  }
  const pauseMs = PAUSES_MS[claimed.attempts - 1];
  if (pauseMs === undefined) await db.deleteFrom('status_page_mails').where('no', '=', claimed.no).execute();
  else
    await db
      .updateTable('status_page_mails')
      .set({ next_at: new Date(now.getTime() + pauseMs) })
      .where('no', '=', claimed.no)
      .execute();
  countMailing('status_page', pauseMs === undefined ? 'failed' : 'retried');
}
