// When a monitor is in maintenance, and which incidents it has then: docs/rules/confirmation.md#maintenance and #maintenance-windows
// written down a second time, and nothing of src in it.
import type { Walk } from './walk.ts';

export type Window = {
  id: string;
  start: number;
  end: number;
  cancelled: number | null;
  named: boolean;
  tagged: boolean;
  /** Whether the monitor had the tag when the window was over; null: it is not known to be over. */
  hadTag: boolean | null;
};
export type Incident = { started: number; triggered: number; resolved: number | null };
type Check = { at: number; up: boolean };

export type Oracle = ReturnType<typeof makeOracle>;

/** All times are in seconds. */
export function makeOracle({ alarmConsecutive, recoveryConsecutive }: Walk) {
  const windows: Window[] = [];
  const checks: Check[] = [];
  const incidents: Incident[] = [];
  let hasTag = false;
  let fails = 0;
  let passes = 0;
  let outageSince: number | null = null;
  let failing = false;

  const open = () => incidents.find(({ resolved }) => resolved === null);
  const endOf = ({ end, cancelled }: Window) => Math.min(end, cancelled ?? end);
  const isOf = (window: Window) => window.named || (window.tagged && (window.hadTag ?? hasTag));
  const covers = (window: Window, at: number) => isOf(window) && window.start <= at && at < endOf(window);
  const isMaintained = (at: number) => windows.some((window) => covers(window, at));

  /** An outage opens its incident as soon as there is no maintenance. */
  function settle(now: number): void {
    if (outageSince !== null && !open() && !isMaintained(now))
      incidents.push({ started: outageSince, triggered: now, resolved: null });
  }

  return {
    windows,
    settle,
    check(up: boolean, now: number): void {
      checks.push({ at: now, up });
      if (!up) {
        fails += 1;
        passes = 0;
        if (fails >= alarmConsecutive) failing = true;
        if (failing) outageSince ??= now;
        settle(now);
        return;
      }
      fails = 0;
      if (!failing) return;
      passes += 1;
      if (passes < recoveryConsecutive) return;
      failing = false;
      passes = 0;
      outageSince = null;
      const incident = open();
      if (incident) incident.resolved = now;
    },
    /** Windows that are over stay as they were. */
    tag(on: boolean, now: number): void {
      for (const window of windows) if (endOf(window) <= now) window.hadTag ??= hasTag;
      hasTag = on;
    },
    /** The times at which a window begins or ends after `now`. */
    turnsAfter: (now: number) =>
      windows.flatMap((window) => [window.start, endOf(window)]).filter((at) => at > now),
    shown: (now: number) => {
      const ends = windows.filter((window) => covers(window, now)).map(endOf);
      return {
        until: ends.length === 0 ? null : Math.max(...ends),
        incidents,
        checks: checks.map(({ at, up }) => ({ at, up, maintained: isMaintained(at) })),
        status:
          open() || outageSince !== null
            ? 'failed'
            : (checks.at(-1)?.up ?? true) && !failing
              ? 'passed'
              : 'degraded',
      };
    },
  };
}
