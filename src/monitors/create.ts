import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import { readInherited } from '../alarm-policy/inherited.ts';
import { lockAlarmPolicy } from '../alarm-policy/lock.ts';
import { healthy } from '../domain/confirmation-state.ts';
import { INHERITED_POLICY } from '../domain/policy.ts';
import { publishMonitor } from '../events/publish.ts';
import { lockLimits } from '../organizations/lock-limits.ts';
import { checkedName } from '../platform/checked-name.ts';
import type { Within } from '../platform/http/caller.ts';
import { newId } from '../platform/ids.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import type { Vault } from '../platform/secrets.ts';
import type { Work } from '../platform/work.ts';
import { type AdmissionOptions, admit, admitOneMore, asNameTaken } from './admission.ts';
import { intervalWhereNoneIsGiven } from './admit-interval.ts';
import { refuseForeignProfile } from './admit-policy.ts';
import { admitReferences } from './admit-references.ts';
import { regionsWhereNoneAreGiven } from './admit-regions.ts';
import { reassign } from './assign.ts';
import type { Monitor, MonitorCreate } from './contract.ts';
import { wakeGroup } from './groups.ts';
import { keepHeartbeat } from './heartbeats.ts';
import { mergeConfig, mergeGate, mergePolicy } from './merge.ts';
import { freeSlug } from './name.ts';
import { lockReferences, namesMonitors } from './references.ts';
import { completeConfig, loggedMonitor, type ShownAt, selectMonitors, showMonitor } from './row.ts';
import { restoreMasked, sealConfig } from './sealing.ts';
import { TYPES } from './types.ts';

export type MonitorOptions = AdmissionOptions & { vault: Vault };

/**
 * Creates a monitor and hands it to its probes. Refuses with every code of
 * docs/rules/errors-and-conventions.md#monitor-write-refusals.
 */
export async function createMonitor(
  work: Work,
  { orgId, projectId, within }: { orgId: string; projectId: string; within: Within },
  body: MonitorCreate,
  options: MonitorOptions & ShownAt,
): Promise<Monitor> {
  const { tx, now } = work;
  await lockLimits(tx, orgId);
  await lockAlarmPolicy(tx, orgId, 'shared');
  if (namesMonitors(body)) await lockReferences(tx, orgId);
  // It may have been deleted since the request was let in; from here on it cannot be.
  const { rows } = await sql`SELECT 1 FROM projects WHERE id = ${projectId} FOR KEY SHARE`.execute(tx);
  if (rows.length === 0) notFound('project');
  const name = checkedName(body.name);
  const rules = TYPES.get(body.type);
  const merged = mergeConfig(rules, {}, body.config as Record<string, unknown>);
  const policy = mergePolicy(INHERITED_POLICY, body.policy ?? null);
  const candidate = {
    orgId,
    type: body.type,
    config: rules ? restoreMasked(rules, merged, null, options.vault) : merged,
    intervalSeconds: body.interval_seconds ?? intervalWhereNoneIsGiven(rules),
    regions: body.regions ?? regionsWhereNoneAreGiven(body.type),
    policy,
    inherited: await readInherited(tx, orgId, policy.alert_profile_id),
    alarmGate: mergeGate(null, body.alarm_gate ?? null),
    dependsOn: body.depends_on ?? [],
  };
  if (body.policy?.effective_alarm !== undefined)
    refuse('invalid_request', 'policy.effective_alarm is read-only.', { field: 'policy.effective_alarm' });
  refuseForeignProfile(policy.alert_profile_id, null, within);
  await admitOneMore(tx, orgId);
  await admit(tx, candidate, options, null);
  await admitReferences(tx, { id: null, orgId }, candidate, null, within);

  const id = newId('mon');
  const made = await tx
    .insertInto('monitors')
    .values({
      id,
      org_id: orgId,
      project_id: projectId,
      name,
      slug: await freeSlug(tx, projectId, name),
      type: candidate.type,
      config: JSON.stringify(sealConfig(rules!, candidate.config, id, options.vault)),
      enabled: body.enabled ?? true,
      interval_seconds: candidate.intervalSeconds,
      regions: candidate.regions,
      policy: JSON.stringify(candidate.policy),
      alarm_gate: candidate.alarmGate ? JSON.stringify(candidate.alarmGate) : null,
      depends_on: candidate.dependsOn,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(asNameTaken);
  await tx
    .insertInto('monitor_state')
    .values({ monitor_no: made.no, state: JSON.stringify(healthy), not_before: now })
    .execute();
  reassign(work, { monitorNo: made.no, intervalSeconds: made.interval_seconds });
  publishMonitor(work, orgId, {
    monitor_id: id,
    project_id: projectId,
    change: 'created',
    last_status: null,
  });
  const config = completeConfig(rules!, candidate.config, made.interval_seconds);
  await keepHeartbeat(work, { ...made, config, state: healthy }, options.vault);
  await wakeGroup(work, made);
  const row = await selectMonitors(tx, work.now).where('monitors.no', '=', made.no).executeTakeFirstOrThrow();
  const shown = showMonitor(row, options, { mayWrite: true });
  await recordActivity(work, {
    orgId,
    action: 'monitor.create',
    resource: { kind: 'monitor', id, name },
    after: loggedMonitor(shown),
  });
  return shown;
}
