// The figure called uptime (docs/rules/figures.md#uptime). Pure; instants in milliseconds.
import { common, lengthMs, type Span, without } from './spans.ts';

/** The history of a monitor; spans may overlap and may reach beyond the requested range. */
export type History = {
  known: readonly Span[];
  maintenance: readonly Span[];
  /** Confirmed outages of incidents that are not discarded. */
  downtime: readonly Span[];
};

export type Uptime = {
  /** The time that counts: known, and outside maintenance. */
  countedMs: number;
  downMs: number;
  /** Share of the counted time without downtime, in percent; null where no time counts. */
  pct: number | null;
};

/** The uptime over a range: its known time outside maintenance, less the downtime in it, over that time. */
export function uptimeOf(range: Span, { known, maintenance, downtime }: History): Uptime {
  const counted = without(common([range], known), maintenance);
  const countedMs = lengthMs(counted);
  const downMs = lengthMs(common(counted, downtime));
  return { countedMs, downMs, pct: countedMs === 0 ? null : ((countedMs - downMs) / countedMs) * 100 };
}

/** The counted time of one day, and its downtime. */
export type DayOfUptime = Uptime & { maintenanceMs: number };

/**
 * The uptime of each part of a range, as `uptimeOf` would answer it for the part, in one pass over the history. The parts are
 * given by their starts, in order, and follow each other without a gap.
 */
export function uptimeByPart(range: Span, starts: readonly number[], history: History): DayOfUptime[] {
  const maintenance = common([range], history.maintenance);
  const counted = without(common([range], history.known), maintenance);
  const down = common(counted, history.downtime);
  const [countedMs, downMs, maintenanceMs] = [counted, down, maintenance].map((spans) =>
    lengthsByPart(spans, starts),
  );
  return starts.map((_, i) => {
    const [ofCounted, ofDown] = [countedMs?.[i] ?? 0, downMs?.[i] ?? 0];
    return {
      countedMs: ofCounted,
      downMs: ofDown,
      pct: ofCounted === 0 ? null : ((ofCounted - ofDown) / ofCounted) * 100,
      maintenanceMs: maintenanceMs?.[i] ?? 0,
    };
  });
}

/** How long spans, which are in order and do not touch, last in each part. */
function lengthsByPart(spans: readonly Span[], starts: readonly number[]): number[] {
  const lengths = starts.map(() => 0);
  let part = 0;
  for (const { fromMs, untilMs } of spans) {
    while (part + 1 < starts.length && (starts[part + 1] ?? 0) <= fromMs) part++;
    for (let i = part; i < starts.length && (starts[i] ?? 0) < untilMs; i++) {
      const endMs = Math.min(untilMs, starts[i + 1] ?? Number.POSITIVE_INFINITY);
      lengths[i] = (lengths[i] ?? 0) + endMs - Math.max(fromMs, starts[i] ?? 0);
    }
  }
  return lengths;
}
