// One monitor as it is stored, and as the API shows it.
import type { Selectable } from 'kysely';
import type { Inherited } from '../alarm-policy/inherited.ts';
import { cannotCheck } from '../domain/cannot-check.ts';
import { shownConfirming } from '../domain/confirmation-state.ts';
import { maskedUrl } from '../domain/masked-url.ts';
import { effectiveAlarm, INHERITED_POLICY, type MonitorPolicy } from '../domain/policy.ts';
import type { DB } from '../platform/db/tables.ts';
import { SecretUnreadable, type Vault } from '../platform/secrets.ts';
import { unixOrNull } from '../platform/unix.ts';
import type { Database, Tx } from '../platform/work.ts';
import type { Monitor, Policy } from './contract.ts';
import { heartbeatContext, pingUrl } from './heartbeats.ts';
import { CANNOT_CHECK_CLASS, noDataSince, onlineRegionNos, reportingAt } from './no-data.ts';
import { type Levels, levelsOf } from './policy-levels.ts';
import { maskConfig } from './sealing.ts';
import { withDefaults } from './types/defaults.ts';
import { SECRET_MASK, type TypeRules } from './types/rules.ts';
import { rulesOf } from './types.ts';

export type AlarmGate = { grace_seconds: number | null; origins: string[] };

export type MonitorRow = Omit<Selectable<DB['monitors']>, 'config' | 'policy' | 'alarm_gate'> & {
  config: Record<string, unknown>;
  policy: MonitorPolicy;
  alarm_gate: AlarmGate | null;
  last_status: string | null;
  last_status_since: Date | null;
  last_severity: string | null;
  confirming: number | null;
  in_maintenance_until: Date | null;
  no_data_since: Date | null;
  cannot_check: string | null;
  /** A heartbeat's token, sealed, and the hash by which a ping is looked up. */
  heartbeat_token: string | null;
  heartbeat_hash: string | null;
} & Inherited;

/** Columns by name: a statement that returns every column is planned anew each time. */
const COLUMNS: Readonly<Record<keyof DB['monitors'], true>> = {
  id: true,
  no: true,
  org_id: true,
  project_id: true,
  name: true,
  slug: true,
  type: true,
  config: true,
  enabled: true,
  interval_seconds: true,
  regions: true,
  policy: true,
  alarm_gate: true,
  created_at: true,
  alert_profile_id: true,
  depends_on: true,
  severity: true,
  disabled_reason: true,
  tags: true,
  example: true,
};
const SELECTED = (Object.keys(COLUMNS) as (keyof DB['monitors'])[]).map(
  (name) => `monitors.${name}` as const,
);

/** The base address of the installation, in front of the addresses that monitors show. */
export type ShownAt = { baseUrl: string; vault: Vault };
/** Whether the reader may change the monitor: only then are its secret addresses shown, and tokens in other ones. */
export type Reader = { mayWrite: boolean };

/** Monitors with their confirmed status at `now` and their inherited values; narrow it with `where`. */
export function selectMonitors(db: Database | Tx, now: Date) {
  return db
    .with(
      (online) => online('online').materialized(),
      () => onlineRegionNos(now),
    )
    .selectFrom('monitors')
    .innerJoin('monitor_state', 'monitor_state.monitor_no', 'monitors.no')
    .innerJoin(reportingAt(now).as('reporting'), (join) => join.onTrue())
    .leftJoin('silences', 'silences.monitor_no', 'monitors.no')
    .leftJoin('alert_profiles', 'alert_profiles.id', 'monitors.alert_profile_id')
    .leftJoin('alarm_standards', 'alarm_standards.org_id', 'monitors.org_id')
    .leftJoin('heartbeats', 'heartbeats.monitor_no', 'monitors.no')
    .select(SELECTED)
    .select(['alert_profiles.policy as profile', 'alarm_standards.standard'])
    .select(['heartbeats.token_sealed as heartbeat_token', 'heartbeats.token_hash as heartbeat_hash'])
    .select((eb) =>
      eb
        .selectFrom('maintenance_monitors')
        .select((of) => of.fn.max('maintenance_monitors.ends_at').as('until'))
        .whereRef('maintenance_monitors.monitor_no', '=', 'monitors.no')
        .where('maintenance_monitors.starts_at', '<=', now)
        .where('maintenance_monitors.ends_at', '>', now)
        .as('in_maintenance_until'),
    )
    .select([noDataSince(now).as('no_data_since'), CANNOT_CHECK_CLASS.as('cannot_check')])
    .select(['monitor_state.last_status', 'monitor_state.last_severity', 'monitor_state.last_status_since'])
    .select('monitor_state.confirming')
    .$castTo<MonitorRow>();
}

