import { sql } from 'kysely';
import { recordActivity } from '#src/activity/record.ts';
import { DAY_MS } from '#src/domain/durations.ts';
import { lockOrganization } from '#src/organizations/lock.ts';
import type { BodyOf } from '#src/platform/contract.ts';
import { newId } from '#src/platform/ids.ts';
import { notFound, refuse } from '#src/platform/refusals.ts';
import { unix } from '#src/platform/unix.ts';
import type { Tx, Work } from '#src/platform/work.ts';
import { refuseIneligible } from '../refuse-ineligible.ts';
import type { DrillRecord, startDrill as operation } from './contract.ts';
import { getDrill } from './record.ts';
import { beginDrill } from './steps.ts';

/** Drills of an organization within a day: each of them wakes people. */
export const MAX_DRILLS_PER_DAY = 10;

/**
 * Starts a drill for one person, or for the whole chain. `drill_running` while another one runs, `alarm_ringing` while a real
 * alarm does, `rate_limited` for the eleventh within a day, `invalid_request` for somebody who is no member.
 */
export async function startDrill(
  work: Work,
  orgId: string,
  body: BodyOf<typeof operation>,
): Promise<DrillRecord> {
  const { tx, now, actor } = work;
  const userId = body.user_id ?? null;
  // Concurrent starts wait here, and so does the beginning of a real alarm.
  if (!(await lockOrganization(tx, orgId))) notFound('organization');
  if (userId !== null) await refuseIneligible(tx, orgId, userId);
  await refuseWhileBusy(tx, orgId, now);
  const id = newId('drl');
  const by = actor.kind === 'user' ? actor.id : null;
  await tx
    .insertInto('fire_drills')
    .values({
      id,
      org_id: orgId,
      for_person: userId !== null,
      user_id: userId,
      started_at: now,
      started_by_user_id: by,
      started_by_key_name: actor.kind === 'key' ? actor.name : null,
    })
    .execute();
  const { no: alarmNo } = await tx
    .insertInto('alarms')
    .values({ org_id: orgId, started_at: now, drill_id: id })
    .returning('no')
    .executeTakeFirstOrThrow();
  const forPerson = userId !== null;
  const started = { startedAtUnix: unix(now), startedByName: actor.name };
  await beginDrill(work, { id, orgId, alarmNo, forPerson, userId, ...started });
  await recordActivity(work, {
    orgId,
    action: 'on_call.start_drill',
    resource: { kind: 'fire_drill', id, name: '' },
    after: { user_id: userId },
  });
  return getDrill(tx, orgId, id, by);
}

async function refuseWhileBusy(tx: Tx, orgId: string, now: Date): Promise<void> {
  const dayAgo = new Date(now.getTime() - DAY_MS);
  const { rows } = await sql<{ drilling: boolean; alarm: boolean; today: number; oldest: Date | null }>`
    SELECT coalesce(bool_or(ended_at IS NULL), false) AS drilling, count(*)::int AS today, min(started_at) AS oldest,
      EXISTS (SELECT FROM alarms WHERE org_id = ${orgId} AND ended_at IS NULL AND drill_id IS NULL) AS alarm
    FROM fire_drills WHERE org_id = ${orgId} AND (ended_at IS NULL OR started_at > ${dayAgo})`.execute(tx);
  const [row] = rows;
  if (row?.drilling) refuse('drill_running', 'A fire drill is running; stop it, or wait until it is over.');
  if (row?.alarm)
    refuse('alarm_ringing', 'A real alarm is running; take care of it before you start a fire drill.');
  if (row?.oldest && row.today >= MAX_DRILLS_PER_DAY)
    refuse('rate_limited', `An organization may start ${MAX_DRILLS_PER_DAY} fire drills within a day.`, {
      limit: MAX_DRILLS_PER_DAY,
      retryAfterSeconds: Math.max(1, Math.ceil((row.oldest.getTime() - dayAgo.getTime()) / 1000)),
    });
}
