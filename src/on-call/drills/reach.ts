// Notifies the people and targets of a drill's step with the senders of alarms, and records each notification.
import { sql } from 'kysely';
import type { Reached, Step } from '#src/domain/escalation.ts';
import type { ChannelName } from '#src/domain/names.ts';
import { publishDrill } from '#src/events/publish.ts';
import { openDrillText } from '#src/notifications/drill-text.ts';
import { enqueueDrill } from '#src/notifications/outbox.ts';
import type { Work } from '#src/platform/work.ts';
import { enqueueNotices, type NewNotice } from '#src/user-notifications/enqueue.ts';
import { addAudience } from '../alarm/loud-alarm.ts';
import { noticeDataOf, type RunningDrill } from './running.ts';

export type DrillTarget = { id: string; name: string; kind: ChannelName; active: boolean };

/** Notifies these people and targets, and records each; a notification that cannot be attempted fails at once. */
export async function reach(
  work: Work,
  drill: RunningDrill,
  step: Step,
  { reaches, targets }: { reaches: readonly Reached[]; targets: readonly DrillTarget[] },
): Promise<void> {
  const { orgId, alarmNo } = drill;
  const ways = reaches.flatMap(({ userId, by }) => by.map((channel) => ({ userId, channel })));
  const rung = ways.filter(({ channel }) => channel === 'loud_alarm');
  await addAudience(
    work,
    rung.map(({ userId }) => ({ alarmNo, userId })),
  );
  const data = { ...noticeDataOf(drill), stage: step };
  await enqueueNotices(
    work,
    ways.flatMap(({ userId, channel }): NewNotice[] =>
      channel === 'loud_alarm' ? [] : [{ orgId, userId, channel, alarmNo, kind: 'drill', data }],
    ),
  );
  await record(work, drill.id, step, [
    ...ways.map(({ userId, channel }) => ({ recipient_id: userId, user_id: userId, channel })),
    ...targets.map(({ id, name, kind, active }) => ({
      recipient_id: id,
      target_name: name,
      channel: kind,
      ...(active ? {} : { error: 'switched_off' }),
    })),
  ]);
  await enqueueDrill(
    work,
    orgId,
    { id: drill.id, state: 'open', text: openDrillText(drill.startedByName) },
    targets.map(({ id }) => id),
  );
  publishDrill(work, orgId, { drill_id: drill.id });
}

type NewReach = {
  recipient_id: string;
  user_id?: string;
  target_name?: string;
  channel: string;
  error?: string;
};

async function record(
  { tx, now }: Work,
  drillId: string,
  step: Step,
  all: readonly NewReach[],
): Promise<void> {
  if (all.length === 0) return;
  await sql`
    INSERT INTO fire_drill_reaches
      (drill_id, recipient_id, channel, user_id, target_name, step, at, state, settled_at, error)
    SELECT ${drillId}, r.recipient_id, r.channel, r.user_id, r.target_name, ${step}, ${now},
      CASE WHEN f.error IS NULL THEN 'waiting' ELSE 'failed' END,
      CASE WHEN f.error IS NOT NULL THEN ${now}::timestamptz END, f.error
    FROM jsonb_to_recordset(${JSON.stringify(all)}::jsonb)
      AS r (recipient_id text, user_id text, target_name text, channel text, error text)
    CROSS JOIN LATERAL (SELECT coalesce(r.error, CASE WHEN r.channel = 'push' AND NOT EXISTS (
      SELECT FROM push_subscriptions s WHERE s.user_id = r.user_id) THEN 'no_push_subscription' END) AS error) f
    ON CONFLICT DO NOTHING`.execute(tx);
}
