// Writes down what confirmation decided: state, incidents with evidence, jobs for what time alone will change, faster
// checking while something fails, live events. All in the transaction of the results.
import { sql } from 'kysely';
import {
  type ConfirmationState,
  displayStatus,
  hasOpenIncident,
  intervalInForce,
  isCalm,
  lastSeverity,
  type Verdict,
} from '../domain/confirmation.ts';
import { NO_REGION, told } from '../domain/no-region.ts';
import { publishMonitor } from '../events/publish.ts';
import { closeIncident } from '../incidents/close.ts';
import { openIncident } from '../incidents/open.ts';
import { reassign } from '../monitors/assign.ts';
import { wakeGroupsOf } from '../monitors/groups.ts';
import { addJob, removeJob } from '../platform/jobs/add-job.ts';
import type { Work } from '../platform/work.ts';
import { evidenceOf } from './evidence.ts';
import type { LoadedSubject } from './subjects.ts';

/** Monitors whose incidents and jobs are written at a time. */
const TOGETHER = 100;

export const CONFIRM_TASK = 'confirm';
export const confirmKey = (monitorNo: number) => `confirm:${monitorNo}`;

export type Outcome = {
  subject: LoadedSubject;
  state: ConfirmationState;
  events: readonly Verdict[];
  reevaluateAtMs: number | null;
  /** The stored job of `reevaluate_at` is what runs now: if there is a next one, it has to be stored anew. */
  jobIsSpent?: boolean;
};

/** Applies outcomes of monitors whose states are locked. Monitors whose state did not change cost nothing. */
export async function applyDecisions(work: Work, outcomes: readonly Outcome[]): Promise<void> {
  const changed = outcomes.filter(
    ({ state, subject, events, reevaluateAtMs, jobIsSpent }) =>
      jobIsSpent || state !== subject.state || events.length > 0 || reevaluateAtMs !== subject.reevaluateAtMs,
  );
  if (changed.length === 0) return;
  // All states first: an incident that opens looks at the outages of what its monitor depends on, also at those of this
  // very batch. Beyond that nothing depends on each other: what is issued together travels together.
  await saveStates(work, changed);
  for (let i = 0; i < changed.length; i += TOGETHER) {
    const some = changed.slice(i, i + TOGETHER);
    await Promise.all([
      ...some.map((outcome) => applyEvents(work, outcome)),
      ...some.map((outcome) => applyConsequences(work, outcome)),
    ]);
  }
  const turned = changed.filter(({ state, subject }) => displayStatus(state) !== subject.lastStatus);
  await wakeGroupsOf(
    work,
    turned.map(({ subject }) => subject.id),
  );
}

async function applyEvents(work: Work, { subject, events }: Outcome): Promise<void> {
  let isOpen = hasOpenIncident(subject.state);
  for (const event of events) {
    if (event.kind === 'opened') {
      isOpen = true;
      const opening = {
        orgId: subject.orgId,
        monitorId: subject.id,
        monitorNo: subject.no,
        projectId: subject.projectId,
        checkKind: subject.type,
        downRegions: told(event.downRegions),
        regionCount: told(subject.subject.regions).length,
        startedAt: new Date(event.startedAtMs),
        failurePhaseStartedAt: new Date(event.failurePhaseStartedAtMs),
        triggeredAt: new Date(event.triggeredAtMs),
      };
      await openIncident(work, opening, evidenceOf(work, subject, event));
    } else if (event.kind === 'resolved') {
      const open = await openIncidentOf(work, subject.no);
      if (open)
        await closeIncident(work, subject.orgId, open, {
          at: new Date(event.atMs),
          automatic: true,
          actorName: null,
          detail: 'recovered',
        });
    } else if (event.kind === 'region_failing') {
      if (isOpen && event.region !== NO_REGION) await nameDownRegion(work, subject.no, event.region);
    }
  }
}

async function openIncidentOf(work: Work, monitorNo: number): Promise<string | null> {
  const row = await work.tx
    .selectFrom('incidents')
    .select('id')
    .where('monitor_no', '=', monitorNo)
    .where('status', '=', 'open')
    .where('origin', '=', 'automatic')
    .executeTakeFirst();
  return row?.id ?? null;
}

/** `down_regions` names every region that has been failing during the incident (decisions, section 5). */
async function nameDownRegion(work: Work, monitorNo: number, region: string): Promise<void> {
  await sql`
    UPDATE incidents SET down_regions = ARRAY(SELECT DISTINCT name FROM unnest(down_regions || ${region}::text) AS name ORDER BY name)
    WHERE monitor_no = ${monitorNo} AND status = 'open' AND origin = 'automatic' AND NOT ${region} = ANY(down_regions)`.execute(
    work.tx,
  );
}

async function saveStates(work: Work, outcomes: readonly Outcome[]): Promise<void> {
  const rows = outcomes.map(({ subject, state, reevaluateAtMs }) => ({
    no: subject.no,
    calm: isCalm(state),
    state,
    last_status: displayStatus(state),
    last_severity: lastSeverity(state),
    reevaluate_at: reevaluateAtMs === null ? null : new Date(reevaluateAtMs).toISOString(),
  }));
  await sql`
    UPDATE monitor_state s SET calm = n.calm, state = n.state, last_status = n.last_status,
      last_severity = n.last_severity, reevaluate_at = n.reevaluate_at,
      last_status_since = CASE WHEN s.last_status IS DISTINCT FROM n.last_status THEN ${work.now} ELSE s.last_status_since END
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS n (no int, calm boolean, state jsonb, last_status text, last_severity text, reevaluate_at timestamptz)
    WHERE s.monitor_no = n.no`.execute(work.tx);
}

async function applyConsequences(work: Work, outcome: Outcome): Promise<void> {
  const { subject, state, reevaluateAtMs } = outcome;
  if (reevaluateAtMs !== subject.reevaluateAtMs || (outcome.jobIsSpent && reevaluateAtMs !== null)) {
    const key = confirmKey(subject.no);
    if (reevaluateAtMs === null) await removeJob(work.tx, key);
    else
      await addJob(work.tx, {
        task: CONFIRM_TASK,
        payload: { monitor_no: subject.no },
        key,
        runAt: new Date(reevaluateAtMs),
      });
  }
  const { intervalSeconds } = subject.subject;
  const before = intervalInForce(subject.state, intervalSeconds, subject.policy.failed_interval_seconds);
  const after = intervalInForce(state, intervalSeconds, subject.policy.failed_interval_seconds);
  if (after !== before) reassign(work, { monitorNo: subject.no, intervalSeconds: after });
  const status = displayStatus(state);
  if (status !== subject.lastStatus)
    publishMonitor(work, subject.orgId, {
      monitor_id: subject.id,
      project_id: subject.projectId,
      change: 'status',
      last_status: status,
    });
}
