// Shows who would be notified now, in which order and on which channels (docs/rules/on-call-and-alarms.md#who-would-be-notified).
// It uses the same plan as a starting alarm, and adds known problems of channels.
import { sql } from 'kysely';
import { inMaintenance } from '../conditions/maintenance.ts';
import { type AlarmChannel, planChain, type Reached, type Step } from '../domain/escalation.ts';
import {
  type ALARM_PLAN_WARNINGS,
  CHANNEL_FAMILIES,
  type ChannelName,
  type IncidentSeverity,
  type QUIET_REASONS,
} from '../domain/names.ts';
import { severityRankOf } from '../domain/severity-rank.ts';
import { isConcerned, type TargetFilter, type Traits } from '../domain/target-filter.ts';
import type { Database } from '../platform/work.ts';
import type { AlarmPlan } from './alarm-plan-contract.ts';
import { type OnCall, readOnCall } from './on-call-config.ts';

/** The event that targets get for a step; the mail and the reminder have none. */
const EVENT_OF_STEP: Partial<Record<Step, string>> = {
  start: 'opened',
  stage1: 'escalated',
  stage2: 'escalated',
};

type PlanStep = AlarmPlan['steps'][number];
type Warning = (typeof ALARM_PLAN_WARNINGS)[number];

export type Target = {
  id: string;
  name: string;
  kind: ChannelName;
  events: string[];
  active: boolean;
  failing: boolean;
} & TargetFilter;

/** The input for planning an organization's alarm chain. */
export type PlanInput = { onCall: OnCall; targets: readonly Target[] };

/** Reads the input of a plan. */
export async function readPlanInput(db: Database, orgId: string, now: Date): Promise<PlanInput> {
  const [onCall, targets] = await Promise.all([readOnCall(db, orgId, now), readTargets(db, orgId)]);
  return { onCall, targets };
}

/** The same, with only the targets that receive incidents of this monitor (docs/rules/notifications.md#routing). */
export const onlyConcernedTargets = (input: PlanInput, traits: Traits): PlanInput => ({
  ...input,
  targets: input.targets.filter((target) => isConcerned(target, traits)),
});

/** The values of a monitor that filters of targets use. */
export const traitsOf = (monitor: { project_id: string; tags: string[]; severity: string }): Traits => ({
  projectIds: [monitor.project_id],
  tags: monitor.tags,
  severityRank: severityRankOf({ severity: monitor.severity, severity_level: null }),
});

/** For a monitor that does not exist yet: critical, without tags, in a project that every filter accepts. */
const traitsOfNew = ({ targets }: PlanInput): Traits => ({
  projectIds: targets.flatMap(({ projectIds }) => projectIds),
  tags: [],
  severityRank: 1,
});

/** The chain of an alarm that would start at `now`, with the targets that are notified at each step. */
export function planAt({ onCall, targets }: PlanInput, now: Date) {
  const { rotation, administrators, settings } = onCall;
  return planChain(rotation, administrators, settings, now.getTime()).map((planned) => {
    const event = EVENT_OF_STEP[planned.step];
    return { ...planned, targets: targets.filter(({ events }) => event && events.includes(event)) };
  });
}

/** An incident that wakes nobody is sent only to webhook and chat targets, when it opens. */
const withoutAlarm = (planned: ReturnType<typeof planAt>) =>
  planned
    .filter(({ step }) => step === 'start')
    .map((start) => ({
      ...start,
      fallback: false,
      reaches: [],
      targets: start.targets.filter(({ kind }) => CHANNEL_FAMILIES[kind] !== 'paging'),
    }));

export type AlarmPlanQuery = {
  orgId: string;
  /** null: a new monitor. */
  monitorNo: number | null;
  /** Whether this installation has a mail server. */
  mail: boolean;
};

/** Who would be notified of an incident now, with warnings. */
export async function getAlarmPlan(
  db: Database,
  { orgId, monitorNo, mail }: AlarmPlanQuery,
  now: Date,
): Promise<AlarmPlan> {
  const [all, monitor] = await Promise.all([
    readPlanInput(db, orgId, now),
    monitorNo === null ? undefined : readMonitor(db, monitorNo, now),
  ]);
  // An example has no chain: it rings for the person who started it, and nobody is notified.
  if (monitor?.example) return { quiet: null, steps: [], warnings: [] };
  const input = onlyConcernedTargets(all, monitor ? traitsOf(monitor) : traitsOfNew(all));
  const quiet = monitor ? quietReason(monitor) : null;
  return alarmPlanOf(input, { quiet, mail, withPush: await subscribedOf(db, input, now) }, now);
}

