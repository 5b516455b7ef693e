// Loads monitors for confirmation, under the lock of their states.
import { type RawBuilder, sql } from 'kysely';
import { maintenanceSince } from '../conditions/maintenance.ts';
import { HEARTBEAT_SECONDS } from '../domain/agent.ts';
import type { Inputs, MonitorRules } from '../domain/confirmation.ts';
import type { ConfirmationState } from '../domain/confirmation-state.ts';
import type { Span } from '../domain/maintenance.ts';
import { judgedFrom, NO_REGION } from '../domain/no-region.ts';
import type { EffectivePolicy } from '../domain/policy.ts';
import { FUTURE_MS, resultsEverySeconds } from '../domain/reporting.ts';
import { INHERITED, inheritedFrom, type Levels } from '../monitors/policy-levels.ts';
import { completeConfig } from '../monitors/row.ts';
import { rulesOf } from '../monitors/types.ts';
import { pgArray } from '../platform/db/pg-array.ts';
import { pipelined } from '../platform/db/pipelined.ts';
import type { Work } from '../platform/work.ts';
import { onlineForDecisions } from '../regions/liveness.ts';
import { confirmationRules } from './confirmation-rules.ts';
import { mayBePacked } from './packed/may-be-packed.ts';

export type LockedMonitor = {
  no: number;
  id: string;
  name: string;
  type: string;
  orgId: string;
  projectId: string;
  projectName: string;
  config: Record<string, unknown>;
  /** The severity of its automatic incidents. */
  severity: string;
  /** A change is announced, or it depends on others: a hold may delay the alarm of an incident. */
  mayBeHeld: boolean;
  policy: EffectivePolicy;
  rules: MonitorRules;
  state: ConfirmationState;
  calm: boolean;
  lastStatus: string | null;
  /** A person opened an incident of this monitor, and it is still open. */
  manualIncident: boolean;
  reevaluateAtMs: number | null;
  /** The start of faster checking, ms; null: the monitor is checked at its own interval. */
  fasterSinceMs: number | null;
  confirming: number | null;
  notBeforeMs: number;
  inputs: Inputs;
};

/** The rows of a monitor and its state, locked until the end of the transaction. */
export type LockedState = Levels & {
  no: number;
  id: string;
  name: string;
  type: string;
  org_id: string;
  project_id: string;
  project_name: string;
  config: Record<string, unknown>;
  severity: string;
  may_be_held: boolean;
  interval_seconds: number;
  /** The regions that confirmation counts: [''] for a type without regions. */
  regions: string[];
  state: ConfirmationState;
  calm: boolean;
  last_status: string | null;
  manual_incident: boolean;
  reevaluate_at: Date | null;
  faster_since: Date | null;
  confirming: number | null;
  not_before: Date;
  maintenance: Span[];
};

/** No check takes longer. */
const LONGEST_TIMEOUT_SECONDS = 300;

/** How far back maintenance windows matter: to the start of the outage, and to the oldest result that may still count. */
const sinceWhen = (now: Date) => sql`least(to_timestamp((s.state #>> '{outage,sinceMs}')::float8 / 1000),
  ${now}::timestamptz - make_interval(secs => 3 * greatest(${HEARTBEAT_SECONDS}::int, m.interval_seconds) + ${LONGEST_TIMEOUT_SECONDS}::float8))`;

/** Locks the states of enabled monitors, in the order of their numbers: all of `nos`, and of `unlessSteady` those not steady. */
export async function lockStates(
  work: Work,
  nos: readonly number[],
  unlessSteady: readonly number[] = [],
): Promise<LockedState[]> {
  const chosen = sql`(
    SELECT unnest(${pgArray(nos)}::int[])
    UNION SELECT monitor_no FROM monitor_state WHERE NOT calm AND monitor_no = ANY(${pgArray(unlessSteady)}::int[])
  )`;
  const lock = async () => {
    const { rows } = await sql<{ no: number }>`
      SELECT monitor_no AS no FROM monitor_state WHERE monitor_no IN ${chosen} ORDER BY monitor_no FOR UPDATE`.execute(
      work.tx,
    );
    return new Set(rows.map(({ no }) => no));
  };
  // A statement that waits for a lock reads everything else as it was before: here, without the edit for which it waits.
  const read = () => readStates(work, chosen);
  const steady = nos.length === 0 ? await lock() : null;
  if (steady?.size === 0) return [];
  const [locked, states] = steady ? [steady, await read()] : await pipelined(lock, read);
  return states.filter(({ no }) => locked.has(no));
}

