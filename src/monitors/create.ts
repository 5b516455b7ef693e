import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import { lockAlarmPolicy } from '../alarm-policy/lock.ts';
import { healthy } from '../domain/confirmation-state.ts';
import { publishMonitor } from '../events/publish.ts';
import { lockLimits } from '../organizations/lock-limits.ts';
import { planLimits } from '../plans/plan.ts';
import { checkedName } from '../platform/checked-name.ts';
import { pipelined } from '../platform/db/pipelined.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import { newId } from '../platform/ids.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import type { Vault } from '../platform/secrets.ts';
import { sendUnawaited, type Tx, type Work } from '../platform/work.ts';
import { reassign } from './assignments.ts';
import { candidateOf, newParts } from './candidate.ts';
import type { Monitor, MonitorCreate } from './contract.ts';
import { refuseBeyondQuota } from './entitlements.ts';
import { freeSlug } from './free-slug.ts';
import { wakeGroup } from './groups.ts';
import { keepHeartbeat } from './heartbeats.ts';
import { lockReferences, namesMonitors } from './references.ts';
import { startingReporting } from './reporting-rules.ts';
import { completeConfig, loggedMonitor, type ShownAt, selectMonitors, showMonitor } from './row.ts';
import { sealConfig } from './sealing.ts';
import { announceTags, lockTags } from './tags-changed.ts';
import { type MonitorOptions, refuseDuplicateName, type Valid, validateMonitor } from './validate.ts';
import { refuseForeignProfile } from './validate-policy.ts';

export type Place = { orgId: string; projectId: string; within: ResourceFilter };

/** A new monitor that passed every check; nothing of it is written yet. */
type Prepared = Valid & { name: string; slug: string; enabled: boolean };
type Written = Prepared & { example: boolean };

/**
 * Creates a monitor and assigns it to its probes. Refuses with every code of
 * docs/rules/errors-and-conventions.md#monitor-write-refusals. `example`: the monitor counts nowhere (../examples).
 */
export async function createMonitor(
  work: Work,
  place: Place,
  body: MonitorCreate,
  { example = false, ...options }: MonitorOptions & ShownAt & { example?: boolean },
): Promise<Monitor> {
  const prepared = await prepareMonitor(work.tx, place, body, { ...options, example });
  return writeMonitor(work, place, { ...prepared, example }, options);
}

/**
 * Makes the checks of `createMonitor`, and writes nothing. `pending`: monitors that count against the plan beside the stored
 * ones.
 */
export async function prepareMonitor(
  tx: Tx,
  { orgId, projectId, within }: Place,
  body: MonitorCreate,
  { example = false, ...options }: MonitorOptions & { example?: boolean },
  pending = 0,
): Promise<Prepared> {
  const name = checkedName(body.name);
  const whose = { id: newId('mon'), orgId };
  const [, asked, limits, slug] = await pipelined(
    () =>
      lockPlace(tx, { orgId, projectId, naming: namesMonitors(body), tagging: Boolean(body.tags?.length) }),
    () => candidateOf(tx, whose, body, newParts(body.type), options.vault),
    () => planLimits(tx, orgId),
    () => freeSlug(tx, projectId, name),
  );
  // The organization's standard is about real alarms; it may ask for more regions than there are to check an example.
  const candidate = example ? { ...asked, inherited: { profile: null, standard: null } } : asked;
  if (body.policy?.effective_alarm !== undefined)
    refuse('invalid_request', 'policy.effective_alarm is read-only.', { field: 'policy.effective_alarm' });
  refuseForeignProfile(candidate.policy.alert_profile_id, null, within);
  await refuseBeyondQuota(tx, orgId, limits, pending);
  const valid = await validateMonitor(tx, candidate, null, { ...options, limits }, within);
  return { ...valid, name, slug, enabled: body.enabled ?? true };
}

/** Writes a prepared monitor, in the same transaction. */
export async function writeMonitor(
  work: Work,
  { projectId }: Place,
  prepared: Written,
  options: MonitorOptions & ShownAt,
): Promise<Monitor> {
  const no = await write(work, projectId, prepared, options.vault);
  await announceTags(work, prepared.orgId, [], prepared.tags);
  return record(work, no, projectId, options);
}

/** Locks, in order: the plan's limits, the alarm policy, the organization's references and tags, the project. */
export async function lockPlace(
  tx: Tx,
  {
    orgId,
    projectId,
    naming,
    tagging,
  }: { orgId: string; projectId: string; naming: boolean; tagging: boolean },
): Promise<void> {
  const [, , , , { rows }] = await pipelined(
    () => lockLimits(tx, orgId),
    () => lockAlarmPolicy(tx, orgId, 'shared'),
    async () => (naming ? lockReferences(tx, orgId) : undefined),
    async () => (tagging ? lockTags(tx, orgId, 'shared') : undefined),
    // Somebody may have deleted the project since the request was authorized; under this lock nobody can.
    () => sql`SELECT 1 FROM projects WHERE id = ${projectId} FOR KEY SHARE`.execute(tx),
  );
  if (rows.length === 0) notFound('project');
}

/** Writes the monitor with its state, assignments and heartbeat. Returns its number. */
async function write(work: Work, projectId: string, monitor: Written, vault: Vault): Promise<number> {
  const { tx, now } = work;
  const { id, orgId, name, slug, type, enabled, example, rules, intervalSeconds } = monitor;
  const { no } = await tx
    .insertInto('monitors')
    .values({
      id,
      org_id: orgId,
      project_id: projectId,
      name,
      slug,
      type,
      config: JSON.stringify(sealConfig(rules, monitor.config, id, vault)),
      enabled,
      interval_seconds: intervalSeconds,
      regions: monitor.regions,
      policy: JSON.stringify(monitor.policy),
      alarm_gate: monitor.alarmGate ? JSON.stringify(monitor.alarmGate) : null,
      depends_on: monitor.dependsOn,
      severity: monitor.severity,
      tags: monitor.tags,
      example,
      created_at: now,
    })
    .returning('no')
    .executeTakeFirstOrThrow()
    .catch(refuseDuplicateName);
  const state = { monitor_no: no, state: JSON.stringify(healthy), not_before: now };
  sendUnawaited(work, tx.insertInto('monitor_state').values(state));
  reassign(work, { monitorNo: no, intervalSeconds, sinceMs: null });
  const config = completeConfig(rules, monitor.config, intervalSeconds);
  const beat = { no, type, config, enabled, interval_seconds: intervalSeconds, state: healthy };
  sendUnawaited(work, startingReporting(work, beat));
  await keepHeartbeat(work, beat, vault);
  await wakeGroup(work, { no, type, enabled });
  return no;
}

/** Publishes and logs the new monitor. Returns it as it reads. */
async function record(work: Work, no: number, projectId: string, shownAt: ShownAt): Promise<Monitor> {
  const row = await selectMonitors(work.tx, work.now).where('monitors.no', '=', no).executeTakeFirstOrThrow();
  const shown = showMonitor(row, shownAt, { mayWrite: true });
  publishMonitor(work, row.org_id, {
    monitor_id: row.id,
    project_id: projectId,
    change: 'created',
    last_status: null,
  });
  await recordActivity(work, {
    orgId: row.org_id,
    action: 'monitor.create',
    resource: { kind: 'monitor', id: row.id, name: row.name },
    after: loggedMonitor(shown),
  });
  return shown;
}
