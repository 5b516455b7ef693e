// Writes the lines of an export, kind by kind. A line may only refer to things in the same file: other ids of this
// installation are refused, so that no file reaches other organizations.

import type { Inherited } from '../alarm-policy/inherited.ts';
import { validateStandard } from '../alarm-policy/standard.ts';
import { validateValues } from '../alarm-policy/validate.ts';
import { type CheckInterval, intervalInForce } from '../domain/check-interval.ts';
import { type ConfirmationState, isSteady, unconfirmedFailures } from '../domain/confirmation-state.ts';
import { judgedFrom } from '../domain/no-region.ts';
import type { MonitorPolicy } from '../domain/policy.ts';
import { reassign } from '../monitors/assignments.ts';
import { keepHeartbeat, resumeHeartbeat } from '../monitors/heartbeats.ts';
import { policyInForce } from '../monitors/policy-levels.ts';
import { completeConfig } from '../monitors/row.ts';
import { rulesOf } from '../monitors/types.ts';
import type { Vault } from '../platform/secrets.ts';
import type { Work } from '../platform/work.ts';
import * as into from './columns.ts';
import type { LineKind } from './format.ts';
import { insertRows } from './insert.ts';
import { loadBuckets, loadChecks, loadDowntime, loadReportedTimes, reportingRules } from './load-buckets.ts';
import { loadIncidents, loadNotes, loadPostmortems, loadTimeline } from './load-incidents.ts';
import { loadMaintenance, loadMaintenanceSeries } from './load-maintenance.ts';
import { loadOnCallOverrides, loadOnCallRoster, loadOnCallSettings } from './load-on-call.ts';
import {
  loadPageDomains,
  loadPageLinks,
  loadPageLogos,
  loadPageMonitors,
  loadPageSubscribers,
  loadPageViewers,
  loadStatusPages,
} from './load-status-pages.ts';
import { loadDeliveries, loadEvents, loadTargets } from './load-targets.ts';
import { type Line, notInFile, within } from './read-lines.ts';
import type { Naming } from './references.ts';
import { refusedAt } from './refused-at.ts';
import { validMonitor } from './validate-monitor.ts';

export type Loading = {
  work: Work;
  vault: Vault;
  orgId: string;
  /** Users who became members, by address. */
  userIds: ReadonlyMap<string, string>;
  regionNos: Map<string, number>;
  madeRegions: string[];
  /** Alert profiles by id, and the alarm standard: what monitors inherit. */
  profiles: Map<string, Inherited['profile']>;
  standard: Inherited['standard'];
  projects: Set<string>;
  maintenanceSeries: Set<string>;
  monitorNos: Map<string, number>;
  /** Every monitor with the monitors and agents it names, to be checked once all of them are loaded. */
  naming: Naming[];
  incidents: Set<string>;
  statusPages: Set<string>;
  targets: Set<string>;
};

type LineOf<K extends LineKind> = Extract<Line, { kind: K }>;
type Loader<K extends LineKind> = (loading: Loading, lines: readonly LineOf<K>[]) => Promise<void>;

const nothing = async () => undefined;

