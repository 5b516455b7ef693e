// Keeps the health of targets: shown in the dashboard, mailed to administrators, and the reason for switching a target off.
import { type Selectable, sql } from 'kysely';
import { recordActivity } from '#src/activity/record.ts';
import { CHANNEL_FAMILIES, type ChannelName } from '#src/domain/names.ts';
import { judgeTries, type TargetHealth } from '#src/domain/target-health.ts';
import type { DB } from '#src/platform/db/tables.ts';
import { unix } from '#src/platform/unix.ts';
import type { Work } from '#src/platform/work.ts';
import { enqueueNotices } from '#src/user-notifications/enqueue.ts';
import { cancelWaiting } from './queue.ts';
import type { AttemptResult } from './send.ts';

/** An attempt that takes longer marks its target as slow, even when it arrives, since it occupies a slot. */
const SLOW_MS = 2_000;

export type LockedTarget = Pick<
  Selectable<DB['webhook_targets']>,
  'id' | 'org_id' | 'name' | 'kind' | 'active'
> & {
  failing_since: Date | null;
  recent_failures: Date[];
  warned_at: Date | null;
};

/** The targets of these attempts that still exist, locked. */
export async function lockTargets({ tx }: Work, results: readonly AttemptResult[]): Promise<LockedTarget[]> {
  const ids = [...new Set(results.map(({ attempt }) => attempt.target.id))];
  const { rows } = await sql<LockedTarget>`
    SELECT id, org_id, name, kind, active, failing_since, recent_failures, warned_at FROM webhook_targets
    WHERE id = ANY(${ids}::text[]) ORDER BY id FOR NO KEY UPDATE`.execute(tx);
  return rows;
}

/** Updates the health of targets after these attempts; mails owners and admins and switches targets off when due. */
export async function judgeTargets(
  work: Work,
  targets: readonly LockedTarget[],
  results: readonly AttemptResult[],
): Promise<void> {
  const { tx, now } = work;
  const alone = await failingAlone(work, targets, results);
  const judged = targets.flatMap((target) => {
    const tries = results.filter(
      ({ attempt, result }) => attempt.target.id === target.id && saysSomething(result),
    );
    const last = tries.at(-1);
    if (!last) return [];
    const paging = CHANNEL_FAMILIES[target.kind as ChannelName] === 'paging';
    const verdict = judgeTries(
      healthOf(target),
      tries.map(({ result: { outcome } }) => ({
        ok: outcome.kind === 'delivered',
        gone: outcome.kind === 'status' && outcome.status === 410,
        isOurs: isOurs(outcome) || (outcome.kind === 'network' && !alone.has(target.id)),
      })),
      { now, paging },
    );
    return [
      {
        target,
        verdict,
        ok: last.result.outcome.kind === 'delivered',
        error: last.result.error,
        slow: last.result.latencyMs > SLOW_MS,
      },
    ];
  });
  if (judged.length === 0) return;
  const rows = judged.map(({ target, verdict, ok, error, slow }) => ({
    id: target.id,
    ok,
    error,
    slow,
    since: verdict.health.failingSince,
    failures: verdict.health.recentFailures,
    warned: verdict.health.warnedAt,
    off: verdict.deactivate,
  }));
  await sql`
    UPDATE webhook_targets t SET last_delivery_at = ${now}, last_delivery_ok = r.ok, last_error = r.error,
      slow = r.slow, failing_since = r.since, recent_failures = r.failures, warned_at = r.warned, active = t.active AND NOT r.off,
      off_since = CASE WHEN t.active AND r.off THEN ${now} ELSE t.off_since END
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r
      (id text, ok boolean, error text, slow boolean, since timestamptz, failures timestamptz[], warned timestamptz, off boolean)
    WHERE t.id = r.id`.execute(tx);
  for (const { target, verdict, error } of judged) {
    if (!target.active || verdict.deactivate) await cancelWaiting(work, target.id);
    if (!target.active || !(verdict.warn || verdict.deactivate)) continue;
    const kind = verdict.deactivate ? 'target_deactivated' : 'target_failing';
    await mailAdministrators(work, target, kind, verdict.health.failingSince ?? now, error ?? 'failed');
    if (verdict.deactivate) await recordSwitchedOff(work, target, error);
  }
}

/** An attempt that this machine could not make, or a message without a request, says nothing about the target. */
const saysSomething = ({ outcome, statusCode }: AttemptResult['result']): boolean =>
  outcome.kind !== 'not_tried' && (outcome.kind !== 'delivered' || statusCode !== null);

/** Our own software, its key or this machine kept the message from being sent. */
const isOurs = (outcome: Outcome): boolean =>
  outcome.kind === 'unsendable' || (outcome.kind === 'network' && outcome.isOurs === true);

type Outcome = AttemptResult['result']['outcome'];

/**
 * Of the targets that gave no answer, those that are at fault themselves: since their administrators were notified that they fail,
 * another address has answered this installation, or none was tried. Where others were tried and none answered, our network, name
 * servers or clock may be at fault.
 */
async function failingAlone(
  { tx }: Work,
  targets: readonly LockedTarget[],
  results: readonly AttemptResult[],
): Promise<ReadonlySet<string>> {
  const silent = new Set(
    results.flatMap(({ attempt, result }) => (result.outcome.kind === 'network' ? [attempt.target.id] : [])),
  );
  const ids = targets.filter(({ id, warned_at }) => warned_at && silent.has(id)).map(({ id }) => id);
  if (ids.length === 0) return new Set();
  const host = (url: string) => sql.raw(`split_part(split_part(${url}, '://', 2), '/', 1)`);
  const { rows } = await sql<{ id: string }>`
    SELECT t.id FROM webhook_targets t CROSS JOIN LATERAL (
      SELECT count(*) AS tried, count(*) FILTER (WHERE o.last_delivery_ok OR o.last_error ~ ' [0-9]{3}$') AS answered
      FROM webhook_targets o WHERE o.last_delivery_at >= t.warned_at AND ${host('o.url')} <> ${host('t.url')}) others
    WHERE t.id = ANY(${ids}::text[]) AND (others.tried = 0 OR others.answered > 0
      OR EXISTS (SELECT FROM push_subscriptions p WHERE p.last_success_at >= t.warned_at))`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

const healthOf = ({ failing_since, recent_failures, warned_at }: LockedTarget): TargetHealth => ({
  failingSince: failing_since,
  recentFailures: recent_failures,
  warnedAt: warned_at,
});

async function recordSwitchedOff(work: Work, target: LockedTarget, error: string | null): Promise<void> {
  await recordActivity(work, {
    orgId: target.org_id,
    action: 'webhook.deactivate',
    resource: { kind: 'webhook', id: target.id, name: target.name },
    after: { active: false, reason: error },
  });
}

async function mailAdministrators(
  work: Work,
  target: LockedTarget,
  kind: 'target_failing' | 'target_deactivated',
  since: Date,
  error: string,
): Promise<void> {
  const people = await work.tx
    .selectFrom('members')
    .select('user_id')
    .where('org_id', '=', target.org_id)
    .where('role', 'in', ['owner', 'admin'])
    .execute();
  await enqueueNotices(
    work,
    people.map(({ user_id }) => ({
      orgId: target.org_id,
      userId: user_id,
      channel: 'mail',
      kind,
      data: {
        target_id: target.id,
        target_name: target.name,
        target_kind: target.kind,
        since_unix: unix(since),
        error,
      },
    })),
  );
}
