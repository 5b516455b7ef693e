// The figure called uptime (docs/rules/figures.md#uptime). Pure; instants in milliseconds.
import { common, lengthMs, type Span, without } from './spans.ts';

/** What happened to a monitor; spans may overlap and may reach beyond the range asked for. */
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
