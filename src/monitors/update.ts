// Changes a monitor in five steps: load, candidate, validate, write, consequences. Create shares the second and third.
import { isDeepStrictEqual } from 'node:util';
import { recordActivity } from '../activity/record.ts';
import { intervalInForce } from '../domain/check-interval.ts';
import {
  afterEdit,
  type ConfirmationState,
  closeManually,
  statusShown,
} from '../domain/confirmation-state.ts';
import { judgedFrom } from '../domain/no-region.ts';
import { publishMonitor } from '../events/publish.ts';
import { closeIncidentsOf } from '../incidents/close.ts';
import { checkedName } from '../platform/checked-name.ts';
import { hook } from '../platform/hook.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import { refuseChangedReadOnly } from '../platform/read-only.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import type { Vault } from '../platform/secrets.ts';
import type { Work } from '../platform/work.ts';
import { onlineForDecisions } from '../regions/liveness.ts';
import { assignInterval } from './assignments.ts';
import { candidateOf, storedOf } from './candidate.ts';
import type { Monitor, MonitorUpdate } from './contract.ts';
import { triggerGroupsOf, wakeGroup } from './groups.ts';
import { keepHeartbeat } from './heartbeats.ts';
import { lockInherited, policyInForce } from './policy-levels.ts';
import { lockReferencesOf, namesMonitors, refuseGoneAgent } from './references.ts';
import { changeReporting } from './reporting-rules.ts';
import {
  completeConfig,
  loggedMonitor,
  type MonitorRow,
  type ShownAt,
  selectMonitors,
  showMonitor,
} from './row.ts';
import { markNewSecrets, sealConfig } from './sealing.ts';
import { announceRename, announceTags, lockTagsOf } from './tags-changed.ts';
import { SECRET_MASK } from './types/rules.ts';
import { rulesOf } from './types.ts';
import { type MonitorOptions, refuseDuplicateName, type Valid, validateMonitor } from './validate.ts';
import { refuseForeignProfile } from './validate-policy.ts';

/** The policy of monitors, or their inherited values, changed: decides again whatever time alone decides. */
export const policyChanged = hook<{ monitorNos: number[] }>();

const WRITER = { mayWrite: true };

type LockedMonitor = Readonly<
  MonitorRow & { state: ConfirmationState; manual_incident: boolean; faster_since: Date | null }
>;

/** A monitor as the write leaves it. */
type Changed = Valid & { name: string; enabled: boolean; disabledReason?: string };

/** Locks a monitor with its state, for the rest of the unit of work. */
export async function lockMonitor(work: Work, monitorId: string): Promise<LockedMonitor> {
  const row = await selectMonitors(work.tx, work.now)
    .select(['monitor_state.state', 'monitor_state.manual_incident', 'monitor_state.faster_since'])
    .where('monitors.id', '=', monitorId)
    .forNoKeyUpdate(['monitors', 'monitor_state'])
    .executeTakeFirst();
  if (!row) notFound('monitor');
  return row as unknown as LockedMonitor;
}

/** An example cannot be changed: a change would make it real, or break its walk-through. */
export function refuseExample({ example }: { example: boolean }): void {
  if (example)
    refuse('invalid_request', 'The monitor is an example and cannot be changed; it can be deleted.');
}

/**
 * Merges the given fields over the monitor; omitted ones and nulls keep their value. Refuses like create. `declared`: whoever sends
 * the config did not read it before, so that a value that equals the default is meant as it is.
 */
export async function updateMonitor(
  work: Work,
  monitorId: string,
  body: MonitorUpdate,
  options: MonitorOptions & ShownAt & { declared?: boolean },
  within: ResourceFilter,
): Promise<Monitor> {
  const before = await load(work, monitorId, body);
  refuseExample(before);
  const shownBefore = showMonitor(before, options, WRITER);
  refuseReadOnly(body, shownBefore);
  refuseForeignProfile(body.policy?.alert_profile_id, before.policy.alert_profile_id ?? null, within);

  const stored = storedOf(before);
  const given = options.declared ? body : withoutSentBack(body, before, shownBefore);
  const candidate = await candidateOf(work.tx, stored, given, stored, options.vault);
  const name = body.name == null ? before.name : checkedName(body.name);
  const valid = await validateMonitor(work.tx, candidate, stored, options, within);

  const after = { ...valid, name, enabled: body.enabled ?? before.enabled };
  if (after.enabled && !before.enabled) await refuseGoneAgent(work.tx, valid);
  await write(work, before, after, options.vault);
  await takeEffect(work, before, after, options.vault);
  await announceTags(work, before.org_id, before.tags, after.tags);
  await announceRename(work, before, after);
  return record(work, before, after, shownBefore, options);
}

