// Mails owners and admins about monitors without data: one mail for all that are silent at that moment, and one when the last
// of them reports again.
import { sql } from 'kysely';
import { cannotCheck } from '../domain/cannot-check.ts';
import { unix } from '../platform/unix.ts';
import type { Work } from '../platform/work.ts';
import { enqueueNotices, type SilenceNoticeData } from '../user-notifications/enqueue.ts';

/** A monitor is reported after this long without data, or after three of its intervals if that is longer. */
const MIN_SECONDS = 300;
const INTERVALS = 3;
/** Further monitors are mailed this long after the previous mail. */
const NOT_AGAIN_MS = 10 * 60_000;
/** The most monitors that a mail names. */
const MAX_NAMED = 20;

type Silent = { org_id: string; no: number; id: string; name: string; since: Date; cannot: string | null };

/** Condition on `monitors`, `monitor_state s` and `silences`: silent for long enough, of the time in which we looked. */
export const isLongSilent = (now: Date) => sql`
  greatest(silences.since, s.not_before, monitors.created_at, (SELECT storing_since FROM self_watch))
    < ${now}::timestamptz - make_interval(secs => greatest(${MIN_SECONDS}, ${INTERVALS} * monitors.interval_seconds)::float8)`;

/**
 * Condition on `monitors`: its agent is silent, and that is known otherwise. An `online` monitor of the same host is down, or
 * the host may be offline.
 */
export const OF_SILENT_HOST = sql`(monitors.type IN ('agent', 'service') AND EXISTS (
  SELECT FROM agents a JOIN agent_states h ON h.agent_no = a.no
  WHERE a.id = monitors.config ->> 'agent_id' AND h.silent_since IS NOT NULL AND (a.expected_offline OR EXISTS (
    SELECT FROM monitors o WHERE o.config ->> 'agent_id' = a.id AND o.type IN ('agent', 'service') AND o.enabled
      AND o.org_id = a.org_id AND o.config ->> 'metric' = 'online'))))`;

/** Tells each organization, or only this one, of monitors that fell silent, and of those that report again. */
export async function notifyOrganizations(work: Work, only: string | null = null): Promise<void> {
  for (const [orgId, silent] of await newlySilent(work))
    if (only === null || only === orgId) await notifySilent(work, orgId, silent);
  await notifyOver(work, only);
}

/** The organizations that `notifyOrganizations` has something to tell. */
export async function organizationsToNotify(work: Work): Promise<string[]> {
  const { rows } = await sql<{ org_id: string }>`SELECT t.org_id FROM troubles t WHERE ${IS_OVER}`.execute(
    work.tx,
  );
  return [...new Set([...(await newlySilent(work)).keys(), ...rows.map(({ org_id }) => org_id)])];
}

/** Condition on `troubles t`: an occasion of which no monitor is silent any more. */
const IS_OVER = sql`t.kind = 'no_data' AND t.ended_at IS NULL
  AND NOT EXISTS (SELECT FROM silences WHERE silences.trouble_no = t.no)`;

/** By organization, all that are silent and untold, where one of them has been for long. */
async function newlySilent({ tx, now }: Work): Promise<Map<string, Silent[]>> {
  const { rows } = await sql<Silent>`
    WITH untold AS (
      SELECT monitors.org_id, monitors.no, monitors.id, monitors.name, silences.since, silences.cannot_check AS cannot,
        ${isLongSilent(now)} AS long
      FROM silences JOIN monitors ON monitors.no = silences.monitor_no
      JOIN monitor_state s ON s.monitor_no = monitors.no
      WHERE silences.trouble_no IS NULL AND NOT ${OF_SILENT_HOST}
    )
    SELECT org_id, no, id, name, since, cannot FROM untold u
    WHERE EXISTS (SELECT FROM untold l WHERE l.org_id = u.org_id AND l.long)
      AND NOT EXISTS (SELECT FROM troubles t WHERE t.kind = 'no_data' AND t.subject = u.org_id
        AND t.notified_at > ${new Date(now.getTime() - NOT_AGAIN_MS)})
    ORDER BY org_id, since, name`.execute(tx);
  return Map.groupBy(rows, ({ org_id }) => org_id);
}

async function notifySilent(work: Work, orgId: string, silent: readonly Silent[]): Promise<void> {
  const { tx, now } = work;
  const [first] = silent;
  const remedies = new Set(silent.flatMap(({ cannot }) => cannotCheck(cannot) ?? []));
  const data: SilenceNoticeData = {
    monitors: silent.slice(0, MAX_NAMED).map(({ id, name }) => ({ id, name })),
    total: silent.length,
    since_unix: unix(first?.since ?? now),
    remedies: [...remedies],
  };
  await sql`
    WITH trouble AS (
      INSERT INTO troubles (kind, subject, org_id, data, began_at, notified_at)
      VALUES ('no_data', ${orgId}, ${orgId}, ${JSON.stringify(data)}::jsonb, ${first?.since ?? now}, ${now})
      RETURNING no
    )
    UPDATE silences SET trouble_no = trouble.no FROM trouble
    WHERE monitor_no = ANY(${silent.map(({ no }) => no)}::int[])`.execute(tx);
  await mail(work, orgId, 'monitors_silent', data);
}

/** Occasions of which no monitor is silent any more. One that was switched off or deleted meanwhile is not said to report. */
async function notifyOver(work: Work, only: string | null): Promise<void> {
  const { rows } = await sql<{ org_id: string; data: SilenceNoticeData; checked: string[] }>`
    UPDATE troubles t SET ended_at = ${work.now}, end_notified_at = ${work.now}
    WHERE ${IS_OVER} AND (${only}::text IS NULL OR t.org_id = ${only})
    RETURNING t.org_id, t.data,
      ARRAY(SELECT m.id FROM monitors m WHERE m.enabled AND (t.data -> 'monitors') @> jsonb_build_array(jsonb_build_object('id', m.id))
        AND m.org_id = t.org_id) AS checked`.execute(work.tx);
  for (const { org_id, data, checked } of rows) {
    const monitors = data.monitors.filter(({ id }) => checked.includes(id));
    const total = data.total - (data.monitors.length - monitors.length);
    if (total > 0) await mail(work, org_id, 'monitors_report', { ...data, monitors, total });
  }
}

async function mail(
  work: Work,
  orgId: string,
  kind: 'monitors_silent' | 'monitors_report',
  data: SilenceNoticeData,
): Promise<void> {
  const people = await work.tx
    .selectFrom('members')
    .select('user_id')
    .where('org_id', '=', orgId)
    .where('role', 'in', ['owner', 'admin'])
    .execute();
  await enqueueNotices(
    work,
    people.map(({ user_id }) => ({ orgId, userId: user_id, channel: 'mail', kind, data })),
  );
}
