// The figures of one monitor in a report (docs/rules/figures.md#reports). Pure; the uptime is that of `uptimeOf`.
import { common, lengthMs, type Span, without } from './spans.ts';
import { type History, uptimeOf } from './uptime.ts';

export type ReportedFigures = {
  /** null: nothing is known. */
  uptimePct: number | null;
  /** Known and outside maintenance; with `maintenanceMs` and `unknownMs` it makes the whole range. */
  countedMs: number;
  downMs: number;
  maintenanceMs: number;
  /** Neither known nor in maintenance. */
  unknownMs: number;
  /** Further downtime if no incident had been discarded. */
  discardedMs: number;
  /** The downtime of the longest outage. */
  longestMs: number;
};

/** `discarded`: the times of automatic incidents that were discarded as false alarms. */
export function figuresOf(range: Span, history: History, discarded: readonly Span[]): ReportedFigures {
  const { countedMs, downMs, pct } = uptimeOf(range, history);
  const { known, maintenance, downtime } = history;
  const planned = common([range], maintenance);
  const counted = without(common([range], known), planned);
  return {
    uptimePct: pct,
    countedMs,
    downMs,
    maintenanceMs: lengthMs(planned),
    unknownMs: lengthMs(without([range], [...known, ...planned])),
    discardedMs: lengthMs(without(common(counted, discarded), downtime)),
    longestMs: Math.max(0, ...common([range], downtime).map((outage) => lengthMs(common(counted, [outage])))),
  };
}

/** The uptime of several monitors together: of all their time that counts, what was not down. null: nothing is known. */
export function uptimeOfAll(
  figures: readonly Pick<ReportedFigures, 'countedMs' | 'downMs'>[],
): number | null {
  let [countedMs, downMs] = [0, 0];
  for (const each of figures) {
    countedMs += each.countedMs;
    downMs += each.downMs;
  }
  return countedMs === 0 ? null : ((countedMs - downMs) / countedMs) * 100;
}
