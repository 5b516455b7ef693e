// Who is on duty, and the alarms that would reach nobody.
import { sql } from 'kysely';
import { type DutyPeriod, dutyAt, periodsFrom } from '../domain/rotation.ts';
import { alarmPlanOf, readPlanInput, subscribedOf } from '../on-call/alarm-plan.ts';
import type { OnCall } from '../on-call/on-call-config.ts';
import type { Database } from '../platform/work.ts';
import { MAX_UNNOTIFIED, type Overview } from './contract.ts';

/** Shifts ahead among which the next other person is looked for. */
const WEEKS_AHEAD = 8;

type OnCallState = { on_call: Overview['on_call']; unnotified: Overview['unnotified'] };

/** `mail`: whether this installation has a mail server. */
export async function readOnCallState(
  db: Database,
  orgId: string,
  mail: boolean,
  now: Date,
): Promise<OnCallState> {
  const input = await readPlanInput(db, orgId, now);
  const withPush = await subscribedOf(db, input, now);
  const { warnings } = alarmPlanOf(input, { quiet: null, mail, withPush }, now);
  // Incidents of these monitors wake nobody: only chats and webhooks receive them.
  const quiet = alarmPlanOf(input, { quiet: 'degraded', mail, withPush }, now);
  const all = warnings.includes('nobody');
  const some = !all && quiet.warnings.includes('nobody');
  return {
    on_call: onCallOf(input.onCall, now),
    unnotified: { all, warnings, ...(some ? await readQuiet(db, orgId) : { total: 0, monitors: [] }) },
  };
}

function onCallOf({ rotation, names }: OnCall, now: Date): Overview['on_call'] {
  const shown = ({ userId, fromMs, untilMs }: DutyPeriod) => ({
    name: userId === null ? null : (names.get(userId) ?? ''),
    user_id: userId,
    from_unix: unixOf(fromMs),
    until_unix: unixOf(untilMs),
  });
  const current = dutyAt(rotation, now.getTime());
  const next = rotation.active
    ? periodsFrom(rotation, now.getTime(), WEEKS_AHEAD).find(({ userId }) => userId !== current.userId)
    : undefined;
  return { enabled: rotation.active, now: shown(current), next: next === undefined ? null : shown(next) };
}

const unixOf = (ms: number | null) => (ms === null ? null : Math.floor(ms / 1000));

async function readQuiet(db: Database, orgId: string) {
  const { rows } = await sql<{ id: string; name: string; total: number }>`
    SELECT id, name, (count(*) OVER ())::int AS total FROM monitors
    WHERE org_id = ${orgId} AND enabled AND NOT example AND severity = 'degraded' ORDER BY lower(name), no LIMIT ${MAX_UNNOTIFIED}`.execute(
    db,
  );
  return { total: rows[0]?.total ?? 0, monitors: rows.map(({ id, name }) => ({ id, name })) };
}
