// Two replays of the same checks as the answer to one question: what would the draft have changed?
import { latestChecks } from '../checks/latest-checks.ts';
import { incidentWords } from '../domain/evidence.ts';
import type { ReplayCaveat } from '../domain/names.ts';
import { NO_REGION, realRegions } from '../domain/no-region.ts';
import type { ReplayedAlarm } from '../domain/policy-replay.ts';
import { overlap, type Pair, pairAlarms } from '../domain/replay-comparison.ts';
import { maskConfig } from '../monitors/sealing.ts';
import { rulesOf } from '../monitors/types.ts';
import { unixOfMs } from '../platform/unix.ts';
import type { Database } from '../platform/work.ts';
import type { PolicyReplay, ReplayedOutage, ReplayedAlarm as ShownAlarm } from './contract.ts';
import type { Drafted } from './draft.ts';
import type { Past } from './history.ts';

/** Outages in an answer. */
const MAX_OUTAGES = 100;
/** Causes that are looked up in the checks, where no incident has one. */
const MAX_CAUSES = 20;

export type Replayed = {
  fromMs: number;
  untilMs: number;
  complete: boolean;
  checks: number;
  now: readonly ReplayedAlarm[];
  draft: readonly ReplayedAlarm[];
};

type Alarm = ReplayedAlarm & { startedMs: number };

export async function answerOf(
  db: Database,
  { monitor, rules }: Drafted,
  past: Past,
  replayed: Replayed,
  now: Date,
): Promise<PolicyReplay> {
  const pairs = pairAlarms(replayed.now.map(withStart), replayed.draft.map(withStart));
  const outages: ReplayedOutage[] = [];
  let causes = 0;
  for (const pair of pairs.toReversed().slice(0, MAX_OUTAGES)) {
    const alarm = (pair.now ?? pair.draft) as Alarm;
    const incident = past.incidents.find((each) => overlap(each, alarm));
    const cause =
      incident?.cause ?? (causes++ < MAX_CAUSES ? await causeOf(db, monitor, rules.now, alarm, now) : null);
    outages.push({
      now: shown(pair.now),
      draft: shown(pair.draft),
      later_seconds: laterSeconds(pair),
      cause,
      incident_id: incident?.id ?? null,
    });
  }
  return {
    from_unix: unixOfMs(replayed.fromMs),
    until_unix: unixOfMs(replayed.untilMs),
    complete: replayed.complete,
    check_count: replayed.checks,
    now: sideOf(replayed.now, replayed.untilMs),
    draft: sideOf(replayed.draft, replayed.untilMs),
    differences: differencesOf(pairs),
    outages,
    caveats: caveatsOf(rules, past),
  };
}

const withStart = (alarm: ReplayedAlarm): Alarm => ({ ...alarm, startedMs: alarm.opened.startedAtMs });

const shown = (alarm: Alarm | null): ShownAlarm | null =>
  alarm && {
    started_at_unix: unixOfMs(alarm.startedMs),
    opened_at_unix: unixOfMs(alarm.opened.triggeredAtMs),
    ended_at_unix: unixOfMs(alarm.endedMs),
    reason: alarm.opened.reason,
    down_regions: realRegions(alarm.downRegions),
  };

/** Of whole seconds, as they are shown. */
function laterSeconds({ now, draft }: Pair<Alarm>): number | null {
  if (now === null || draft === null) return null;
  return unixOfMs(draft.opened.triggeredAtMs) - unixOfMs(now.opened.triggeredAtMs);
}

function sideOf(alarms: readonly ReplayedAlarm[], untilMs: number): PolicyReplay['now'] {
  const openMs = alarms.reduce(
    (sum, { opened, endedMs }) => sum + Math.max(0, (endedMs ?? untilMs) - opened.triggeredAtMs),
    0,
  );
  return { alarm_count: alarms.length, open_seconds: Math.round(openMs / 1000) };
}

function differencesOf(pairs: readonly Pair<Alarm>[]): PolicyReplay['differences'] {
  const differences = { unchanged: 0, later: 0, earlier: 0, only_now: 0, only_draft: 0 };
  for (const pair of pairs) {
    const later = laterSeconds(pair);
    if (later === null) differences[pair.now ? 'only_now' : 'only_draft'] += 1;
    else differences[later === 0 ? 'unchanged' : later > 0 ? 'later' : 'earlier'] += 1;
  }
  return differences;
}

/** The line that an incident of this alarm would have. */
async function causeOf(
  db: Database,
  monitor: Drafted['monitor'],
  rules: Drafted['rules']['now'],
  { opened }: Alarm,
  now: Date,
): Promise<string> {
  const { no, id, name, type } = monitor;
  const checks = await latestChecks({ tx: db, now }, [{ monitor: { no, rules }, opened }]);
  const config = maskConfig(rulesOf(type), monitor.config);
  return incidentWords({ opened, monitor: { id, name, type, config }, checks: checks.get(no) ?? [] }).cause;
}

function caveatsOf({ now, draft }: Drafted['rules'], { maintenance, interruptions }: Past): ReplayCaveat[] {
  const isRegional = now.regions.some((region) => region !== NO_REGION);
  const caveats: Record<ReplayCaveat, boolean> = {
    arrival_unknown: isRegional,
    online_unknown: now.regions.length > 1,
    maintenance_as_planned_now: maintenance.length > 0,
    settings_of_now: interruptions.some(({ kind }) => kind === 'edited'),
    rhythm_unchanged:
      isRegional && now.policy.failed_interval_seconds !== draft.policy.failed_interval_seconds,
  };
  return (Object.keys(caveats) as ReplayCaveat[]).filter((name) => caveats[name]);
}
