// Mails the reports that are due. The row of a subscription is the stored work: it has the next month and its due time. One
// server at a time holds a subscription under a lease, and moves its month on once the mail is accepted.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { outlastsAttempt } from '#src/domain/attempt-time.ts';
import { isTimezone } from '#src/domain/cron.ts';
import { DAY_MS, MINUTE_MS } from '#src/domain/durations.ts';
import type { PageLanguage } from '#src/domain/names.ts';
import { mailedAt, monthAfter } from '#src/domain/report-month.ts';
import { recordPatiently } from '#src/platform/db/record-patiently.ts';
import { inTransaction } from '#src/platform/db/transaction.ts';
import type { Log } from '#src/platform/log.ts';
import { countMailing } from '#src/platform/mail/count-mailing.ts';
import { type Mail, MailFailure } from '#src/platform/mail/mail.ts';
import { startPolling } from '#src/platform/polling.ts';
import { Refusal } from '#src/platform/refusals.ts';
import { type Database, runWork, SYSTEM, type Tx } from '#src/platform/work.ts';
import { readLogo } from '#src/status-pages/public/logos.ts';
import type { ReportQuery, SubjectKind } from '../contract.ts';
import { fileNameOf } from '../file-name.ts';
import { makePdf } from '../pdf/make.ts';
import { readReport } from '../read.ts';
import { reportMail } from './report-mail.ts';
import { endSubscription } from './subscriptions.ts';
import { unsubscribeToken } from './unsubscribe-token.ts';

export type ReportMailOptions = {
  db: Database;
  clock: () => Date;
  log: Log;
  mail: Mail;
  /** Signs the unsubscribe links. */
  key: Buffer;
  /** Base address of links, without a slash at the end. */
  baseUrl: string;
};

type Due = {
  id: string;
  org_id: string;
  kind: SubjectKind;
  subject_id: string;
  timezone: string;
  period: string;
  attempts: number;
  leased_until: Date;
  email: string;
  language: PageLanguage;
};

/** Longer than making a report, its PDF and its mail takes: a server that holds the lease past this has died. */
const LEASE_MS = 10 * MINUTE_MS;
const PAUSES_MS = [5, 15, 60, 180, 360].map((minutes) => minutes * MINUTE_MS);
/** A report that has been tried for this long is given up; the next month follows. A late start does not shorten it. */
const GIVEN_UP_AFTER_MS = 3 * DAY_MS;
const POLL_EVERY_MS = MINUTE_MS;

/** Mails every report that is due, one after the other, and resolves when none is left. */
export async function sendDueReports(
  options: ReportMailOptions,
  isStopped: () => boolean = () => false,
): Promise<void> {
  for (;;) {
    const due = isStopped() ? null : await claim(options.db, options.clock());
    if (due === null) return;
    await sendOne(options, due, isStopped);
  }
}

/** Starts the sender of a process, which looks for due reports every minute. */
export function startReportMails(options: ReportMailOptions): { stop: () => Promise<void> } {
  let stopped = false;
  let polling: Promise<void> | null = null;
  const poll = () => {
    polling ??= sendDueReports(options, () => stopped)
      .catch((err: unknown) => options.log.warn({ err }, 'cannot mail reports; trying again'))
      .finally(() => {
        polling = null;
      });
  };
  const stopPolling = startPolling(poll, POLL_EVERY_MS);
  poll();
  return {
    async stop() {
      stopped = true;
      stopPolling();
      await polling;
    },
  };
}

async function claim(db: Database, now: Date): Promise<Due | null> {
  const { rows } = await sql<Due>`
    UPDATE report_subscriptions r SET next_try_at = ${new Date(now.getTime() + LEASE_MS)}, attempts = r.attempts + 1
    FROM users u, organizations o
    WHERE r.id = (SELECT id FROM report_subscriptions WHERE next_try_at <= ${now}
      ORDER BY next_try_at, id LIMIT 1 FOR UPDATE SKIP LOCKED) AND u.id = r.user_id AND o.id = r.org_id
    RETURNING r.id, r.org_id, r.kind, r.subject_id, r.timezone, r.period, r.attempts, r.next_try_at AS leased_until, u.email,
      coalesce(u.language, o.language) AS language`.execute(db);
  return rows[0] ?? null;
}

async function sendOne(options: ReportMailOptions, due: Due, isStopped: () => boolean): Promise<void> {
  const { db, clock, log, mail } = options;
  try {
    const message = await makeMessage(options, due);
    // A person who left or unsubscribed while the report was made gets none.
    if (!(await isWanted(db, due))) return;
    // Another server could send it, too: whoever claims it next does.
    if (!outlastsAttempt(due.leased_until, clock())) return;
    await mail.send(message);
    countMailing('report', 'sent');
    await recordPatiently(() => moveOn(db, clock(), due, null), isStopped);
  } catch (error) {
    if (isSubjectGone(error, due)) {
      log.info({ subscription: due.id }, 'the subject of a mailed report is gone; its subscription ends');
      await runWork(db, clock(), SYSTEM, (work) => endSubscription(work, due.org_id, due.id, due.subject_id));
      return;
    }
    const failureClass = error instanceof MailFailure ? error.failureClass : 'internal';
    log.warn(
      { subscription: due.id, failure_class: failureClass, err: error },
      'a report could not be mailed',
    );
    await failed(db, clock(), due, failureClass);
  }
}

