import { sql } from 'kysely';
import { countAsNow, countFromNow, type SetBack } from '../platform/db/set-back.ts';
import type { Work } from '../platform/work.ts';

/**
 * The clock was set back: a hold that began meanwhile lasts as long as it was meant to, and no incident joins a storm of the future
 * (docs/rules/confirmation.md#a-clock-that-was-set-back). Holds that began before keep the end that people gave them.
 */
export async function rightIncidents(work: Work, setBack: SetBack): Promise<void> {
  const { now } = work;
  const beganMeanwhile = sql`EXISTS (SELECT FROM incident_timeline t
    WHERE t.incident_id = incidents.id AND t.kind = 'held' AND t.at > ${now}::timestamptz)`;
  await countFromNow(
    work,
    setBack,
    'incidents',
    ['alarm_held_until'],
    sql`status = 'open' AND ${beganMeanwhile}`,
  );
  await countFromNow(work, setBack, 'alarm_holds', ['held_until'], sql`created_at > ${now}::timestamptz`);
  await countAsNow(work, 'alarm_holds', ['created_at']);
  await countAsNow(work, 'incident_groups', ['opened_at', 'last_opened_at']);
}