/**
 * The default timeout shrinks to 80 % of a short interval (docs/rules/monitor-types.md#intervals); an explicit timeout stays.
 */
export function completeConfig(
  rules: TypeRules,
  config: Record<string, unknown>,
  intervalSeconds: number,
): Record<string, unknown> {
  const complete = withDefaults(rules.schema, config);
  if (typeof complete.timeout_ms === 'number' && config.timeout_ms === undefined)
    complete.timeout_ms = Math.min(complete.timeout_ms, intervalSeconds * 800);
  return complete;
}

/**
 * `policy` is always read as an object with `effective_alarm`, its inherited fields null
 * (docs/rules/errors-and-conventions.md#updates).
 */
export function showPolicy(levels: Levels): Policy {
  return { ...INHERITED_POLICY, ...levels.policy, effective_alarm: effectiveAlarm(levelsOf(levels)) };
}

/** As the activity log stores it: without the address of a heartbeat, which is its secret, because more people read the log. */
export function loggedMonitor(shown: Monitor): Monitor {
  const config = shown.config as Record<string, unknown>;
  return config.ping_url === undefined ? shown : { ...shown, config: { ...config, ping_url: SECRET_MASK } };
}

export function showMonitor(row: MonitorRow, shownAt: ShownAt, { mayWrite }: Reader): Monitor {
  const rules = rulesOf(row.type);
  const policy = showPolicy(row);
  const complete = maskConfig(rules, completeConfig(rules, row.config, row.interval_seconds));
  const config =
    mayWrite || typeof complete.url !== 'string'
      ? complete
      : { ...complete, url: maskedUrl(complete.url, SECRET_MASK) };
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    project_id: row.project_id,
    type: row.type,
    config:
      row.heartbeat_hash === null
        ? config
        : { ...config, ping_url: (mayWrite && addressOf(row, shownAt)) || SECRET_MASK },
    enabled: row.enabled,
    interval_seconds: row.interval_seconds,
    regions: row.regions,
    last_status: row.last_status,
    last_severity: row.last_severity,
    last_status_since_unix: unixOrNull(row.last_status_since),
    confirming:
      row.last_status === 'degraded'
        ? shownConfirming(row.confirming, policy.effective_alarm.alarm_consecutive)
        : null,
    no_data_since_unix: unixOrNull(row.no_data_since),
    cannot_check: cannotCheck(row.cannot_check),
    in_maintenance_until_unix: unixOrNull(row.in_maintenance_until),
    policy,
    alarm_gate: row.alarm_gate,
    depends_on: row.depends_on,
    disabled_reason: row.disabled_reason,
    severity: row.severity,
    tags: row.tags,
    example: row.example,
  };
}

/** null if the key that sealed it is lost: the address still works. */
function addressOf(
  { heartbeat_token: sealed, heartbeat_hash: hash }: MonitorRow,
  shownAt: ShownAt,
): string | null {
  if (sealed === null || hash === null) return null;
  try {
    return pingUrl(shownAt.baseUrl, shownAt.vault.open(sealed, heartbeatContext(hash)));
  } catch (error) {
    if (error instanceof SecretUnreadable) return null;
    throw error;
  }
}
