import { sql } from 'kysely';
import type { ResourceFilter } from '#src/platform/http/caller.ts';
import { notFound } from '#src/platform/refusals.ts';
import type { Work } from '#src/platform/work.ts';
import type { Monitor, MonitorCreate } from '../contract.ts';
import { createMonitor } from '../create.ts';
import { refuseDestination } from '../destination-project.ts';
import { type ShownAt, selectMonitors } from '../row.ts';
import { openStored } from '../sealing.ts';
import { rulesOf } from '../types.ts';
import { refuseExample } from '../update.ts';
import type { MonitorOptions } from '../validate.ts';
import type { Clone } from './contract.ts';

/**
 * Creates a monitor with the settings of another one, in the same project by default: config with secrets, interval, regions,
 * policy, gate, dependencies, severity and tags, but no history. Refuses like create.
 */
export async function cloneMonitor(
  work: Work,
  monitorId: string,
  { name, project_id, enabled }: Clone,
  options: MonitorOptions & ShownAt,
  within: ResourceFilter,
): Promise<Monitor> {
  const { tx, now } = work;
  const row = await selectMonitors(tx, now).where('monitors.id', '=', monitorId).executeTakeFirst();
  if (!row) notFound('monitor');
  refuseExample(row);
  const projectId = project_id ?? row.project_id;
  const { rows } = await sql`SELECT FROM projects WHERE id = ${projectId} AND org_id = ${row.org_id}`.execute(
    tx,
  );
  refuseDestination(projectId, rows.length > 0, within);
  const rules = rulesOf(row.type);
  const body = {
    name,
    type: row.type,
    // Sealed again for the new monitor: the destination is the same, so nobody learns a secret.
    config: openStored(rules, row.config, row.config, row.id, options.vault),
    enabled: enabled ?? row.enabled,
    interval_seconds: row.interval_seconds,
    regions: row.regions,
    policy: row.policy,
    alarm_gate: row.alarm_gate,
    depends_on: row.depends_on,
    severity: row.severity,
    tags: row.tags,
  } as MonitorCreate;
  return createMonitor(work, { orgId: row.org_id, projectId, within }, body, options);
}
