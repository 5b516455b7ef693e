import { isDeepStrictEqual } from 'node:util';
import { recordActivity } from '../activity/record.ts';
import { readInherited } from '../alarm-policy/inherited.ts';
import {
  afterEdit,
  type ConfirmationState,
  closeByHand,
  intervalInForce,
  statusShown,
} from '../domain/confirmation-state.ts';
import { judgedFrom } from '../domain/no-region.ts';
import { publishMonitor } from '../events/publish.ts';
import { closeIncidentsOf } from '../incidents/close.ts';
import { announcement } from '../platform/announcement.ts';
import { checkedName } from '../platform/checked-name.ts';
import type { Within } from '../platform/http/caller.ts';
import { refuseChangedReadOnly } from '../platform/read-only.ts';
import { notFound } from '../platform/refusals.ts';
import type { Work } from '../platform/work.ts';
import { admit, asNameTaken } from './admission.ts';
import { intervalWhereNoneIsGiven } from './admit-interval.ts';
import { refuseForeignProfile } from './admit-policy.ts';
import { admitReferences } from './admit-references.ts';
import { regionsWhereNoneAreGiven } from './admit-regions.ts';
import { reassign } from './assign.ts';
import type { Monitor, MonitorUpdate } from './contract.ts';
import type { MonitorOptions } from './create.ts';
import { wakeGroup, wakeGroupsOf } from './groups.ts';
import { keepHeartbeat } from './heartbeats.ts';
import { mergeConfig, mergeGate, mergePolicy } from './merge.ts';
import { lockInherited, policyInForce } from './policy-levels.ts';
import { lockReferencesAround, namesMonitors } from './references.ts';
import {
  completeConfig,
  loggedMonitor,
  type MonitorRow,
  type ShownAt,
  selectMonitors,
  showMonitor,
} from './row.ts';
import { markNewSecrets, openStored, refuseMovedSecrets, restoreMasked, sealConfig } from './sealing.ts';
import { SECRET_MASK } from './types/rules.ts';
import { TYPES } from './types.ts';

/** The policy of monitors changed, or what they inherit: what time alone decides is decided anew. */
export const policyChanged = announcement<{ monitorNos: number[] }>();

const WRITER = { mayWrite: true };

type LockedMonitor = MonitorRow & { state: ConfirmationState; manual_incident: boolean };

/** Locks a monitor with its state, for the rest of the unit of work. */
export async function lockMonitor(work: Work, monitorId: string): Promise<LockedMonitor> {
  const row = await selectMonitors(work.tx, work.now)
    .select(['monitor_state.state', 'monitor_state.manual_incident'])
    .where('monitors.id', '=', monitorId)
    .forNoKeyUpdate(['monitors', 'monitor_state'])
    .executeTakeFirst();
  if (!row) notFound('monitor');
  return row as unknown as LockedMonitor;
}

