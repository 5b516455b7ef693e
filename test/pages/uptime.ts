// Uptime: docs/rules/figures.md#uptime written down a second time, and nothing of src in it.
import { shareUp } from '../simulation/share-up.ts';
import type { Incident, Monitor, Span, Window } from './things.ts';

type Past = {
  monitor: Monitor;
  windows: readonly Window[];
  incidents: readonly Incident[];
  from: number;
  now: number;
};

/** The uptime of a monitor from `from` to `now`, percent; null: nothing is known. */
export function uptimeOf({ monitor, windows, incidents, from: madeAt, now }: Past): number | null {
  const kept = windows
    .filter((each) => each.of.has(monitor.of))
    .map(({ start, end, cancelled, changed }): Span => [start, cancelled ? Math.min(end, changed) : end]);
  const downs = incidents
    .filter((each) => each.of === monitor.of && each.isAutomatic && !each.discarded)
    .map(({ started, resolved }): Span => [started, resolved ?? now]);
  const on: Span[] = [
    ...monitor.enabledTimes,
    ...(monitor.enabled ? [[monitor.enabledSince, now] as Span] : []),
  ];
  const known = on.flatMap(([from, until]) =>
    monitor.spoken.map(([a, b]): Span => [Math.max(a, from), Math.min(b, until)]),
  );
  return shareUp({ known, kept, downs, from: madeAt, now });
}
