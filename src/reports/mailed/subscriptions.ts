// The caller's own subscriptions to reports by mail.
import { sql } from 'kysely';
import { recordActivity } from '#src/activity/record.ts';
import { canonicalZone, isTimezone } from '#src/domain/cron.ts';
import { mailedAt } from '#src/domain/report-month.ts';
import { monthAt } from '#src/domain/report-period.ts';
import type { BodyOf } from '#src/platform/contract.ts';
import { isId, newId } from '#src/platform/ids.ts';
import { notFound, refuse } from '#src/platform/refusals.ts';
import { unix } from '#src/platform/unix.ts';
import type { Database, Tx, Work } from '#src/platform/work.ts';
import type { SubjectKind } from '../contract.ts';
import { subjectOf } from '../subject.ts';
import { MAX_SUBSCRIPTIONS, type ReportSubscription, type subscribeToReport } from './contract.ts';

type Row = {
  id: string;
  kind: SubjectKind;
  subject_id: string;
  /** null: the project or status page was deleted; the subscription ends at its next turn. */
  name: string | null;
  timezone: string;
  period: string;
  next_try_at: Date;
  last_sent_at: Date | null;
  last_error: string | null;
  created_at: Date;
};

const COLUMNS = sql`r.id, r.kind, r.subject_id, r.timezone, r.period, r.next_try_at, r.last_sent_at, r.last_error,
  r.created_at, CASE r.kind WHEN 'organization' THEN o.name WHEN 'tag' THEN r.subject_id
    WHEN 'project' THEN (SELECT p.name FROM projects p WHERE p.id = r.subject_id AND p.org_id = o.id)
    ELSE (SELECT s.name FROM status_pages s WHERE s.id = r.subject_id AND s.org_id = o.id AND s.archived_at IS NULL)
  END AS name`;

function show({ id, kind, subject_id, name, timezone, period, ...row }: Row): ReportSubscription {
  return {
    id,
    subject: { kind, id: subject_id === '' ? null : subject_id, name: name ?? '' },
    timezone,
    next_period: period,
    next_at_unix: unix(row.next_try_at),
    last_sent_at_unix: row.last_sent_at && unix(row.last_sent_at),
    last_error: row.last_error,
    created_at_unix: unix(row.created_at),
  };
}

/** The caller's subscriptions in an organization, the oldest first. */
export async function listSubscriptions(
  db: Database | Tx,
  orgId: string,
  userId: string,
): Promise<ReportSubscription[]> {
  const { rows } = await sql<Row>`
    SELECT ${COLUMNS} FROM report_subscriptions r JOIN organizations o ON o.id = r.org_id
    WHERE r.org_id = ${orgId} AND r.user_id = ${userId} ORDER BY r.created_at, r.id`.execute(db);
  return rows.filter(({ name }) => name !== null).map(show);
}

/** Subscribes from the current month of the zone on; a second call for the same report only changes the zone. */
export async function subscribe(
  work: Work,
  orgId: string,
  userId: string,
  body: BodyOf<typeof subscribeToReport>,
): Promise<ReportSubscription> {
  const { tx, now } = work;
  const { timezone: asked = 'UTC', ...filter } = body;
  if (!isTimezone(asked))
    refuse('invalid_request', 'timezone must be the name of an IANA time zone, such as Europe/Berlin.', {
      field: 'timezone',
    });
  const timezone = canonicalZone(asked);
  const { kind, id: subjectId } = await subjectOf(tx, orgId, filter, null);
  // Under the lock of the membership, so that simultaneous requests cannot exceed the limit.
  const { rows: members } = await sql`
    SELECT FROM members WHERE org_id = ${orgId} AND user_id = ${userId} FOR NO KEY UPDATE`.execute(tx);
  if (members.length === 0) refuse('forbidden', 'You are not a member of this organization.');
  const own = await listSubscriptions(tx, orgId, userId);
  const known = own.find(({ subject }) => subject.kind === kind && subject.id === subjectId);
  if (known?.timezone === timezone) return known;
  if (!known && own.length >= MAX_SUBSCRIPTIONS)
    refuse('limit_reached', `You already get ${MAX_SUBSCRIPTIONS} reports by mail; end one first.`, {
      limit: MAX_SUBSCRIPTIONS,
    });
  const id = known?.id ?? newId('rps');
  // Whatever the new zone is, no month is mailed twice and none is left out.
  const period = known?.next_period ?? monthAt(now.getTime(), timezone);
  const dueAt = mailedAt(period, timezone, id);
  await sql`
    INSERT INTO report_subscriptions
      (id, org_id, user_id, kind, subject_id, timezone, period, next_try_at, created_at)
    VALUES (${id}, ${orgId}, ${userId}, ${kind}, ${subjectId ?? ''}, ${timezone}, ${period}, ${dueAt}, ${now})
    ON CONFLICT (org_id, user_id, kind, subject_id) DO UPDATE SET timezone = excluded.timezone,
      next_try_at = CASE WHEN report_subscriptions.attempts > 0
        THEN greatest(report_subscriptions.next_try_at, excluded.next_try_at) ELSE excluded.next_try_at END`.execute(
    tx,
  );
  const made = (await listSubscriptions(tx, orgId, userId)).find((each) => each.id === id);
  if (!made) return notFound('report subscription');
  await recordActivity(work, {
    orgId,
    action: known ? 'report_subscription.update' : 'report_subscription.create',
    resource: { kind: 'report_subscription', id, name: made.subject.name },
    ...(known ? { before: known } : {}),
    after: made,
  });
  return made;
}

/** Ends a subscription of the caller; 404 for one that belongs to somebody else. */
export async function unsubscribe(work: Work, orgId: string, userId: string, id: string): Promise<void> {
  const own = isId('rps', id) ? await listSubscriptions(work.tx, orgId, userId) : [];
  const before = own.find((each) => each.id === id);
  if (!before) notFound('report subscription');
  await endSubscription(work, orgId, before.id, before.subject.name);
}

/** Ends a subscription, whoever it belongs to: after a click on its link, or when its subject was deleted. */
export async function endSubscription(work: Work, orgId: string, id: string, name: string): Promise<void> {
  const { numDeletedRows } = await work.tx
    .deleteFrom('report_subscriptions')
    .where('id', '=', id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return;
  await recordActivity(work, {
    orgId,
    action: 'report_subscription.delete',
    resource: { kind: 'report_subscription', id, name },
  });
}