/** The states of enabled monitors, with what of the monitors confirmation needs. */
async function readStates({ tx, now }: Work, chosen: RawBuilder<unknown>): Promise<LockedState[]> {
  const { rows } = await sql<LockedState>`
    SELECT m.no, m.id, m.name, m.type, m.org_id, m.project_id, p.name AS project_name, m.config, m.severity,
      m.interval_seconds, m.regions, m.policy, ${INHERITED}, s.state, s.calm, s.last_status, s.manual_incident, s.reevaluate_at, s.faster_since,
      s.confirming, s.not_before,
      (m.depends_on <> '{}' OR EXISTS (SELECT FROM alarm_holds h WHERE h.monitor_no = m.no AND h.held_until > ${now}))
        AS may_be_held,
      ${maintenanceSince(sql`m.no`, sql`${now}::timestamptz`, sinceWhen(now))} AS maintenance
    FROM monitor_state s
    JOIN monitors m ON m.no = s.monitor_no AND m.enabled
    JOIN projects p ON p.id = m.project_id ${inheritedFrom('m')}
    WHERE s.monitor_no IN ${chosen} ORDER BY s.monitor_no`.execute(tx);
  return rows.map((row) => ({ ...row, regions: judgedFrom(row.regions) }));
}

/**
 * Loads the rest that confirmation needs: online regions, newest results, policy, maintenance. `sender` has just delivered
 * results, so it counts as online whatever its row says.
 */
export async function describeMonitors(
  work: Work,
  rows: readonly LockedState[],
  sender: string = NO_REGION,
): Promise<LockedMonitor[]> {
  if (rows.length === 0) return [];
  const { now } = work;
  const [online, newest] = await Promise.all([
    onlineForDecisions(work.tx, work.now),
    newestResults(work, rows),
  ]);
  online.add(sender);
  return rows.map((row) => {
    const config = completeConfig(rulesOf(row.type), row.config, row.interval_seconds);
    const rules = confirmationRules({ ...row, config });
    return {
      no: row.no,
      id: row.id,
      name: row.name,
      type: row.type,
      orgId: row.org_id,
      projectId: row.project_id,
      projectName: row.project_name,
      config,
      severity: row.severity,
      mayBeHeld: row.may_be_held,
      policy: rules.policy,
      rules,
      state: row.state,
      calm: row.calm,
      lastStatus: row.last_status,
      manualIncident: row.manual_incident,
      reevaluateAtMs: row.reevaluate_at?.getTime() ?? null,
      fasterSinceMs: row.faster_since?.getTime() ?? null,
      confirming: row.confirming,
      notBeforeMs: row.not_before.getTime(),
      inputs: {
        nowMs: now.getTime(),
        onlineRegions: row.regions.filter((slug) => online.has(slug)),
        lastResultAtMs: newest.get(row.no) ?? {},
        maintenance: row.maintenance,
      },
    };
  });
}

/** Newest result for each region, probe faults left out, within the longest reporting window of these monitors. */
async function newestResults(
  work: Work,
  rows: readonly LockedState[],
): Promise<Map<number, Record<string, number>>> {
  const intervals = rows.map((row) => resultsEverySeconds(row.type, row.interval_seconds));
  const window = Math.max(...intervals) * 3000 + LONGEST_TIMEOUT_SECONDS * 1000;
  const since = new Date(work.now.getTime() - window);
  const nos = pgArray(rows.map((row) => row.no));
  // What is later still was dated by a clock that has been set back since.
  const until = new Date(work.now.getTime() + FUTURE_MS);
  const all = mayBePacked(since.getTime(), work.now)
    ? sql`newest_checks(m.no, r.no, ${since}, ${until}, 1, true)`
    : sql`checks`;
  const found = await sql<{ no: number; slug: string; at_ms: number }>`
    SELECT m.no, r.slug, (extract(epoch FROM c.checked_at) * 1000)::bigint AS at_ms
    FROM monitors m
    JOIN regions r ON r.slug = ANY(m.regions) OR (r.no = 0 AND m.regions = '{}')
    CROSS JOIN LATERAL (
      SELECT checked_at FROM ${all}
      WHERE monitor_no = m.no AND region_no = r.no AND checked_at > ${since} AND checked_at <= ${until}
        AND cause_layer IS DISTINCT FROM 'probe'
      ORDER BY checked_at DESC LIMIT 1
    ) c
    WHERE m.no = ANY(${nos}::int[])`.execute(work.tx);
  const newest = new Map<number, Record<string, number>>();
  for (const { no, slug, at_ms } of found.rows) {
    const known = newest.get(no) ?? {};
    known[slug] = at_ms;
    newest.set(no, known);
  }
  return newest;
}
