// Stop 4 of 8 (docs/architecture.md#from-a-result-to-the-receiver). From decide.ts: an outcome for each locked monitor, as
// ../domain/confirmation.ts decided it. It writes states, stores a job for each incident that only waits for time, shortens
// the interval of failing monitors, publishes live events, and opens and closes incidents, all in the transaction of the results.
// Next, ../incidents/open.ts: the incidents to open, with the evidence that evidence.ts makes.
import { sql } from 'kysely';
import { type CheckInterval, intervalInForce } from '../domain/check-interval.ts';
import {
  type ConfirmationState,
  hasOpenIncident,
  isSteady,
  lastSeverity,
  shownConfirming,
  statusShown,
  unconfirmedFailures,
} from '../domain/confirmation-state.ts';
import type { ConfirmationEvent, Opened } from '../domain/confirmation-types.ts';
import { NO_REGION, realRegions } from '../domain/no-region.ts';
import { hostOf } from '../domain/storm.ts';
import { publishMonitor } from '../events/publish.ts';
import { closeIncidents, openIncidentsOf } from '../incidents/close.ts';
import { openIncidents } from '../incidents/open.ts';
import { reassign } from '../monitors/assignments.ts';
import { triggerGroupsOf } from '../monitors/groups.ts';
import { instantOf } from '../platform/db/instant.ts';
import { pipelined } from '../platform/db/pipelined.ts';
import { addJobs, removeJobs } from '../platform/jobs/add-job.ts';
import type { Work } from '../platform/work.ts';
import { evidenceOf } from './evidence.ts';
import type { ChecksAhead } from './latest-checks.ts';
import type { LockedMonitor } from './monitored.ts';

export const CONFIRM_TASK = 'confirm';
export const confirmKey = (monitorNo: number) => `confirm:${monitorNo}`;

/** The decision about one monitor whose state is locked. */
export type Outcome = {
  monitor: LockedMonitor;
  state: ConfirmationState;
  events: readonly ConfirmationEvent[];
  reevaluateAtMs: number | null;
  /** The stored job of `reevaluate_at` is the one that runs now: a next one has to be stored anew. */
  jobHasRun?: boolean;
};

/** The most incidents in one statement. */
const BATCH = 500;

/** Applies outcomes of monitors whose states are locked. A monitor whose state did not change costs nothing. */
export async function applyDecisions(
  work: Work,
  outcomes: readonly Outcome[],
  ahead: ChecksAhead = new Map(),
): Promise<void> {
  const changed = outcomes.filter(
    ({ state, monitor, events, reevaluateAtMs, jobHasRun }) =>
      jobHasRun || state !== monitor.state || events.length > 0 || reevaluateAtMs !== monitor.reevaluateAtMs,
  );
  if (changed.length === 0) return;
  // A member that fails in maintenance counts for its groups only with an incident, which may open later than its status turned.
  const turned = changed.filter(
    ({ state, monitor, events }) =>
      statusOf(monitor, state) !== monitor.lastStatus || events.some(({ kind }) => kind === 'opened'),
  );
  const turnedIds = turned.map(({ monitor }) => monitor.id);
  await pipelined(
    // All states first: whether a new incident is held depends on the outages of other monitors, those of this batch included.
    () => saveStates(work, changed),
    () => applyEvents(work, changed, ahead),
    () => applyConsequences(work, changed),
    () => triggerGroupsOf(work, turnedIds),
  );
}

const statusOf = ({ manualIncident, inputs }: LockedMonitor, state: ConfirmationState) =>
  statusShown(state, inputs.onlineRegions, manualIncident);

const confirmingOf = ({ inputs }: LockedMonitor, state: ConfirmationState) =>
  unconfirmedFailures(state, inputs.onlineRegions);

