// Writes down what confirmation decided: state, incidents with evidence, jobs for what time alone will change, faster
// checking while something fails, live events. All in the transaction of the results.
import { sql } from 'kysely';
import {
  type ConfirmationState,
  intervalInForce,
  isCalm,
  lastSeverity,
  statusShown,
} from '../domain/confirmation.ts';
import { publishMonitor } from '../events/publish.ts';
import { reassign } from '../monitors/assign.ts';
import { wakeGroupsOf } from '../monitors/groups.ts';
import { addJobs, removeJobs } from '../platform/jobs/add-job.ts';
import type { Work } from '../platform/work.ts';
import { applyEvents } from './apply-events.ts';
import type { LoadedSubject } from './monitored.ts';
import type { Outcome } from './outcome.ts';

export const CONFIRM_TASK = 'confirm';
export const confirmKey = (monitorNo: number) => `confirm:${monitorNo}`;

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
  await Promise.all([applyEvents(work, changed), applyConsequences(work, changed)]);
  const turned = changed.filter(({ state, subject }) => statusOf(subject, state) !== subject.lastStatus);
  await wakeGroupsOf(
    work,
    turned.map(({ subject }) => subject.id),
  );
}

const statusOf = ({ manualIncident }: LoadedSubject, state: ConfirmationState) =>
  statusShown(state, manualIncident);

async function saveStates(work: Work, outcomes: readonly Outcome[]): Promise<void> {
  const rows = outcomes.map(({ subject, state, reevaluateAtMs }) => ({
    no: subject.no,
    calm: isCalm(state),
    state,
    last_status: statusOf(subject, state),
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

/** Jobs for what time alone will change, faster checking while something fails, live events. */
async function applyConsequences(work: Work, outcomes: readonly Outcome[]): Promise<void> {
  const spent: string[] = [];
  const due: Parameters<typeof addJobs>[2][number][] = [];
  for (const { subject, state, reevaluateAtMs, jobIsSpent } of outcomes) {
    const key = confirmKey(subject.no);
    if (reevaluateAtMs !== subject.reevaluateAtMs || (jobIsSpent && reevaluateAtMs !== null)) {
      if (reevaluateAtMs === null) spent.push(key);
      else due.push({ payload: { monitor_no: subject.no }, key, runAt: new Date(reevaluateAtMs) });
    }
    const { intervalSeconds } = subject.subject;
    const before = intervalInForce(subject.state, intervalSeconds, subject.policy.failed_interval_seconds);
    const after = intervalInForce(state, intervalSeconds, subject.policy.failed_interval_seconds);
    if (after !== before) reassign(work, { monitorNo: subject.no, intervalSeconds: after });
    const status = statusOf(subject, state);
    if (status !== subject.lastStatus)
      publishMonitor(work, subject.orgId, {
        monitor_id: subject.id,
        project_id: subject.projectId,
        change: 'status',
        last_status: status,
      });
  }
  await Promise.all([removeJobs(work.tx, spent), addJobs(work.tx, CONFIRM_TASK, due)]);
}
