// Lays out the deciding checks as one timeline per region on a common axis. Pure.
import type { Evidence } from '#src/incidents/contract.ts';

type Check = Evidence['checks'][number];
/** `at` is a fraction of the axis, 0 to 1; `before`: the check is older than the axis and sits at its edge. */
export type Mark = { check: Check; at: number; before: boolean };
export type RegionTimeline = { region: string; marks: Mark[]; failed: number; total: number };
export type Timelines = {
  timelines: RegionTimeline[];
  firstAt: number;
  confirmedAt: number;
  openedAt: number;
};

/** The least number of seconds shown before the first failure. */
const MIN_LEAD_SECONDS = 10;
const LEAD = 0.2;

/** Lays out the checks of the evidence; regions in the order in which they failed, those without failures last. */
export function timelinesOf(evidence: Evidence): Timelines {
  const { first_failure_at_unix: first, triggered_at_unix: opened, checks } = evidence;
  const latest = Math.max(opened, ...checks.map((check) => check.checked_at_unix));
  const start = first - Math.max(MIN_LEAD_SECONDS, (latest - first) * LEAD);
  const share = (unix: number) => Math.min(1, Math.max(0, (unix - start) / (latest - start)));
  const byRegion = Map.groupBy(checks, (check) => check.region);
  const timelines = [...byRegion].map(([region, ofRegion]) => {
    const sorted = [...ofRegion].sort((a, b) => a.checked_at_unix - b.checked_at_unix);
    const older = sorted.filter((check) => check.checked_at_unix < start).slice(-1);
    const within = sorted.filter((check) => check.checked_at_unix >= start);
    return {
      region,
      marks: [
        ...older.map((check) => ({ check, at: 0, before: true })),
        ...within.map((check) => ({ check, at: share(check.checked_at_unix), before: false })),
      ],
      failed: sorted.filter((check) => check.status === 'down').length,
      total: sorted.length,
    };
  });
  const firstDown = (timeline: RegionTimeline) =>
    timeline.marks.find(({ check }) => check.status === 'down')?.check.checked_at_unix ??
    Number.POSITIVE_INFINITY;
  return {
    timelines: timelines.sort((a, b) => firstDown(a) - firstDown(b) || a.region.localeCompare(b.region)),
    firstAt: share(first),
    confirmedAt: share(evidence.confirmed_outage_since_unix),
    openedAt: share(opened),
  };
}