function intervalOf(
  { rules, policy, inputs, fasterSinceMs }: LockedMonitor,
  state: ConfirmationState,
): CheckInterval {
  const intervals = {
    intervalSeconds: rules.intervalSeconds,
    failedIntervalSeconds: policy.failed_interval_seconds,
  };
  return intervalInForce(state, inputs.onlineRegions, intervals, fasterSinceMs);
}

async function saveStates(work: Work, outcomes: readonly Outcome[]): Promise<void> {
  const rows = outcomes.map(({ monitor, state, reevaluateAtMs }) => ({
    no: monitor.no,
    calm: isSteady(state),
    state,
    last_status: statusOf(monitor, state),
    last_severity: lastSeverity(state),
    reevaluate_at: instantOf(reevaluateAtMs),
    faster_since: instantOf(intervalOf(monitor, state).sinceMs),
    confirming: confirmingOf(monitor, state),
  }));
  await sql`
    UPDATE monitor_state s SET calm = n.calm, state = n.state, last_status = n.last_status,
      last_severity = n.last_severity, reevaluate_at = n.reevaluate_at, faster_since = n.faster_since, confirming = n.confirming,
      last_status_since = CASE WHEN s.last_status IS DISTINCT FROM n.last_status THEN ${work.now} ELSE s.last_status_since END
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS n (no int, calm boolean, state jsonb, last_status text, last_severity text, reevaluate_at timestamptz,
        faster_since timestamptz, confirming smallint)
    WHERE s.monitor_no = n.no`.execute(work.tx);
}

/** Schedules jobs for outages that wait for time, changes the interval of failing monitors, and publishes live events. */
async function applyConsequences(work: Work, outcomes: readonly Outcome[]): Promise<void> {
  const cancelled: string[] = [];
  const due: Parameters<typeof addJobs>[2][number][] = [];
  for (const { monitor, state, reevaluateAtMs, jobHasRun } of outcomes) {
    const key = confirmKey(monitor.no);
    if (reevaluateAtMs !== monitor.reevaluateAtMs || (jobHasRun && reevaluateAtMs !== null)) {
      if (reevaluateAtMs === null) cancelled.push(key);
      else due.push({ payload: { monitor_no: monitor.no }, key, runAt: new Date(reevaluateAtMs) });
    }
    const checkInterval = intervalOf(monitor, state);
    if (checkInterval.sinceMs !== monitor.fasterSinceMs)
      reassign(work, { monitorNo: monitor.no, ...checkInterval });
    const status = statusOf(monitor, state);
    if (status !== monitor.lastStatus || confirmingOf(monitor, state) !== monitor.confirming)
      publishMonitor(work, monitor.orgId, {
        monitor_id: monitor.id,
        project_id: monitor.projectId,
        change: 'status',
        last_status: status,
        confirming: shownConfirming(confirmingOf(monitor, state), monitor.policy.alarm_consecutive),
      });
  }
  await Promise.all([removeJobs(work.tx, cancelled), addJobs(work.tx, CONFIRM_TASK, due)]);
}

type MonitorEvent<V extends ConfirmationEvent = ConfirmationEvent> = { monitor: LockedMonitor; event: V };
type Kind = 'opened' | 'resolved' | 'region_failing';

/** Opens and closes incidents, and adds failing regions to open ones. Events of a monitor are applied in their order. */
async function applyEvents(work: Work, outcomes: readonly Outcome[], ahead: ChecksAhead): Promise<void> {
  const perMonitor = outcomes.map(({ monitor, events }) => incidentEvents(monitor, events));
  const rounds = Math.max(0, ...perMonitor.map((events) => events.length));
  // Usually there is one round. Events of a monitor run one after the other, since they may concern the same incident.
  for (let round = 0; round < rounds; round++) {
    const monitorEvents = perMonitor.flatMap((events) => events[round] ?? []);
    for (let i = 0; i < monitorEvents.length; i += BATCH)
      await applyRound(work, monitorEvents.slice(i, i + BATCH), ahead);
  }
}

