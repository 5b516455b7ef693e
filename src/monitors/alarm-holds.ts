// Announces a change: for a while, the alarms of incidents that open are held (docs/rules/confirmation.md#announced-changes).

import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import { DEFAULT_GRACE_SECONDS } from '../domain/alarm-gate.ts';
import { ALARM_GATE_ORIGINS } from '../domain/names.ts';
import { publishMonitor } from '../events/publish.ts';
import { endHoldsOf } from '../incidents/end-hold.ts';
import { checkedName } from '../platform/checked-name.ts';
import type { BodyOf, ReplyOf } from '../platform/contract.ts';
import { refuse } from '../platform/refusals.ts';
import { unix } from '../platform/unix.ts';
import type { Work } from '../platform/work.ts';
import type { announceChange as contract } from './contract.ts';
import { lockMonitor } from './update.ts';

/**
 * Holds for the gate's `grace_seconds`, or for `seconds` if that is shorter. 0 means that the change is over, and ends the
 * holds that were announced with this origin. An open incident is not held. Refuses an invalid origin (400), and one that is
 * not in the monitor's gate (409 `origin_not_in_gate`).
 */
export async function announceChange(
  work: Work,
  monitorId: string,
  { origin, seconds, name: given }: BodyOf<typeof contract>,
): Promise<ReplyOf<typeof contract>> {
  const { tx, now, actor } = work;
  if (!(ALARM_GATE_ORIGINS as readonly string[]).includes(origin))
    refuse('invalid_request', `origin must be one of ${ALARM_GATE_ORIGINS.join(', ')}.`, { field: 'origin' });
  const name = given == null ? null : checkedName(given);
  const monitor = await lockMonitor(work, monitorId);
  const gate = monitor.alarm_gate;
  if (!gate?.origins.includes(origin))
    refuse('origin_not_in_gate', `origin ${origin} is not in the alarm gate of this monitor.`, {
      field: 'origin',
    });

  const grace = gate.grace_seconds ?? DEFAULT_GRACE_SECONDS;
  const held = Math.min(seconds ?? grace, grace);
  const until = new Date(now.getTime() + held * 1000);
  if (seconds === 0) await endAnnounced(work, monitor.no, origin);
  else if (held > 0)
    await tx
      .insertInto('alarm_holds')
      .values({
        monitor_no: monitor.no,
        origin,
        held_by_name: name ?? actor.name,
        held_by_user_id: name === null && actor.kind === 'user' ? actor.id : null,
        held_until: until,
        created_at: now,
      })
      .execute();
  // Dashboards show which alarms are held, and why nobody would be told.
  publishMonitor(work, monitor.org_id, {
    monitor_id: monitorId,
    project_id: monitor.project_id,
    change: 'updated',
    last_status: monitor.last_status,
  });
  const shown = { held_until_unix: unix(until), origin };
  await recordActivity(work, {
    orgId: monitor.org_id,
    action: 'monitor.announce_change',
    resource: { kind: 'monitor', id: monitorId, name: monitor.name },
    after: { ...shown, ...(name === null ? {} : { name }) },
  });
  return shown;
}

async function endAnnounced({ tx, now, ...work }: Work, monitorNo: number, origin: string): Promise<void> {
  // The rows stay, because charts show announced changes.
  const { rows: ended } = await sql<{ until: Date; byName: string }>`
    WITH ended AS (
      SELECT no, held_until, held_by_name FROM alarm_holds
      WHERE monitor_no = ${monitorNo} AND origin = ${origin} AND held_until > ${now} FOR UPDATE
    )
    UPDATE alarm_holds h SET held_until = ${now} FROM ended WHERE h.no = ended.no
    RETURNING ended.held_until AS until, ended.held_by_name AS "byName"`.execute(tx);
  if (ended.length > 0) await endHoldsOf({ tx, now, ...work }, monitorNo, ended);
}