/** Any other refusal is a failure of ours, such as a time zone that another server knows and this one does not: it ends nothing. */
const isSubjectGone = (error: unknown, { kind }: Due): boolean =>
  error instanceof Refusal && kind !== 'organization' && error.details.field === FILTERS[kind];

async function makeMessage({ db, clock, key, baseUrl }: ReportMailOptions, due: Due) {
  const { id, org_id: orgId, kind, subject_id: subjectId, timezone, period, language } = due;
  const filter: Partial<ReportQuery> = kind === 'organization' ? {} : { [FILTERS[kind]]: subjectId };
  const now = clock();
  const asking = { orgId, within: null, now, seesIncidents: true };
  const report = await readReport(db, { period, timezone, ...filter }, asking);
  const logo = kind === 'status_page' ? await readLogo(db, subjectId, 'light') : null;
  const drawn = logo !== null && DRAWN.includes(logo.type) ? Buffer.from(logo.body) : null;
  const bytes = await makePdf({ report, language, logo: drawn, at: now });
  const search = new URLSearchParams({ period, zone: timezone });
  if (kind !== 'organization') search.set(SEARCHED[kind], subjectId);
  const unsubscribeUrl = `${baseUrl}/report-mails/${unsubscribeToken(key, id)}`;
  const links = {
    report: `${baseUrl}/app/o/${encodeURIComponent(orgId)}/reports?${search}`,
    unsubscribe: unsubscribeUrl,
  };
  return {
    to: due.email,
    ...reportMail(report, language, links),
    // The same at every attempt, so that a mailbox that received it twice shows it once.
    name: `report.${createHash('sha256').update(`${baseUrl} ${id} ${period}`).digest('hex').slice(0, 32)}`,
    attachment: { name: fileNameOf(report, 'pdf'), type: 'application/pdf', bytes },
    unsubscribeUrl,
  };
}

const FILTERS = { project: 'project_id', tag: 'tag', status_page: 'status_page_id' } as const;
/** The subject as the page of reports writes it into its address. */
const SEARCHED = { project: 'project', tag: 'tag', status_page: 'page' } as const;
const DRAWN = ['image/png', 'image/jpeg'];

async function isWanted(db: Database, { id }: Due): Promise<boolean> {
  const { rows } = await sql`SELECT FROM report_subscriptions WHERE id = ${id}`.execute(db);
  return rows.length > 0;
}

/** Moves on to the next month, unless another server has already; `error`: this month was given up. */
function moveOn(db: Database, now: Date, { id, period }: Due, error: string | null): Promise<void> {
  const next = monthAfter(period);
  return inTransaction(db, async (tx) => {
    const timezone = await zoneNow(tx, id);
    if (timezone === null) return;
    await sql`
      UPDATE report_subscriptions SET period = ${next}, next_try_at = ${mailedAt(next, knownZone(timezone), id)}, attempts = 0,
        last_error = ${error}, last_sent_at = CASE WHEN ${error === null} THEN ${now}::timestamptz ELSE last_sent_at END
      WHERE id = ${id} AND period = ${period}`.execute(tx);
  });
}

/** In another zone, the month may not be over when the pause is. */
async function failed(db: Database, now: Date, due: Due, failureClass: string): Promise<void> {
  const { id, period, attempts } = due;
  const isLast = triedForMs(attempts) > GIVEN_UP_AFTER_MS;
  countMailing('report', isLast ? 'failed' : 'retried');
  if (isLast) return moveOn(db, now, due, failureClass);
  const pausedUntilMs = now.getTime() + pauseAfterMs(attempts);
  await inTransaction(db, async (tx) => {
    const timezone = await zoneNow(tx, id);
    if (timezone === null) return;
    const tryAt = new Date(Math.max(pausedUntilMs, mailedAt(period, knownZone(timezone), id).getTime()));
    await sql`
      UPDATE report_subscriptions SET next_try_at = ${tryAt}, last_error = ${failureClass}
      WHERE id = ${id} AND period = ${period}`.execute(tx);
  });
}

/** A zone that this server does not know must not hold up the reports of others. */
const knownZone = (timezone: string): string => (isTimezone(timezone) ? timezone : 'UTC');

/** The zone may have been changed since the subscription was claimed; from here on it waits. null: it has ended. */
async function zoneNow(tx: Tx, id: string): Promise<string | null> {
  const { rows } = await sql<{ timezone: string }>`
    SELECT timezone FROM report_subscriptions WHERE id = ${id} FOR NO KEY UPDATE`.execute(tx);
  return rows[0]?.timezone ?? null;
}

/** The pause after so many attempts. */
const pauseAfterMs = (attempts: number) => PAUSES_MS[Math.min(attempts, PAUSES_MS.length) - 1] ?? LEASE_MS;

/** The pauses between so many attempts. */
function triedForMs(attempts: number): number {
  let ms = 0;
  for (let attempt = 1; attempt < attempts; attempt++) ms += pauseAfterMs(attempt);
  return ms;
}
