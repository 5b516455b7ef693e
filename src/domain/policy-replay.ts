// Replays stored checks with a policy: puts them, in the order in which they were made, through the functions
// that judge results as they arrive (confirmation.ts). Pure; every instant is in milliseconds.
//
// A stored check says when it was made, not when it arrived, and nothing stored says which regions were online. A replay
// takes each check as arrived in the moment it was made, and a region as online while it delivers
// (docs/rules/confirmation.md#replay-of-a-policy).

import { advanceTime, processResult } from './confirmation.ts';
import {
  afterEdit,
  type ConfirmationState,
  closeManually,
  hasOpenIncident,
  healthy,
  isSteady,
} from './confirmation-state.ts';
import type { Decision, Inputs, MonitorRules, Opened, RegionResult } from './confirmation-types.ts';
import { firstOutside, type Span } from './maintenance.ts';
import { NO_REGION } from './no-region.ts';
import { reportingWindowMs } from './reporting.ts';

/** An action of a person on the monitor: closed its incident, edited its target, switched it off, or reset it. */
export type Interruption = {
  atMs: number;
  kind: 'closed_by_hand' | 'edited' | 'switched_off' | 'began_anew';
};

export type ReplayedAlarm = {
  opened: Opened;
  /** Every region that failed in it, sorted. */
  downRegions: string[];
  /** null: it was still open at the end. */
  endedMs: number | null;
};

export type Replay = {
  /** Takes the next check: none is older than the one before it. */
  take: (check: RegionResult) => void;
  /** Lets time pass to the end. No check follows. */
  finish: (untilMs: number) => void;
  /** In the order in which they opened. */
  alarms: readonly ReplayedAlarm[];
};

type History = {
  /** The replay begins: every region counts as online then. */
  fromMs: number;
  maintenance: readonly Span[];
  /** In the order of time. */
  interruptions: readonly Interruption[];
};

export function startReplay(rules: MonitorRules, { fromMs, maintenance, interruptions }: History): Replay {
  const windowMs = reportingWindowMs(rules);
  const alarms: ReplayedAlarm[] = [];
  /** Newest check that says something about the target, for each region. */
  const newestMs: Record<string, number> = {};
  /** Newest check of any kind: a probe that reports its own fault is there. */
  const deliveredMs = new Map<string, number>();
  let lastDeliveredMs = fromMs;
  let state: ConfirmationState = healthy;
  let wakeMs: number | null = null;
  let next = 0;
  countAllOnline(fromMs);

  function countAllOnline(atMs: number): void {
    for (const region of rules.regions)
      deliveredMs.set(region, Math.max(atMs, deliveredMs.get(region) ?? atMs));
  }

  function inputsAt(nowMs: number): Inputs {
    const onlineRegions = rules.regions.filter(
      (name) => name === NO_REGION || (deliveredMs.get(name) ?? 0) > nowMs - windowMs,
    );
    return { nowMs, onlineRegions, lastResultAtMs: newestMs, maintenance };
  }

  function applyDecision(decision: Decision, nowMs: number): void {
    state = decision.state;
    note(decision);
    if (decision.reevaluateAtMs !== null && decision.reevaluateAtMs <= nowMs) {
      const due = advanceTime(rules, state, inputsAt(nowMs));
      state = due.state;
      note(due);
      wakeMs = due.reevaluateAtMs ?? endOfMaintenance(nowMs);
    } else wakeMs = decision.reevaluateAtMs ?? endOfMaintenance(nowMs);
    if (wakeMs !== null && wakeMs <= nowMs) wakeMs = null;
  }

  /** The end of a window looks at every outage that stands. */
  function endOfMaintenance(nowMs: number): number | null {
    const { outage } = state;
    return outage === null || outage.openedMs !== null ? null : firstOutside(maintenance, nowMs);
  }

  function note({ events }: Decision): void {
    for (const event of events) {
      const open = alarms.at(-1);
      if (event.kind === 'opened')
        alarms.push({ opened: event, downRegions: [...event.downRegions], endedMs: null });
      else if (open === undefined || open.endedMs !== null) continue;
      else if (event.kind === 'resolved') open.endedMs = event.atMs;
      else if (event.kind === 'region_failing' && !open.downRegions.includes(event.region))
        open.downRegions = [...open.downRegions, event.region].sort();
    }
  }

  /** Everything that happened without a check, up to and including `untilMs`, in the order of time. */
  function passTo(untilMs: number): void {
    for (;;) {
      const interruption = interruptions[next];
      const dueMs = Math.min(
        wakeMs ?? Number.POSITIVE_INFINITY,
        interruption?.atMs ?? Number.POSITIVE_INFINITY,
      );
      if (dueMs > untilMs) return;
      if (interruption !== undefined && interruption.atMs === dueMs) {
        next += 1;
        interrupt(interruption);
      } else applyDecision(advanceTime(rules, state, inputsAt(dueMs)), dueMs);
    }
  }

  function interrupt({ atMs, kind }: Interruption): void {
    const open = hasOpenIncident(state) ? alarms.at(-1) : undefined;
    if (kind === 'closed_by_hand' && open === undefined) return;
    if (kind !== 'edited' && open !== undefined) open.endedMs = atMs;
    if (kind === 'began_anew') state = healthy;
    else if (kind === 'edited') state = afterEdit(state, rules.regions);
    else if (kind === 'closed_by_hand') state = closeManually(state);
    else state = afterEdit(closeManually(state), rules.regions);
    wakeMs = null;
    if (kind !== 'closed_by_hand') countAllOnline(atMs);
  }

  return {
    alarms,
    take(check) {
      const { region, atMs, status, probeFault } = check;
      passTo(atMs);
      if (!rules.regions.includes(region)) return;
      // After a silence of all regions, the first that is back must not be the whole quorum.
      if (lastDeliveredMs <= atMs - windowMs) countAllOnline(atMs);
      deliveredMs.set(region, atMs);
      lastDeliveredMs = atMs;
      // As where results arrive: a passing result of a calm monitor is only stored.
      if (!probeFault && !(status === 'up' && isSteady(state)))
        applyDecision(processResult(rules, state, check, inputsAt(atMs)), atMs);
      if (!probeFault) newestMs[region] = atMs;
    },
    finish: passTo,
  };
}
