// After a change of an alert profile or of the alarm standard, applies the new values to every monitor that inherits them.
import { sql } from 'kysely';
import { intervalInForce } from '../domain/check-interval.ts';
import type { ConfirmationState } from '../domain/confirmation-state.ts';
import type { Work } from '../platform/work.ts';
import { onlineForDecisions } from '../regions/liveness.ts';
import { assignInterval } from './assignments.ts';
import { INHERITED, inheritedFrom, type Levels, policyInForce } from './policy-levels.ts';
import { policyChanged } from './update.ts';

type Row = Levels & {
  no: number;
  state: ConfirmationState;
  interval_seconds: number;
  faster_since: Date | null;
};

/**
 * Decides open failures again, and sets the new check interval of monitors in trouble. All other monitors use the new values
 * from their next failing result on. States are locked in the order of their numbers.
 */
export async function applyInherited(
  work: Work,
  changed: { orgId: string; profileId: string | null; failedIntervalChanged: boolean },
): Promise<void> {
  const { orgId, profileId } = changed;
  const { rows } = await sql<Row>`
    SELECT m.no, s.state, s.faster_since, m.interval_seconds, m.policy, ${INHERITED}
    FROM monitor_state s JOIN monitors m ON m.no = s.monitor_no AND m.enabled ${inheritedFrom('m')}
    WHERE NOT s.calm AND m.org_id = ${orgId} AND (${profileId}::text IS NULL OR m.alert_profile_id = ${profileId})
    ORDER BY s.monitor_no FOR UPDATE OF s`.execute(work.tx);
  if (rows.length === 0) return;
  await policyChanged.run(work, { monitorNos: rows.map(({ no }) => no) });
  if (!changed.failedIntervalChanged) return;
  const online = [...(await onlineForDecisions(work.tx, work.now))];
  for (const row of rows) {
    const { failed_interval_seconds: failedIntervalSeconds } = policyInForce(row);
    const intervals = { intervalSeconds: row.interval_seconds, failedIntervalSeconds };
    const checkInterval = intervalInForce(row.state, online, intervals, row.faster_since?.getTime() ?? null);
    if (checkInterval.sinceMs !== null || row.faster_since !== null)
      await assignInterval(work, { monitorNo: row.no, ...checkInterval });
  }
}