/**
 * Disables a monitor for a reason that no person chose, as a PATCH with `enabled` false does; does nothing if it is disabled
 * already. The caller holds the lock on the references of its organization.
 */
export async function disableMonitor(
  work: Work,
  monitorId: string,
  disabledReason: string,
  options: ShownAt,
): Promise<void> {
  const before = await load(work, monitorId, {});
  if (!before.enabled) return;
  const { name, type } = before;
  const after = { ...storedOf(before), rules: rulesOf(type), name, enabled: false, disabledReason };
  await write(work, before, after, options.vault);
  await takeEffect(work, before, after, options.vault);
  await record(work, before, after, showMonitor(before, options, WRITER), options);
}

/** Locks, in order: the inherited values, the references and tags of the organization, the monitor itself. */
async function load(work: Work, monitorId: string, body: MonitorUpdate): Promise<LockedMonitor> {
  await lockInherited(work.tx, monitorId);
  // An enabled monitor needs its agent, which must not be removed meanwhile.
  if (namesMonitors(body) || body.enabled === true) await lockReferencesOf(work.tx, monitorId);
  if (body.tags != null) await lockTagsOf(work.tx, monitorId);
  return lockMonitor(work, monitorId);
}

function refuseReadOnly(body: MonitorUpdate, shown: Monitor): void {
  const { id, slug, project_id, last_status, last_severity, last_status_since_unix } = body;
  const {
    confirming,
    in_maintenance_until_unix,
    no_data_since_unix,
    cannot_check,
    disabled_reason,
    example,
  } = body;
  const confirmed = {
    last_status,
    last_severity,
    last_status_since_unix,
    confirming,
    in_maintenance_until_unix,
    no_data_since_unix,
    cannot_check,
    disabled_reason,
    example,
  };
  refuseChangedReadOnly({ id, slug, project_id, ...confirmed }, shown);
  refuseChangedReadOnly({ effective_alarm: body.policy?.effective_alarm }, { ...shown.policy }, 'policy.');
}

/**
 * What a client read and sent back stays as it is stored: a round trip must not make a default an explicit value, not even one
 * inside a part that was given (`keyword.mode`), since another config starts the monitor anew.
 */
function withoutSentBack(body: MonitorUpdate, before: LockedMonitor, shown: Monitor): MonitorUpdate {
  if (!body.config || (body.type ?? before.type) !== before.type) return body;
  const read = shown.config as Record<string, unknown>;
  const isSentBack = ([key, value]: [string, unknown]): boolean =>
    key in read && (isDeepStrictEqual(value, read[key]) || (key === 'ping_url' && value === SECRET_MASK));
  const config = Object.entries(body.config).filter((entry) => !isSentBack(entry));
  return { ...body, config: Object.fromEntries(config) };
}

async function write({ tx }: Work, before: LockedMonitor, after: Changed, vault: Vault): Promise<void> {
  // A config that was stored before its size was limited may stay as it is.
  const config = isDeepStrictEqual(after.config, before.config)
    ? before.config
    : sealConfig(after.rules, after.config, after.id, vault);
  await tx
    .updateTable('monitors')
    .set({
      name: after.name,
      type: after.type,
      config: JSON.stringify(config),
      enabled: after.enabled,
      interval_seconds: after.intervalSeconds,
      regions: after.regions,
      policy: JSON.stringify(after.policy),
      alarm_gate: after.alarmGate ? JSON.stringify(after.alarmGate) : null,
      depends_on: after.dependsOn,
      severity: after.severity,
      tags: after.tags,
      // A person who enables or disables a monitor from now on has reasons of their own.
      ...(after.enabled === before.enabled ? {} : { disabled_reason: after.disabledReason ?? null }),
    })
    .where('no', '=', before.no)
    .execute()
    .catch(refuseDuplicateName);
}