/** The events that change an incident; a region that fails while none is open changes none. */
function incidentEvents(monitor: LockedMonitor, events: readonly ConfirmationEvent[]): MonitorEvent[] {
  let isOpen = hasOpenIncident(monitor.state);
  return events.flatMap((event) => {
    if (event.kind === 'opened') isOpen = true;
    const changesIncident =
      event.kind === 'opened' ||
      event.kind === 'resolved' ||
      (event.kind === 'region_failing' && isOpen && event.region !== NO_REGION);
    return changesIncident ? [{ monitor, event }] : [];
  });
}

/** At most one event of each monitor, so that the three kinds concern different monitors. */
async function applyRound(
  work: Work,
  monitorEvents: readonly MonitorEvent[],
  ahead: ChecksAhead,
): Promise<void> {
  const only = <K extends Kind>(kind: K) =>
    monitorEvents.filter(({ event }) => event.kind === kind) as MonitorEvent<
      Extract<ConfirmationEvent, { kind: K }>
    >[];
  await Promise.all([
    open(work, only('opened'), ahead),
    close(work, only('resolved')),
    addDownRegions(work, only('region_failing')),
  ]);
}

async function open(
  work: Work,
  monitorEvents: readonly MonitorEvent<Opened>[],
  ahead: ChecksAhead,
): Promise<void> {
  if (monitorEvents.length === 0) return;
  const openings = monitorEvents.map(({ monitor, event }) => ({
    orgId: monitor.orgId,
    monitorId: monitor.id,
    monitorNo: monitor.no,
    monitorType: monitor.type,
    severity: monitor.severity,
    mayBeHeld: monitor.mayBeHeld,
    host: hostOf(monitor.config),
    downRegions: realRegions(event.downRegions),
    regionCount: realRegions(monitor.rules.regions).length,
    startedAt: new Date(event.startedAtMs),
    failurePhaseStartedAt: new Date(event.failurePhaseStartedAtMs),
    triggeredAt: new Date(event.triggeredAtMs),
  }));
  const toOpen = monitorEvents.map(({ monitor, event }) => ({ monitor, opened: event }));
  await openIncidents(work, openings, () => evidenceOf(work, toOpen, ahead));
}

async function close(
  work: Work,
  monitorEvents: readonly MonitorEvent<Extract<ConfirmationEvent, { kind: 'resolved' }>>[],
): Promise<void> {
  if (monitorEvents.length === 0) return;
  const open = await openIncidentsOf(
    work,
    monitorEvents.map(({ monitor }) => monitor.no),
  );
  const closing = { automatic: true, actorName: null, detail: 'recovered' };
  for (const [orgId, own] of Map.groupBy(monitorEvents, ({ monitor }) => monitor.orgId)) {
    const ends = own.flatMap(({ monitor, event }) => {
      const incidentId = open.get(monitor.no);
      return incidentId === undefined ? [] : { incidentId, at: new Date(event.atMs) };
    });
    await closeIncidents(work, orgId, ends, closing);
  }
}

/** `down_regions` names every region that has failed during the incident (docs/rules/confirmation.md#down-regions). */
async function addDownRegions(
  work: Work,
  monitorEvents: readonly MonitorEvent<Extract<ConfirmationEvent, { kind: 'region_failing' }>>[],
): Promise<void> {
  if (monitorEvents.length === 0) return;
  const rows = monitorEvents.map(({ monitor, event }) => ({ no: monitor.no, region: event.region }));
  await sql`
    UPDATE incidents i SET down_regions =
      ARRAY(SELECT DISTINCT name FROM unnest(i.down_regions || f.region) AS name ORDER BY name)
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS f (no int, region text)
    WHERE i.monitor_no = f.no AND i.status = 'open' AND i.origin = 'automatic' AND NOT f.region = ANY(i.down_regions)`.execute(
    work.tx,
  );
}
