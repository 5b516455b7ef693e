// Who is on duty, and the alarms that would reach nobody.
import { sql } from 'kysely';
import { type DutyPeriod, dutyAt, periodsFrom } from '../domain/rotation.ts';
import { takesEverything } from '../domain/target-filter.ts';
import {
  alarmPlanOf,
  onlyConcernedTargets,
  type PlanInput,
  readPlanInput,
  subscribedOf,
  traitsOf,
} from '../on-call/alarm-plan.ts';
import type { OnCall } from '../on-call/on-call-config.ts';
import { pgArray } from '../platform/db/pg-array.ts';
import { unixOfMs } from '../platform/unix.ts';
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
  const all = warnings.includes('nobody');
  // Incidents of severity `degraded` wake nobody: only chats and webhooks receive them.
  const reachesNobody = (own: PlanInput, quiet: 'degraded' | null) =>
    alarmPlanOf(own, { quiet, mail, withPush }, now).warnings.includes('nobody');
  return {
    on_call: onCallOf(input.onCall, now),
    unnotified: { all, warnings, ...(all ? NONE : await readUnnotified(db, orgId, input, reachesNobody)) },
  };
}

function onCallOf({ rotation, names }: OnCall, now: Date): Overview['on_call'] {
  const shown = ({ userId, fromMs, untilMs }: DutyPeriod) => ({
    name: userId === null ? null : (names.get(userId) ?? ''),
    user_id: userId,
    from_unix: unixOfMs(fromMs),
    until_unix: unixOfMs(untilMs),
  });
  const current = dutyAt(rotation, now.getTime());
  const next = rotation.active
    ? periodsFrom(rotation, now.getTime(), WEEKS_AHEAD).find(({ userId }) => userId !== current.userId)
    : undefined;
  return { enabled: rotation.active, now: shown(current), next: next === undefined ? null : shown(next) };
}

type Unnotified = Pick<NonNullable<Overview['unnotified']>, 'total' | 'monitors'>;
const NONE: Unnotified = { total: 0, monitors: [] };

/** The enabled monitors that reach nobody, where most do reach somebody. Targets are looked at once for monitors that are alike. */
async function readUnnotified(
  db: Database,
  orgId: string,
  input: PlanInput,
  reachesNobody: (input: PlanInput, quiet: 'degraded' | null) => boolean,
): Promise<Unnotified> {
  const unfiltered = { ...input, targets: input.targets.filter(takesEverything) };
  const isQuietOnly = !reachesNobody(unfiltered, null);
  // Targets without a filter receive the incidents of every monitor.
  if (isQuietOnly && !reachesNobody(unfiltered, 'degraded')) return NONE;
  const { rows: alike } = await sql<{ project_id: string; tags: string[]; severity: string; nos: number[] }>`
    SELECT project_id, tags, severity, array_agg(no) AS nos FROM monitors
    WHERE org_id = ${orgId} AND enabled AND NOT example AND (NOT ${isQuietOnly} OR severity = 'degraded')
    GROUP BY project_id, tags, severity`.execute(db);
  const nos = alike.flatMap(({ nos, ...monitor }) => {
    const quiet = monitor.severity === 'degraded' ? 'degraded' : null;
    return reachesNobody(onlyConcernedTargets(input, traitsOf(monitor)), quiet) ? nos : [];
  });
  if (nos.length === 0) return NONE;
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT id, name FROM monitors WHERE org_id = ${orgId} AND no = ANY(${pgArray(nos)}::int[])
    ORDER BY lower(name), no LIMIT ${MAX_UNNOTIFIED}`.execute(db);
  return { total: nos.length, monitors: rows };
}