/** Updates the monitor's incidents, state, assignments, heartbeat and groups after the change. */
async function takeEffect(work: Work, before: LockedMonitor, after: Changed, vault: Vault): Promise<void> {
  const { no } = before;
  const { type, enabled, intervalSeconds, rules } = after;
  const online = [...(await onlineForDecisions(work.tx, work.now))];
  const state = await changeState(work, before, after, online);
  // A shorter minimum duration may make an ongoing outage due now.
  if (!isDeepStrictEqual(after.policy, before.policy) && enabled && state === before.state)
    await policyChanged.run(work, { monitorNos: [no] });
  const { failed_interval_seconds: failedIntervalSeconds } = policyInForce({
    policy: after.policy,
    ...after.inherited,
  });
  const fasterSinceMs = before.faster_since?.getTime() ?? null;
  const checkInterval = intervalInForce(
    state,
    online,
    { intervalSeconds, failedIntervalSeconds },
    fasterSinceMs,
  );
  await assignInterval(work, { monitorNo: no, ...checkInterval });
  const config = completeConfig(rules, after.config, intervalSeconds);
  const changed = { no, type, config, enabled, interval_seconds: intervalSeconds };
  await changeReporting(work, changed);
  await keepHeartbeat(work, { ...changed, state }, vault);
  if (!startsAnew(before, after) && enabled === before.enabled) return;
  await wakeGroup(work, { no, type, enabled });
  await triggerGroupsOf(work, [before.id]);
}

/** Writes the confirmation state after the change, and returns it: the stored one if it does not change. */
async function changeState(
  work: Work,
  before: LockedMonitor,
  after: Changed,
  online: readonly string[],
): Promise<ConfirmationState> {
  const stops = before.enabled && !after.enabled;
  if (stops) await closeIncidentsOf(work, before, 'the monitor was disabled');
  else if (!startsAnew(before, after) && after.enabled === before.enabled) return before.state;
  const state = afterEdit(stops ? closeManually(before.state) : before.state, judgedFrom(after.regions));
  // A person's incident was closed with the others when the monitor stopped.
  const status = statusShown(state, online, before.manual_incident && !stops);
  await work.tx
    .updateTable('monitor_state')
    .set({
      state: JSON.stringify(state),
      calm: false,
      not_before: work.now,
      last_status: status,
      last_status_since: status === before.last_status ? before.last_status_since : work.now,
      reevaluate_at: null,
      confirming: null,
    })
    .where('monitor_no', '=', before.no)
    .execute();
  return state;
}

/**
 * Earlier results say nothing about another target or other regions. A new name or policy does not affect them, nor does a
 * default that is stated from now on: the same is checked.
 */
const startsAnew = (before: LockedMonitor, after: Changed): boolean =>
  after.type !== before.type ||
  !isDeepStrictEqual(checkedConfig(after, after.config), checkedConfig(after, before.config)) ||
  !isDeepStrictEqual([...after.regions].sort(), [...before.regions].sort());

const checkedConfig = ({ rules, intervalSeconds }: Changed, config: Record<string, unknown>) =>
  completeConfig(rules, config, intervalSeconds);

/** Publishes and logs the change. Returns the monitor as it is now. */
async function record(
  work: Work,
  before: LockedMonitor,
  { id, name, rules, config }: Changed,
  shownBefore: Monitor,
  shownAt: ShownAt,
): Promise<Monitor> {
  const row = await selectMonitors(work.tx, work.now)
    .where('monitors.no', '=', before.no)
    .executeTakeFirstOrThrow();
  const shown = showMonitor(row, shownAt, WRITER);
  publishMonitor(work, before.org_id, {
    monitor_id: id,
    project_id: before.project_id,
    change: 'updated',
    last_status: shown.last_status,
  });
  const masked = shown.config as Record<string, unknown>;
  await recordActivity(work, {
    orgId: before.org_id,
    action: 'monitor.update',
    resource: { kind: 'monitor', id, name },
    before: loggedMonitor(shownBefore),
    after: loggedMonitor({ ...shown, config: markNewSecrets(rules, masked, config, before.config) }),
  });
  return shown;
}
