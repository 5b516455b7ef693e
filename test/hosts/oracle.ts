// What must become of a host and its monitors, reckoned event by event: docs/rules/agents.md#silence, #protocol and #clocks, and
// docs/rules/monitor-types.md#agent written down a second time, and nothing of src in it.
import type { Walk } from './walk.ts';

const SILENT_MS = 180_000;
const AGAIN_MS = 60_000;
/** A look that is later than this is one of now: the server ended in the second in which it was due. */
const LATE_MS = 15_000;
const IN_STEP_MS = 5000;
const SAME_MS = 10_000;
const KEPT_MS = 7 * 86_400_000;
const MAX_EXCUSED = 3;
export const THRESHOLD = 80;
export const DEGRADED = 60;

export type Name = 'online' | 'cpu' | 'service';
export type Sent = { sentMs: number; cpuPct: number | null; running: boolean | null };
export type Check = {
  atMs: number;
  status: 'up' | 'degraded' | 'down';
  failureClass: string | null;
  value: number | null;
};
export type Incident = { startedMs: number; resolvedMs: number | null };

type Reading = Sent & { atMs: number };

export type Oracle = ReturnType<typeof makeOracle>;

/** A reckoner for one host that enrolled at `enrolledMs`. */
export function makeOracle({ windowSeconds, recoveryConsecutive, expectRunning }: Walk, enrolledMs: number) {
  const enabled = new Set<Name>(['online', 'cpu', 'service']);
  const checks: Record<Name, Check[]> = { online: [], cpu: [], service: [] };
  const readings: Reading[] = [];
  const events: { atMs: number; kind: 'silent' | 'back' }[] = [];
  const incidents: Incident[] = [];
  let lastMs: number | null = null;
  let silent = false;
  let lookMs = enrolledMs + SILENT_MS;
  let excused = 0;
  /** Of the `online` monitor: one failure in a row is enough. */
  let passes = 0;
  let condition: 'recovered' | 'failing' | 'doubtful' = 'recovered';

  const open = () => incidents.find(({ resolvedMs }) => resolvedMs === null);

  function count(check: Check): void {
    if (checks.online.some(({ atMs }) => atMs === check.atMs)) return;
    checks.online.push(check);
    if (check.status === 'down') {
      passes = 0;
      condition = 'failing';
      if (!open()) incidents.push({ startedMs: check.atMs, resolvedMs: null });
      return;
    }
    if (condition === 'recovered' && !open()) return;
    passes += 1;
    if (passes < recoveryConsecutive) return;
    condition = 'recovered';
    const incident = open();
    if (incident) incident.resolvedMs = check.atMs;
  }

  /** The times of a post by the server's clock. */
  function placed(sent: readonly Sent[], postedMs: number, nowMs: number): number[] {
    const inStep = Math.abs(nowMs - postedMs) <= IN_STEP_MS;
    const times: number[] = [];
    let latestMs = nowMs + (inStep ? IN_STEP_MS : 0);
    for (const { sentMs } of sent.toReversed()) {
      const atMs = Math.min(inStep ? sentMs : sentMs + nowMs - postedMs, latestMs);
      times.unshift(atMs);
      latestMs = atMs - 1;
    }
    return times;
  }

  function derive(reading: Reading): void {
    const { atMs, cpuPct, running } = reading;
    if (cpuPct !== null && enabled.has('cpu')) {
      const within = readings.filter((each) => each.atMs > atMs - windowSeconds * 1000 && each.atMs <= atMs);
      const values = within.flatMap((each) => each.cpuPct ?? []);
      const value = values.reduce((sum, each) => sum + each, 0) / values.length;
      const status = value > THRESHOLD ? 'down' : value > DEGRADED ? 'degraded' : 'up';
      const failureClass = status === 'up' ? null : 'agent_threshold';
      checks.cpu.push({ atMs, status, failureClass, value });
    }
    if (running !== null && enabled.has('service')) {
      const isRight = running === expectRunning;
      const failureClass = isRight ? null : running ? 'service_running' : 'service_stopped';
      checks.service.push({ atMs, status: isRight ? 'up' : 'down', failureClass, value: null });
    }
  }

  function close(nowMs: number): void {
    const incident = open();
    if (!incident) return;
    incident.resolvedMs = nowMs;
    if (condition === 'failing') condition = 'doubtful';
    passes = 0;
  }

  return {
    post(sent: readonly Sent[], postedMs: number, nowMs: number): void {
      const times = placed(sent, postedMs, nowMs);
      const kept = sent.flatMap((each, i) => {
        const atMs = times[i] ?? 0;
        const isStored = readings.some(
          (known) =>
            known.atMs === atMs || (known.sentMs === each.sentMs && Math.abs(known.atMs - atMs) < SAME_MS),
        );
        return isStored || atMs <= nowMs - KEPT_MS ? [] : [{ ...each, atMs }];
      });
      readings.push(...kept);
      for (const reading of kept) derive(reading);
      if (silent) events.push({ atMs: nowMs, kind: 'back' });
      silent = false;
      excused = 0;
      lastMs = nowMs;
      lookMs = nowMs + SILENT_MS;
      if (enabled.has('online')) count({ atMs: nowMs, status: 'up', failureClass: null, value: null });
    },
    turn(nowMs: number): void {
      while (lookMs <= nowMs) {
        const atMs = nowMs - lookMs > LATE_MS ? nowMs : lookMs;
        if (!silent) events.push({ atMs, kind: 'silent' });
        silent = true;
        if (enabled.has('online')) count({ atMs, status: 'down', failureClass: 'agent_silent', value: null });
        lookMs = atMs + AGAIN_MS;
      }
    },
    away(fromMs: number, nowMs: number): void {
      if (nowMs - fromMs <= 5000 || lookMs <= fromMs) return;
      if (!silent && excused >= MAX_EXCUSED) return;
      lookMs = Math.max(lookMs, nowMs + (silent ? AGAIN_MS : SILENT_MS));
      if (!silent) excused += 1;
    },
    switchTo(name: Name, on: boolean, nowMs: number): void {
      if (enabled.has(name) === on) return;
      if (on) enabled.add(name);
      else enabled.delete(name);
      if (name !== 'online') return;
      if (!on) close(nowMs);
      if (condition === 'failing') condition = 'doubtful';
      passes = 0;
    },
    close,
    nextLookMs: () => lookMs,
    shown: (nowMs: number) => ({
      online: lastMs !== null && nowMs - lastMs < SILENT_MS,
      lastMs,
      checks,
      events,
      incidents,
    }),
  };
}
