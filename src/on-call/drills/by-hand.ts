// Actions of people on a running fire drill.
import { sql } from 'kysely';
import { recordActivity } from '#src/activity/record.ts';
import type { Work } from '#src/platform/work.ts';
import { endDrill } from './end.ts';
import { lockDrill } from './running.ts';

/** Ends a drill in the caller's name; false if it was already over. */
export async function endDrillByHand(
  work: Work,
  orgId: string,
  id: string,
  outcome: 'acknowledged' | 'stopped',
): Promise<boolean> {
  const { actor } = work;
  const drill = await lockDrill(work, orgId, id);
  if (drill === null) return false;
  await endDrill(work, drill, outcome);
  await recordActivity(work, {
    orgId,
    action: outcome === 'acknowledged' ? 'on_call.acknowledge_drill' : 'on_call.stop_drill',
    resource: { kind: 'fire_drill', id, name: '' },
    before: { outcome: null },
    after: { outcome, by: actor.name },
  });
  return true;
}

/** Records that a dashboard of this person rings, if the drill rings for them. */
export async function confirmRings({ tx, now }: Work, id: string, userId: string): Promise<void> {
  await sql`
    UPDATE fire_drill_reaches SET state = 'arrived', settled_at = ${now}
    WHERE drill_id = ${id} AND recipient_id = ${userId} AND channel = 'loud_alarm' AND state = 'waiting'`.execute(
    tx,
  );
}