/** Lays the given fields over the monitor; omitted ones and nulls keep their value. Refuses like create. */
export async function updateMonitor(
  work: Work,
  monitorId: string,
  body: MonitorUpdate,
  options: MonitorOptions & ShownAt,
  within: Within,
): Promise<Monitor> {
  const { tx } = work;
  await lockInherited(tx, monitorId);
  if (namesMonitors(body)) await lockReferencesAround(tx, monitorId);
  const before = await lockMonitor(work, monitorId);
  const shownBefore = showMonitor(before, options, WRITER);
  const { id, slug, project_id, last_status, last_severity, last_status_since_unix } = body;
  const { in_maintenance_until_unix } = body;
  const confirmed = { last_status, last_severity, last_status_since_unix, in_maintenance_until_unix };
  const readOnly = { id, slug, project_id, ...confirmed };
  refuseChangedReadOnly(readOnly, shownBefore);
  refuseChangedReadOnly(
    { effective_alarm: body.policy?.effective_alarm },
    { ...shownBefore.policy },
    'policy.',
  );

  refuseForeignProfile(body.policy?.alert_profile_id, before.policy.alert_profile_id ?? null, within);
  const type = body.type ?? before.type;
  const typeChanges = type !== before.type;
  const rules = TYPES.get(type);
  const given = (body.config ?? {}) as Record<string, unknown>;
  const merged = typeChanges
    ? mergeConfig(rules, {}, given)
    : mergeConfig(rules, before.config, sentBack(given, shownBefore, before));
  const policy = mergePolicy(before.policy, body.policy ?? null);
  const candidate = {
    orgId: before.org_id,
    type,
    config: rules ? restoreMasked(rules, merged, typeChanges ? null : before.config, options.vault) : merged,
    intervalSeconds: body.interval_seconds ?? intervalWhereNoneIsGiven(rules, before.interval_seconds),
    regions: body.regions ?? regionsWhereNoneAreGiven(type, before.regions),
    policy,
    inherited: await readInherited(tx, before.org_id, policy.alert_profile_id ?? null),
    alarmGate: mergeGate(before.alarm_gate, body.alarm_gate ?? null),
    dependsOn: body.depends_on ?? before.depends_on,
  };
  const name = body.name == null ? before.name : checkedName(body.name);
  // Judged as the probe will see it: a sealed text is longer than its secret and has another form.
  const clear = rules
    ? openStored(rules, candidate.config, before.config, monitorId, options.vault)
    : candidate.config;
  await admit(tx, { ...candidate, config: clear }, options, {
    ...candidate,
    type: before.type,
    intervalSeconds: before.interval_seconds,
    regions: before.regions,
    policy: before.policy,
    inherited: { profile: before.profile, standard: before.standard },
  });
  if (!typeChanges) refuseMovedSecrets(rules!, candidate.config, before.config, options.vault);
  const namedBefore = { type: before.type, config: before.config, dependsOn: before.depends_on };
  await admitReferences(tx, { id: monitorId, orgId: before.org_id }, candidate, namedBefore, within);

  // One from before configs had a limit may stay as it is.
  const config = isDeepStrictEqual(candidate.config, before.config)
    ? before.config
    : sealConfig(rules!, candidate.config, monitorId, options.vault);
  const enabled = body.enabled ?? before.enabled;
  await tx
    .updateTable('monitors')
    .set({
      name,
      type,
      config: JSON.stringify(config),
      enabled,
      interval_seconds: candidate.intervalSeconds,
      regions: candidate.regions,
      policy: JSON.stringify(candidate.policy),
      alarm_gate: candidate.alarmGate ? JSON.stringify(candidate.alarmGate) : null,
      depends_on: candidate.dependsOn,
    })
    .where('no', '=', before.no)
    .execute()
    .catch(asNameTaken);

  // What was learned about another target, or from other places, says nothing about this one; a name or a policy
  // changes nothing that was measured.
  const startsAnew =
    typeChanges ||
    !isDeepStrictEqual(candidate.config, before.config) ||
    !isDeepStrictEqual([...candidate.regions].sort(), [...before.regions].sort());
  const stops = before.enabled && !enabled;
  let { state } = before;
  if (stops) {
    await closeIncidentsOf(work, before, 'the monitor was disabled');
    state = afterEdit(closeByHand(state), judgedFrom(candidate.regions));
  } else if (startsAnew || enabled !== before.enabled) {
    state = afterEdit(state, judgedFrom(candidate.regions));
  }
  if (state !== before.state) {
    // Of a monitor that stops, what people opened has just been closed too.
    const status = statusShown(state, before.manual_incident && !stops);
    if (status !== before.last_status) before.last_status_since = work.now;
    before.last_status = status;
    await tx
      .updateTable('monitor_state')
      .set({
        state: JSON.stringify(state),
        calm: false,
        not_before: work.now,
        last_status: before.last_status,
        last_status_since: before.last_status_since,
        reevaluate_at: null,
      })
      .where('monitor_no', '=', before.no)
      .execute();
  }
  // A shorter minimum duration may make a standing outage due this very second.
  if (!isDeepStrictEqual(candidate.policy, before.policy) && enabled && state === before.state)
    await policyChanged.announce(work, { monitorNos: [before.no] });
  const { failed_interval_seconds } = policyInForce({ policy, ...candidate.inherited });
  reassign(work, {
    monitorNo: before.no,
    intervalSeconds: intervalInForce(state, candidate.intervalSeconds, failed_interval_seconds),
  });

  await keepHeartbeat(
    work,
    {
      no: before.no,
      type,
      config: completeConfig(rules!, candidate.config, candidate.intervalSeconds),
      enabled,
      interval_seconds: candidate.intervalSeconds,
      state,
    },
    options.vault,
  );
  if (startsAnew || enabled !== before.enabled) {
    await wakeGroup(work, { no: before.no, type, enabled });
    await wakeGroupsOf(work, [monitorId]);
  }
  const after = await selectMonitors(tx, work.now)
    .where('monitors.no', '=', before.no)
    .executeTakeFirstOrThrow();
  const shown = showMonitor(after, options, WRITER);
  publishMonitor(work, before.org_id, {
    monitor_id: monitorId,
    project_id: before.project_id,
    change: 'updated',
    last_status: shown.last_status,
  });
  await recordActivity(work, {
    orgId: before.org_id,
    action: 'monitor.update',
    resource: { kind: 'monitor', id: monitorId, name },
    before: loggedMonitor(shownBefore),
    after: loggedMonitor({
      ...shown,
      config: markNewSecrets(rules!, shown.config as typeof config, candidate.config, before.config),
    }),
  });
  return shown;
}

/** A default that was read and sent back stays a default: it must not become an explicit value by a round trip. */
function sentBack(
  given: Record<string, unknown>,
  shown: Monitor,
  before: MonitorRow,
): Record<string, unknown> {
  const read = shown.config as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(given).filter(
      ([key, value]) =>
        key in before.config ||
        !(
          isDeepStrictEqual(value, read[key]) ||
          (key === 'ping_url' && key in read && value === SECRET_MASK)
        ),
    ),
  );
}