/** One loader per kind; lines of one kind arrive together, at most a few hundred at a time. */
const LOADERS: { [K in LineKind]: Loader<K> } = {
  tocsin_organization_export: nothing,
  // Created before everything else, with its people.
  organization: nothing,
  member: nothing,
  invitation: nothing,

  /** Without probes, and never with private targets: only the operator of this installation may allow those. */
  async region({ work, regionNos, madeRegions }, lines) {
    for (const { data } of lines) {
      if (regionNos.has(data.slug)) continue;
      const made = await work.tx
        .insertInto('regions')
        .values({ ...data, created_at: work.now })
        // Made meanwhile, by another import or by the operator: the insert has waited for it.
        .onConflict((conflict) => conflict.column('slug').doNothing())
        .returning('no')
        .executeTakeFirst();
      if (made) madeRegions.push(data.slug);
      const region = work.tx.selectFrom('regions').select('no').where('slug', '=', data.slug);
      regionNos.set(data.slug, (made ?? (await region.executeTakeFirstOrThrow())).no);
    }
  },

  on_call_settings: loadOnCallSettings,
  on_call_roster: loadOnCallRoster,
  on_call_override: loadOnCallOverrides,

  async alarm_standard(loading, lines) {
    for (const { number, data } of lines) {
      const standard = refusedAt(number, () => validateStandard(data.standard));
      const row = { org_id: loading.orgId, standard: JSON.stringify(standard) };
      await loading.work.tx.insertInto('alarm_standards').values(row).execute();
      loading.standard = standard;
    }
  },

  async alert_profile({ work, orgId, profiles }, lines) {
    const rows = lines.map(({ number, data }) => {
      refusedAt(number, () => validateValues(data.policy));
      return { ...data, org_id: orgId };
    });
    await insertRows(work.tx, 'alert_profiles', into.ALERT_PROFILE, rows);
    for (const { id, policy } of rows) profiles.set(id, policy as Inherited['profile']);
  },

  async project({ work, orgId, projects }, lines) {
    const rows = lines.map(({ data }) => ({ ...data, org_id: orgId }));
    await work.tx.insertInto('projects').values(rows).execute();
    for (const { id } of rows) projects.add(id);
  },

  async monitor({ work, vault, orgId, projects, profiles, standard, monitorNos, naming, regionNos }, lines) {
    const monitors = lines.map(({ number, data }) => {
      within(number, projects, data.project_id, 'project_id');
      for (const slug of data.regions) within(number, regionNos, slug, 'regions');
      const { alert_profile_id: profileId } = data.policy;
      if (profileId != null) within(number, profiles, profileId, 'policy.alert_profile_id');
      const admitted = refusedAt(number, () => validMonitor(data, vault));
      naming.push({ ...admitted, line: number, dependsOn: admitted.depends_on ?? [] });
      return { ...admitted, org_id: orgId };
    });
    await insertRows(work.tx, 'monitors', into.MONITOR, monitors);
    const numbered = await work.tx
      .selectFrom('monitors')
      .select(['id', 'no'])
      .where(
        'id',
        'in',
        monitors.map(({ id }) => id),
      )
      .execute();
    for (const { id, no } of numbered) monitorNos.set(id, no);
    const states = monitors.map((monitor) => {
      const checkInterval = intervalOf(
        monitor,
        profiles.get(monitor.policy.alert_profile_id ?? '') ?? null,
        standard,
      );
      return {
        ...monitor,
        monitor_no: monitorNos.get(monitor.id),
        calm: isSteady(monitor.state),
        confirming: unconfirmedFailures(monitor.state, judgedFrom(monitor.regions)),
        faster_since: checkInterval.sinceMs === null ? null : new Date(checkInterval.sinceMs),
        checkInterval,
      };
    });
    await insertRows(work.tx, 'monitor_state', into.MONITOR_STATE, states);
    await insertRows(work.tx, 'reporting_rules', into.REPORTING_RULE, states.flatMap(reportingRules));
    for (const { monitor_no: no, type, config, ...monitor } of states)
      if (no !== undefined && type === 'heartbeat')
        await keepHeartbeat(
          work,
          { ...monitor, no, type, config: completeConfig(rulesOf(type), config, 0) },
          vault,
        );
    for (const { monitor_no, checkInterval } of states)
      reassign(work, { monitorNo: monitor_no ?? 0, ...checkInterval });
  },

  async heartbeat({ work, vault, monitorNos }, lines) {
    for (const { number, data } of lines) {
      const no = monitorNos.get(data.monitor_id);
      if (no === undefined || !(await resumeHeartbeat(work, no, data, vault)))
        throw notInFile(number, data.monitor_id, 'monitor_id');
    }
  },

  maintenance_series: loadMaintenanceSeries,
  maintenance_window: loadMaintenance,
  incident: loadIncidents,
  incident_timeline: loadTimeline,
  incident_note: loadNotes,
  postmortem: loadPostmortems,
  status_page: loadStatusPages,
  status_page_monitor: loadPageMonitors,
  status_page_logo: loadPageLogos,
  status_page_viewer: loadPageViewers,
  status_page_domain: loadPageDomains,
  status_page_subscriber: loadPageSubscribers,
  incident_status_page: loadPageLinks,

  webhook_target: loadTargets,
  webhook_event: loadEvents,
  delivery: loadDeliveries,

  async api_key({ work, orgId, userIds }, lines) {
    const rows = lines.map(({ data }) => ({
      ...data,
      org_id: orgId,
      created_by_user_id: userIds.get(data.created_by_email?.toLowerCase() ?? '') ?? null,
    }));
    await insertRows(work.tx, 'api_keys', into.API_KEY, rows);
  },

  async activity({ work, orgId }, lines) {
    const rows = lines.map(({ data }) => ({ ...data, org_id: orgId }));
    await insertRows(work.tx, 'activity', into.ACTIVITY, rows);
  },

  check: loadChecks,
  check_bucket: loadBuckets,
  downtime_bucket: loadDowntime,
  reported_time: loadReportedTimes,
};

/**
 * Writes lines of one kind. Throws BrokenLine for an impossible one, and names the lines if the database refuses them.
 */
export async function loadLines(loading: Loading, lines: readonly Line[]): Promise<void> {
  const [first] = lines;
  if (!first) return;
  const load = LOADERS[first.kind] as Loader<LineKind>;
  try {
    await load(loading, lines as readonly LineOf<LineKind>[]);
  } catch (error) {
    const { code = '', message, detail } = error as { code?: string; message: string; detail?: string };
    // PostgreSQL, class 22 (data) and 23 (constraints): the file is at fault.
    if (!/^2[23]...$/.test(code)) throw error;
    const last = lines.at(-1)?.number ?? first.number;
    const hint = code === '23505' ? ' Something with the same name or id already exists here.' : '';
    throw new Error(
      `Lines ${first.number} to ${last} of the export (${first.kind}) cannot be imported: ${detail ?? message}.${hint} ` +
        'Nothing was imported.',
    );
  }
}

type Checked = {
  state: ConfirmationState;
  regions: readonly string[];
  interval_seconds: number;
  policy: object;
};

/** How often a monitor is checked from now on; its regions count as online until more is known. */
function intervalOf(
  { state, regions, interval_seconds: intervalSeconds, policy }: Checked,
  profile: Inherited['profile'],
  standard: Inherited['standard'],
): CheckInterval {
  const inForce = policyInForce({ policy: policy as MonitorPolicy, profile, standard });
  const intervals = { intervalSeconds, failedIntervalSeconds: inForce.failed_interval_seconds };
  return intervalInForce(state, judgedFrom(regions), intervals, null);
}
