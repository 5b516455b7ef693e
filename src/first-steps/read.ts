import { sql } from 'kysely';
import { CHANNEL_FAMILIES } from '../domain/names.ts';
import { getAlarmPlan } from '../on-call/alarm-plan.ts';
import type { AlarmPlan } from '../on-call/alarm-plan-contract.ts';
import type { Database, Work } from '../platform/work.ts';
import type { FirstSteps } from './contract.ts';

type StepsQuery = { orgId: string; userId: string; mail: boolean };

/** The first steps as the organization stands now: nothing is ticked off, so one that is undone comes back. */
export async function readFirstSteps(
  db: Database,
  { orgId, userId, mail }: StepsQuery,
  now: Date,
): Promise<FirstSteps> {
  const [plan, { rows }] = await Promise.all([
    getAlarmPlan(db, { orgId, monitorNo: null, mail }, now),
    sql<{ monitor: boolean; message: boolean; hidden: boolean }>`
      SELECT EXISTS (SELECT FROM monitors WHERE org_id = ${orgId} AND NOT example) AS monitor,
        EXISTS (SELECT FROM webhook_targets WHERE org_id = ${orgId} AND last_delivery_ok)
          OR EXISTS (SELECT FROM fire_drills d JOIN fire_drill_reaches r ON r.drill_id = d.id
            WHERE d.org_id = ${orgId} AND r.state = 'arrived') AS message,
        EXISTS (SELECT FROM members WHERE org_id = ${orgId} AND user_id = ${userId} AND first_steps_hidden_at IS NOT NULL)
          AS hidden`.execute(db),
  ]);
  const { monitor = false, message = false, hidden = false } = rows[0] ?? {};
  const steps: FirstSteps['steps'] = [
    { step: 'monitor', done: monitor },
    { step: 'channel', done: !plan.warnings.includes('nobody') },
    { step: 'person', done: reachesAPerson(plan) },
    { step: 'message', done: message },
  ];
  return { steps, done: steps.every(({ done }) => done), hidden };
}

/** By more than the loud alarm, which rings only where a dashboard is open. */
const reachesAPerson = ({ steps }: AlarmPlan): boolean =>
  steps.some(
    ({ people, targets }) =>
      people.some(({ channels }) =>
        channels.some(({ channel, works }) => works && channel !== 'loud_alarm'),
      ) || targets.some(({ kind, works }) => works && CHANNEL_FAMILIES[kind] === 'paging'),
  );

/** Hides them from a person. */
export async function hideFirstSteps({ tx, now }: Work, orgId: string, userId: string): Promise<void> {
  await tx
    .updateTable('members')
    .set({ first_steps_hidden_at: now })
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .execute();
}
