// Which incidents there must be, reckoned by counting from what the probes reported and when it arrived: the rules of
// docs/rules/confirmation.md, written down a second time, and nothing of src/domain in it.
import type { ScriptedMonitor } from './world.ts';

export type Report = {
  region: string;
  /** By the probe's clock: `checked_at_ms`. */
  checkedMs: number;
  arrivedMs: number;
  saw: 'up' | 'down' | 'degraded' | 'probe_fault';
};

export type ExpectedIncident = { startedMs: number; triggeredMs: number; resolvedMs: number | null };

type Region = {
  newestMs: number;
  fails: number;
  passes: number;
  failing: boolean;
  turnedMs: number;
  recoveredMs: number;
};

type Outage = { sinceMs: number; triggeredMs: number | null; regions: Set<string> };

export type Oracle = {
  /** Takes every report in the order in which it arrives; `online` are the regions heard from within 30 s. */
  accept: (report: Report, online: ReadonlySet<string>) => void;
  /** Lets the clock reach an instant without a report. */
  wait: (nowMs: number) => void;
  incidents: () => readonly ExpectedIncident[];
};

/** A reckoner for one monitor. `timeoutMs` is that of its check. */
export function oracle(monitor: ScriptedMonitor, timeoutMs: number): Oracle {
  const { policy } = monitor;
  const speaksForMs = 3 * monitor.intervalSeconds * 1000 + timeoutMs;
  const regions = new Map<string, Region>();
  const incidents: ExpectedIncident[] = [];
  let outage: Outage | null = null;

  const asked = (n: number) => {
    const value = policy.alarm_quorum_value ?? 0;
    switch (policy.alarm_quorum_mode) {
      case 'any':
        return 1;
      case 'majority':
        return Math.floor(n / 2) + 1;
      case 'all':
        return Math.max(1, n);
      case 'count':
        return Math.min(value, monitor.regions.length);
      case 'percent':
        return Math.max(1, Math.ceil((n * value) / 100));
    }
  };
  const needed = (online: number) => Math.max(asked(online), Math.min(2, asked(monitor.regions.length)));

  const openDue = (uptoMs: number) => {
    if (outage === null || outage.triggeredMs !== null) return;
    const dueMs = outage.sinceMs + policy.alarm_min_duration_seconds * 1000;
    if (dueMs > uptoMs) return;
    outage.triggeredMs = dueMs;
    incidents.push({ startedMs: outage.sinceMs, triggeredMs: dueMs, resolvedMs: null });
  };

  const acceptFailure = (region: Region, checkedMs: number, there: readonly string[]) => {
    region.fails += 1;
    region.passes = 0;
    const turns = !region.failing && region.fails >= policy.alarm_consecutive;
    if (turns) Object.assign(region, { failing: true, turnedMs: checkedMs });
    const failing = there.filter((name) => regions.get(name)?.failing);
    const confirming = failing.filter((name) => (regions.get(name)?.newestMs ?? 0) > checkedMs - speaksForMs);
    const least = needed(there.length);
    const turnedMs = confirming.map((name) => regions.get(name)?.turnedMs ?? 0).sort((a, b) => a - b);
    const completeMs = turnedMs[least - 1] ?? checkedMs;
    if (outage !== null) {
      for (const name of failing) outage.regions.add(name);
      // A region that turned earlier and is heard of later puts the beginning right, until the incident is open.
      if (turns && outage.triggeredMs === null) outage.sinceMs = Math.min(outage.sinceMs, completeMs);
      return;
    }
    if (confirming.length < least) return;
    const sinceMs = turns && confirming.length === least ? completeMs : Math.max(completeMs, checkedMs);
    outage = { sinceMs, triggeredMs: null, regions: new Set(failing) };
  };

  const acceptPass = (region: Region, checkedMs: number, there: readonly string[], known: string) => {
    region.fails = 0;
    if (region.failing || outage?.regions.has(known)) region.passes += 1;
    if (region.failing && region.passes >= policy.recovery_consecutive)
      Object.assign(region, { failing: false, recoveredMs: checkedMs });
    if (outage === null) return;
    const failing = there.filter((name) => regions.get(name)?.failing).length;
    const recovered = there.length - failing;
    const proven = there.filter(
      (name) =>
        outage?.regions.has(name) &&
        !regions.get(name)?.failing &&
        (regions.get(name)?.passes ?? 0) >= policy.recovery_consecutive,
    );
    if (proven.length === 0 || failing >= needed(there.length)) return;
    if (outage.triggeredMs !== null) {
      if (recovered < Math.floor(there.length / 2) + 1) return;
      const recoveries = there.filter((name) => outage?.regions.has(name) && !regions.get(name)?.failing);
      const latestMs = Math.max(...recoveries.map((name) => regions.get(name)?.recoveredMs ?? 0));
      const last = incidents.at(-1);
      if (last) last.resolvedMs = Math.max(latestMs, outage.triggeredMs);
    }
    outage = null;
  };

  return {
    accept({ region: name, checkedMs, arrivedMs, saw }, online) {
      if (saw === 'probe_fault' || arrivedMs - checkedMs > speaksForMs) return;
      const region = regions.get(name) ?? {
        newestMs: -1,
        fails: 0,
        passes: 0,
        failing: false,
        turnedMs: 0,
        recoveredMs: 0,
      };
      regions.set(name, region);
      if (checkedMs <= region.newestMs) return;
      openDue(Math.min(checkedMs, arrivedMs));
      region.newestMs = checkedMs;
      const there = monitor.regions.filter((other) => other === name || online.has(other));
      if (saw === 'down') acceptFailure(region, checkedMs, there);
      else acceptPass(region, checkedMs, there, name);
      // What begins ahead of this instant, by another region's clock, and has no minimum opens at once.
      if (saw === 'down' && outage !== null)
        openDue(Math.max(Math.min(checkedMs, arrivedMs), (outage as Outage).sinceMs));
    },
    wait: openDue,
    incidents: () => incidents,
  };
}
