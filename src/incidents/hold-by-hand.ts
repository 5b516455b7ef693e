import { recordActivity } from '../activity/record.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import { unixOrNull } from '../platform/unix.ts';
import type { Work } from '../platform/work.ts';
import { announceIncident } from './announce.ts';
import type { IncidentDetail } from './contract.ts';
import { cancelEndOfHolds, endHoldsAt, writeHolds } from './end-hold.ts';
import { lockIncident } from './lock.ts';
import { detailOf, type IncidentRow } from './queries.ts';
import { recordTimeline } from './timeline.ts';

/**
 * Holds the alarm chain of an open incident in the caller's name for `seconds` from now, replacing any other hold; 0 ends
 * every hold. Nothing changes for a closed incident, or when 0 is given and there is no hold.
 */
export async function holdIncident(
  work: Work,
  orgId: string,
  incidentId: string,
  seconds: number,
  within: ResourceFilter,
): Promise<IncidentDetail> {
  const { tx, now, actor } = work;
  const before = await lockIncident(work, orgId, incidentId, within);
  const isHeld = before.alarm_held_until !== null && before.alarm_held_until > now;
  if (before.status !== 'open' || (seconds === 0 && !isHeld)) return detailOf(before, now);

  const until = new Date(now.getTime() + seconds * 1000);
  const userId = actor.kind === 'user' ? actor.id : null;
  const hold = seconds === 0 ? null : { until, byName: actor.name, userId };
  const [row] = await writeHolds(tx, [{ incidentId, hold, byHand: true }]);
  if (!row) throw new Error('an incident that is locked is there');
  if (hold) await endHoldsAt(work, [{ incidentId, at: until }]);
  else await cancelEndOfHolds(tx, [incidentId]);
  await recordTimeline(work, [
    {
      incidentId,
      kind: hold ? 'held' : 'hold_ended',
      actorName: actor.name,
      detail: hold ? `the alarm is held by hand for ${seconds} s` : 'ended by hand',
    },
  ]);
  announceIncident(work, row, hold ? 'held' : 'hold_ended');
  await recordActivity(work, {
    orgId,
    action: hold ? 'incident.hold' : 'incident.end_hold',
    resource: { kind: 'incident', id: incidentId, name: row.cause },
    before: loggedHold(before),
    after: loggedHold(row),
  });
  return detailOf(row, now);
}

const loggedHold = (row: IncidentRow) => ({
  alarm_held_until_unix: unixOrNull(row.alarm_held_until),
  alarm_held_by_name: row.alarm_held_by_name,
});
