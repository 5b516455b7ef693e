// The job that turns the announcements of a page into one mailing, with a mail for each subscriber it concerns.
import { sql } from 'kysely';
import { HOUR_MS, MINUTE_MS } from '#src/domain/durations.ts';
import { addJob } from '#src/platform/jobs/add-job.ts';
import type { Work } from '#src/platform/work.ts';
import { MAILING_TASK, mailingKey } from './announce.ts';
import type { Announcement } from './facts.ts';

/** PostgreSQL channel: mails are waiting. */
export const PAGE_MAILS_CHANNEL = 'tocsin_page_mails';

/**
 * A page with this many mailings in the last minutes mails once a minute: a storm does not cause a mail for each of its events.
 */
const MANY = 3;
const LATELY_MS = 5 * MINUTE_MS;
const PAUSE_MS = MINUTE_MS;
/** Entries of one mail; the rest goes into the next. */
const MAX_ENTRIES = 50;

/** Makes one mailing of everything that waits on a page. Does nothing without announcements. */
export async function makeMailing(work: Work, pageId: string): Promise<void> {
  const { tx, now } = work;
  // One at a time for each page, or two would mail the same.
  const { rows: page } = await sql`SELECT FROM status_pages WHERE id = ${pageId} FOR NO KEY UPDATE`.execute(
    tx,
  );
  if (page.length === 0) return;
  const { rows } = await sql<{ last: Date | null; lately: number }>`
    SELECT max(created_at) AS last, count(*)::int AS lately FROM status_page_mailings
    WHERE status_page_id = ${pageId} AND created_at > ${new Date(now.getTime() - LATELY_MS)}`.execute(tx);
  const [{ last, lately } = { last: null, lately: 0 }] = rows;
  const pausedUntil = last && lately >= MANY ? last.getTime() + PAUSE_MS : 0;
  if (pausedUntil > now.getTime()) return again(work, pageId, new Date(pausedUntil));

  const waiting = await takeAnnouncements(work, pageId);
  if (waiting.length === MAX_ENTRIES) await again(work, pageId, new Date(now.getTime() + PAUSE_MS));
  const announcements = waiting
    .filter(({ isShown }) => isShown)
    .map(({ isShown: _, ...announcement }) => announcement);
  if (announcements.length === 0) return;
  await sql`
    WITH mailing AS (
      INSERT INTO status_page_mailings (status_page_id, announcements, created_at)
      VALUES (${pageId}, ${JSON.stringify(announcements)}::jsonb, ${now}) RETURNING no
    )
    INSERT INTO status_page_mails (mailing_no, subscriber_id, next_at)
    SELECT mailing.no, s.id, ${now} FROM mailing, status_page_subscribers s
    WHERE s.status_page_id = ${pageId} AND s.confirmed_at IS NOT NULL AND (s.all_monitors OR ${concernsAll(announcements)}
      OR EXISTS (SELECT FROM status_page_subscriber_monitors m WHERE m.subscriber_id = s.id
        AND m.monitor_no = ANY(${monitorsOf(announcements)}::int[])))
    ORDER BY s.id`.execute(tx);
  await sql`SELECT pg_notify(${PAGE_MAILS_CHANNEL}, '')`.execute(tx);
}

const concernsAll = (announcements: readonly Announcement[]) =>
  announcements.some(({ monitorNos }) => monitorNos.length === 0);
const monitorsOf = (announcements: readonly Announcement[]) => [
  ...new Set(announcements.flatMap(({ monitorNos }) => monitorNos)),
];

type Waiting = Announcement & { isShown: boolean };

/**
 * An incident was discarded, or unlinked from the page, since it was announced, or a window is not public any more, or the page shows
 * none of its monitors.
 */
const isHidden = sql`(EXISTS (SELECT FROM incidents i WHERE i.id = facts ->> 'incident_id' AND (i.discarded
    OR NOT EXISTS (SELECT FROM incident_status_pages l WHERE l.incident_id = i.id
    AND l.status_page_id = a.status_page_id AND l.linked_at <= a.at)))
  OR EXISTS (SELECT FROM maintenance_windows w WHERE w.id = facts ->> 'window_id' AND NOT w.public_visible)
  OR (facts ? 'window_id' AND NOT EXISTS (SELECT FROM status_page_monitors m
    WHERE m.status_page_id = a.status_page_id AND m.monitor_no = ANY(a.monitor_nos))))`;

async function takeAnnouncements({ tx }: Work, pageId: string): Promise<Waiting[]> {
  const { rows } = await sql<Waiting & { no: string }>`
    DELETE FROM status_page_announcements a WHERE no IN (
      SELECT no FROM status_page_announcements WHERE status_page_id = ${pageId} ORDER BY no LIMIT ${MAX_ENTRIES})
    RETURNING no, kind, monitor_nos AS "monitorNos", facts, extract(epoch FROM at)::bigint AS "atUnix",
      NOT ${isHidden} AS "isShown"`.execute(tx);
  return rows
    .sort((a, b) => Number(a.no) - Number(b.no))
    .map(({ no: _, atUnix, ...waiting }) => ({ ...waiting, atUnix: Number(atUnix) }));
}

const again = ({ tx, now }: Work, pageId: string, runAt: Date) =>
  addJob(tx, { task: MAILING_TASK, payload: { page_id: pageId }, key: mailingKey(pageId), runAt, from: now });

/**
 * Deletes mailings whose mails were sent long ago, requests that no limit counts any more, and addresses that were never
 * confirmed.
 */
export async function forgetOldMailings(db: Work['db'], now: Date): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * 24 * HOUR_MS);
  await db.deleteFrom('status_page_mailings').where('created_at', '<', before(7)).execute();
  await db.deleteFrom('status_page_subscription_requests').where('at', '<', before(1)).execute();
  await db
    .deleteFrom('status_page_subscribers')
    .where('confirmed_at', 'is', null)
    .where('created_at', '<', before(7))
    .execute();
}