/** The people of a chain that would start at `now` who have a browser that is pushed to. */
export const subscribedOf = (db: Database, input: PlanInput, now: Date): Promise<ReadonlySet<string>> =>
  subscribed(
    db,
    planAt(input, now).flatMap(({ reaches }) => reaches.map(({ userId }) => userId)),
  );

/** The state of the channels, beside the plan. */
export type Channels = {
  /** Why the incident would wake nobody; null: it would. */
  quiet: (typeof QUIET_REASONS)[number] | null;
  mail: boolean;
  withPush: ReadonlySet<string>;
};

/** The plan of an alarm that would start at `now`. */
export function alarmPlanOf(input: PlanInput, { quiet, mail, withPush }: Channels, now: Date): AlarmPlan {
  const planned = quiet === 'degraded' ? withoutAlarm(planAt(input, now)) : planAt(input, now);
  const problemOf = (userId: string, way: AlarmChannel) => {
    if (way === 'mail') return mail ? null : ('mail_not_configured' as const);
    return way === 'push' && !withPush.has(userId) ? ('no_push_subscription' as const) : null;
  };
  const personOf = ({ userId, by }: Reached) => ({
    user_id: userId,
    name: input.onCall.names.get(userId) ?? '',
    channels: by.map((channel) => {
      const problem = problemOf(userId, channel);
      return { channel, works: problem === null, problem };
    }),
  });
  const steps = planned.map(
    ({ step, afterMinutes, fallback, reaches, targets }): PlanStep => ({
      step,
      after_minutes: afterMinutes,
      fallback,
      people: reaches.filter(({ by }) => by.length > 0).map(personOf),
      targets: targets.map(showTarget),
    }),
  );
  return {
    quiet,
    steps: steps.filter(
      ({ step, people, targets }) => step === 'start' || people.length + targets.length > 0,
    ),
    warnings: warningsOf(steps, mail).filter((warning) => quiet !== 'degraded' || warning === 'nobody'),
  };
}

function showTarget({ id, name, kind, active, failing }: Target): PlanStep['targets'][number] {
  const problem = active ? (failing ? 'failing' : null) : 'switched_off';
  return { target_id: id, name, kind, works: problem === null, problem };
}

/** The loud alarm rings only in open dashboards, so alone it does not count as reaching anybody. */
function warningsOf(steps: readonly PlanStep[], mail: boolean): Warning[] {
  const people = steps.flatMap((step) => step.people);
  const reachesBy = (way: AlarmChannel) =>
    people.some(({ channels }) => channels.some(({ channel, works }) => channel === way && works));
  const hasTarget = steps.some(({ targets }) => targets.some(({ works }) => works));
  const warnings: Record<Warning, boolean> = {
    nobody: !hasTarget && !reachesBy('mail') && !reachesBy('push'),
    mail_not_configured: !mail,
    no_push_subscription: !reachesBy('push'),
    one_person: new Set(people.map(({ user_id }) => user_id)).size < 2,
  };
  return (Object.keys(warnings) as Warning[]).filter((warning) => warnings[warning]);
}

async function readTargets(db: Database, orgId: string): Promise<Target[]> {
  const rows = await db
    .selectFrom('webhook_targets')
    .select([
      'id',
      'name',
      'kind',
      'events',
      'active',
      'failing_since',
      'project_ids',
      'tags',
      'min_severity',
    ])
    .where('org_id', '=', orgId)
    .orderBy('name')
    .orderBy('id')
    .execute();
  return rows.map(({ failing_since, kind, project_ids, min_severity, ...row }) => ({
    ...row,
    projectIds: project_ids,
    minSeverity: min_severity as IncidentSeverity,
    kind: kind as ChannelName,
    failing: failing_since !== null,
  }));
}

async function subscribed(db: Database, userIds: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('push_subscriptions')
    .select('user_id')
    .distinct()
    .where('user_id', '=', sql<string>`ANY(${[...new Set(userIds)]}::text[])`)
    .execute();
  return new Set(rows.map(({ user_id }) => user_id));
}

type PlannedMonitor = {
  example: boolean;
  enabled: boolean;
  project_id: string;
  tags: string[];
  severity: string;
  maintained: boolean;
};

async function readMonitor(db: Database, monitorNo: number, now: Date): Promise<PlannedMonitor | undefined> {
  const { rows } = await sql<PlannedMonitor>`
    SELECT m.example, m.enabled, m.project_id, m.tags, m.severity,
      ${inMaintenance(sql`m.no`, sql`${now}::timestamptz`)} AS maintained
    FROM monitors m WHERE m.no = ${monitorNo}`.execute(db);
  return rows[0];
}

function quietReason({ enabled, severity, maintained }: PlannedMonitor) {
  if (!enabled) return 'disabled';
  // It outlasts any maintenance.
  if (severity === 'degraded') return 'degraded';
  return maintained ? 'maintenance' : null;
}
