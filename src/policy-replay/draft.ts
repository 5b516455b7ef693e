// The monitor that a replay is about, with the policy in force and the one that is tried: admitted as a write would admit it.
import { sql } from 'kysely';
import { readInherited } from '../alarm-policy/inherited.ts';
import { validateFailedInterval } from '../alarm-policy/validate-failed-interval.ts';
import { confirmationRules } from '../checks/confirmation-rules.ts';
import type { MonitorRules } from '../domain/confirmation.ts';
import { judgedFrom } from '../domain/no-region.ts';
import { effectiveAlarm } from '../domain/policy.ts';
import { mergePolicy } from '../monitors/candidate.ts';
import type { PolicyWrite } from '../monitors/contract.ts';
import { INHERITED, inheritedFrom, type Levels, levelsOf } from '../monitors/policy-levels.ts';
import { completeConfig } from '../monitors/row.ts';
import { rulesOf } from '../monitors/types.ts';
import { refuseForeignProfile, validatePolicy } from '../monitors/validate-policy.ts';
import { planLimits } from '../plans/plan.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import { refuseChangedReadOnly } from '../platform/read-only.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';

export type Drafted = {
  monitor: {
    no: number;
    id: string;
    name: string;
    type: string;
    orgId: string;
    /** Complete. */
    config: Record<string, unknown>;
    /** Earlier checks are of another target. */
    notBefore: Date;
  };
  rules: { now: MonitorRules; draft: MonitorRules };
  /** The days for which the plan shows single checks; null: all. */
  shownDays: number | null;
};

type Row = Levels & {
  no: number;
  id: string;
  name: string;
  type: string;
  org_id: string;
  config: Record<string, unknown>;
  interval_seconds: number;
  regions: string[];
  not_before: Date;
};

/** Refuses what an update of the monitor with this policy would refuse, and a monitor that has no checks of its own. */
export async function draftOf(
  db: Database,
  monitorId: string,
  written: PolicyWrite,
  within: ResourceFilter,
): Promise<Drafted> {
  const row = await readMonitor(db, monitorId);
  const { profile, standard, ...stored } = row;
  const before = { ...stored, inherited: { profile, standard } };
  refuseChangedReadOnly(
    { effective_alarm: written.effective_alarm },
    { effective_alarm: effectiveAlarm(levelsOf(row)) },
    'policy.',
  );
  refuseForeignProfile(written.alert_profile_id, row.policy.alert_profile_id ?? null, within);
  const policy = mergePolicy(row.policy, written);
  const [inherited, limits] = await Promise.all([
    readInherited(db, row.org_id, policy.alert_profile_id ?? null),
    planLimits(db, row.org_id),
  ]);
  validateFailedInterval(
    policy.failed_interval_seconds,
    row.policy.failed_interval_seconds,
    limits.minIntervalSeconds,
    'policy.',
  );
  validatePolicy({ ...before, policy, inherited }, before);
  if (row.type === 'group')
    refuse('invalid_request', 'A group has no checks of its own: there is nothing to replay.');

  const config = completeConfig(rulesOf(row.type), row.config, row.interval_seconds);
  const part = { ...row, config, regions: judgedFrom(row.regions) };
  return {
    monitor: {
      no: row.no,
      id: row.id,
      name: row.name,
      type: row.type,
      orgId: row.org_id,
      config,
      notBefore: row.not_before,
    },
    rules: { now: confirmationRules(part), draft: confirmationRules({ ...part, policy, ...inherited }) },
    shownDays: limits.rawCheckRetentionDays,
  };
}

async function readMonitor(db: Database, monitorId: string): Promise<Row> {
  const { rows } = await sql<Row>`
    SELECT m.no, m.id, m.name, m.type, m.org_id, m.config, m.interval_seconds, m.regions, m.policy, ${INHERITED}, s.not_before
    FROM monitors m JOIN monitor_state s ON s.monitor_no = m.no ${inheritedFrom('m')}
    WHERE m.id = ${monitorId}`.execute(db);
  return rows[0] ?? notFound('monitor');
}
