import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import { healthy } from '../domain/confirmation-state.ts';
import { INHERITED_POLICY } from '../domain/policy.ts';
import { publishMonitor } from '../events/publish.ts';
import { lockLimits } from '../organizations/plan.ts';
import { checkedName } from '../platform/checked-name.ts';
import { newId } from '../platform/ids.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import type { Vault } from '../platform/secrets.ts';
import type { Work } from '../platform/work.ts';
import { LOCAL_REGION } from '../regions/create.ts';
import { type AdmissionOptions, admit, admitOneMore, asNameTaken } from './admission.ts';
import { reassign } from './assign.ts';
import type { Monitor, MonitorCreate } from './contract.ts';
import { KINDS } from './kinds.ts';
import { mergeConfig, mergeGate, mergePolicy } from './merge.ts';
import { freeSlug } from './name.ts';
import { type MonitorRow, showMonitor } from './row.ts';
import { restoreMasked, sealConfig } from './sealing.ts';

export type MonitorOptions = AdmissionOptions & { vault: Vault };

const DEFAULT_INTERVAL_SECONDS = 60;

/** Creates a monitor and hands it to its probes. Refuses with every monitor write error of the interface, section 7. */
export async function createMonitor(
  work: Work,
  { orgId, projectId }: { orgId: string; projectId: string },
  body: MonitorCreate,
  options: MonitorOptions,
): Promise<Monitor> {
  const { tx, now } = work;
  await lockLimits(tx, orgId);
  // It may have been deleted since the request was let in; from here on it cannot be.
  const { rows } = await sql`SELECT 1 FROM projects WHERE id = ${projectId} FOR KEY SHARE`.execute(tx);
  if (rows.length === 0) notFound('project');
  const name = checkedName(body.name);
  const kind = KINDS.get(body.type);
  const merged = mergeConfig({}, body.config as Record<string, unknown>);
  const candidate = {
    orgId,
    type: body.type,
    config: kind ? restoreMasked(kind, merged, null, options.vault) : merged,
    intervalSeconds: body.interval_seconds ?? DEFAULT_INTERVAL_SECONDS,
    regions: body.regions ?? [LOCAL_REGION],
    policy: mergePolicy(INHERITED_POLICY, body.policy ?? null),
    alarmGate: mergeGate(null, body.alarm_gate ?? null),
  };
  if (body.policy?.effective_alarm !== undefined)
    refuse('invalid_request', 'policy.effective_alarm is read only.', { field: 'policy.effective_alarm' });
  await admitOneMore(tx, orgId);
  await admit(tx, candidate, options, null);

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
      config: JSON.stringify(sealConfig(kind!, candidate.config, id, options.vault)),
      enabled: body.enabled ?? true,
      interval_seconds: candidate.intervalSeconds,
      regions: candidate.regions,
      policy: JSON.stringify(candidate.policy),
      alarm_gate: candidate.alarmGate ? JSON.stringify(candidate.alarmGate) : null,
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
  const shown = showMonitor({
    ...made,
    last_status: null,
    last_severity: null,
    last_status_since: null,
  } as unknown as MonitorRow);
  await recordActivity(work, {
    orgId,
    action: 'monitor.create',
    resource: { kind: 'monitor', id, name },
    after: shown,
  });
  return shown;
}
