// What must become of a heartbeat, reckoned event by event: the rules of docs/rules/monitor-types.md#lateness written down a second
// time, and nothing of src in it.
import { cronTimes } from './cron-times.ts';
import type { Mark, Schedule, Settings, Walk } from './walk.ts';

/** The platform's `failed_interval_seconds`. */
const FAILED_INTERVAL_MS = 15_000;
/** A ping so early counts for the coming cron time. */
const EARLY_MS = 10_000;
const MAX_EXCUSED = 3;

export type Check = {
  atMs: number;
  status: 'up' | 'down';
  failureClass: string | null;
  code: number | null;
  tookMs: number | null;
};
export type Incident = { startedMs: number; resolvedMs: number | null };
type Run = { rid: string; atMs: number; sure: boolean };

export type Oracle = ReturnType<typeof makeOracle>;

/** A reckoner for one monitor, made at `madeMs`. */
export function makeOracle({ settings: given, alarmConsecutive, recoveryConsecutive }: Walk, madeMs: number) {
  let settings: Settings = given;
  let enabled = true;
  let last: { atMs: number; ok: boolean | null } | null = null;
  let dueMs: number | null = null;
  let extended = false;
  let excused = 0;
  let runs: Run[] = [];
  let tookMs: number | null = null;
  let code: number | null = null;
  /** Earlier pings say nothing. */
  let editedMs = madeMs;
  /** When the server looks while something fails or has not recovered; null: it waits for what comes. */
  let rhythmMs: number | null = null;
  let lookedMs = madeMs;
  const checks: Check[] = [];
  const incidents: Incident[] = [];
  /** `doubtful`: it was failing, and has to show anew how it is. */
  let condition: 'recovered' | 'failing' | 'doubtful' = 'recovered';
  let fails = 0;
  let passes = 0;
  /** The newest check that counts, which an edit does not take back. */
  let newest: 'up' | 'down' | null = null;
  /** A failure that a person has closed lasts. */
  let lasts = false;

  const graceMs = () => settings.graceSeconds * 1000;
  const intervalMs = () => settings.intervalSeconds * 1000;
  const lateMs = () => (dueMs === null ? null : dueMs + graceMs());
  const open = () => incidents.find(({ resolvedMs }) => resolvedMs === null);
  const isTroubled = () => open() !== undefined || lasts || condition !== 'recovered' || newest === 'down';

  function inForceMs(): number {
    const faster = open() !== undefined || condition === 'failing' || fails > 0;
    return faster ? Math.min(FAILED_INTERVAL_MS, intervalMs()) : intervalMs();
  }

  function after(schedule: Schedule, atMs: number): number {
    if (schedule.kind === 'period') return atMs + schedule.period_seconds * 1000;
    return cronTimes(schedule, atMs + EARLY_MS, 1)[0] ?? Number.NaN;
  }

  /** The runs that are too long at an instant, the oldest first. */
  function overlong(atMs: number): Run[] {
    const { maxRuntimeSeconds: most } = settings;
    if (most === null) return [];
    return runs.filter((run) => run.sure && run.atMs + most * 1000 <= atMs).sort((a, b) => a.atMs - b.atMs);
  }

  /** The instants at which something turns without a ping. */
  function turns(): number[] {
    const { maxRuntimeSeconds: most } = settings;
    const ends = most === null ? [] : runs.filter(({ sure }) => sure).map((run) => run.atMs + most * 1000);
    const late = lateMs();
    return late === null ? ends : [...ends, late];
  }

  function nextLookMs(): number {
    const coming = turns().filter((atMs) => atMs > lookedMs);
    return enabled ? Math.min(rhythmMs ?? Number.POSITIVE_INFINITY, ...coming) : Number.POSITIVE_INFINITY;
  }

  function count(check: Check): void {
    checks.push(check);
    newest = check.status;
    if (check.status === 'down') {
      fails += 1;
      passes = 0;
      if (condition !== 'failing' && fails >= alarmConsecutive) condition = 'failing';
      if (condition === 'failing' && !open()) incidents.push({ startedMs: check.atMs, resolvedMs: null });
      if (condition === 'failing') lasts = false;
      return;
    }
    fails = 0;
    if (condition === 'recovered' && !open()) return;
    passes += 1;
    if (passes < recoveryConsecutive) return;
    condition = 'recovered';
    lasts = false;
    const incident = open();
    if (incident) incident.resolvedMs = check.atMs;
  }

  function goOn(atMs: number): void {
    lookedMs = atMs;
    rhythmMs = isTroubled() ? atMs + inForceMs() : null;
  }

  function look(atMs: number): void {
    const late = lateMs();
    const found =
      overlong(atMs).length > 0
        ? 'heartbeat_overrun'
        : late !== null && atMs >= late
          ? 'heartbeat_missed'
          : last?.ok === false
            ? 'heartbeat_failed'
            : null;
    const proven = last !== null && last.atMs >= editedMs && isTroubled();
    if (found === null && !proven) {
      lookedMs = atMs;
      rhythmMs = null;
      return;
    }
    count({
      ...{ atMs, status: found === null ? 'up' : 'down', failureClass: found, tookMs: null },
      code: found === 'heartbeat_failed' ? code : null,
    });
    goOn(atMs);
  }

  const nextInstant = (nowMs: number) => Math.max(nowMs, (checks.at(-1)?.atMs ?? 0) + 1);

  /** Edits and switches: everything measured before is history. */
  function startAnew(nowMs: number): void {
    const incident = open();
    editedMs = nowMs;
    if (condition === 'failing') condition = 'doubtful';
    fails = 0;
    passes = 0;
    if (!incident) lasts = false;
  }

  function expectAnew(nowMs: number): void {
    const isAwaited = enabled && (last !== null || dueMs !== null);
    dueMs = isAwaited ? after(settings.schedule, nowMs) : null;
    extended = false;
    excused = 0;
    lookedMs = nowMs;
    const isBad = last?.ok === false || overlong(nowMs).length > 0;
    rhythmMs = isAwaited && (isBad || isTroubled()) ? nowMs + intervalMs() : null;
  }

  function close(nowMs: number): void {
    const incident = open();
    if (!incident) return;
    incident.resolvedMs = nowMs;
    lasts = condition === 'failing';
    if (condition === 'failing') condition = 'doubtful';
    fails = 0;
    passes = 0;
  }

  return {
    ping(word: string, rid: string, nowMs: number): void {
      if (!enabled) return;
      const atMs = nextInstant(nowMs);
      if (word === '/start') {
        runs = [...runs.filter((run) => run.rid !== rid), { rid, atMs, sure: true }];
        const late = lateMs();
        if (dueMs !== null && late !== null && (extended || atMs >= late)) return;
        dueMs = Math.max(dueMs ?? 0, after(settings.schedule, atMs));
        extended = true;
        return;
      }
      const exit = word === '' || word === '/fail' ? null : Number(word.slice(1));
      const ok = word === '' || exit === 0;
      const begun = runs.find((run) => run.rid === rid);
      tookMs = begun ? Math.max(0, atMs - begun.atMs) : null;
      const most = settings.maxRuntimeSeconds;
      runs = runs.filter(
        (run) => run.rid !== rid && !(ok && most !== null && run.atMs + most * 1000 <= atMs),
      );
      last = { atMs, ok };
      code = exit !== null && exit >= 0 ? exit : null;
      dueMs = after(settings.schedule, atMs);
      extended = false;
      excused = 0;
      count({ atMs, status: ok ? 'up' : 'down', failureClass: ok ? null : 'heartbeat_failed', code, tookMs });
      goOn(atMs);
    },
    /** A server looks at whatever is due. */
    turn(nowMs: number): void {
      for (let dueForLookMs = nextLookMs(); dueForLookMs <= nowMs; dueForLookMs = nextLookMs())
        look(nextInstant(dueForLookMs));
    },
    /** No server ran from `fromMs` until now. */
    away(fromMs: number, nowMs: number): void {
      if (!enabled || nowMs - fromMs <= 5000) return;
      runs = runs.map((run) => ({ ...run, sure: false }));
      const late = lateMs();
      if (dueMs !== null && late !== null && late > fromMs) {
        const early = Math.max(graceMs(), EARLY_MS);
        const isExcused = dueMs - early < nowMs && excused < MAX_EXCUSED;
        if (isExcused) {
          excused += 1;
          dueMs = Math.max(dueMs, after(settings.schedule, nowMs));
        }
        dueMs = Math.max(dueMs, nowMs + intervalMs() - graceMs());
      }
      const nowLate = lateMs();
      lookedMs = nowMs;
      rhythmMs = isTroubled() || (nowLate !== null && nowLate <= nowMs) ? nowMs + intervalMs() : null;
    },
    edit(changes: Partial<Settings>, nowMs: number): void {
      const { schedule, graceSeconds, maxRuntimeSeconds } = settings;
      settings = { ...settings, ...changes };
      const isSame =
        JSON.stringify(settings.schedule) === JSON.stringify(schedule) &&
        settings.graceSeconds === graceSeconds &&
        settings.maxRuntimeSeconds === maxRuntimeSeconds;
      if (isSame) return;
      // Of one that is switched off, what it showed stays.
      startAnew(nowMs);
      expectAnew(nowMs);
    },
    switchTo(on: boolean, nowMs: number): void {
      if (enabled === on) return;
      enabled = on;
      if (!on) close(nowMs);
      startAnew(nowMs);
      runs = [];
      if (last) last = { ...last, ok: null };
      expectAnew(nowMs);
    },
    close,
    nextLookMs,
    markMs(mark: Mark, nowMs: number): number | null {
      if (mark === 'now') return nowMs;
      if (mark === 'due') return dueMs;
      if (mark === 'late') return lateMs();
      if (mark === 'check') return nextLookMs();
      const most = settings.maxRuntimeSeconds;
      const [run] = runs;
      return run && most !== null ? run.atMs + most * 1000 : null;
    },
    /** What is shown now. */
    shown(nowMs: number) {
      const { schedule } = settings;
      return {
        enabled,
        lastMs: last?.atMs ?? null,
        dueMs,
        lateMs: lateMs(),
        runs,
        tookMs,
        next: enabled ? comingOf(schedule, dueMs, nowMs) : [],
        status: open()
          ? 'failed'
          : newest === null
            ? null
            : condition === 'failing' || newest === 'down'
              ? 'degraded'
              : 'passed',
        checks,
        incidents,
      };
    },
  };
}

/** The next five times at which a ping is expected. */
function comingOf(schedule: Schedule, dueMs: number | null, nowMs: number): number[] {
  if (schedule.kind === 'cron') return cronTimes(schedule, Math.max(nowMs, (dueMs ?? 0) - 1), 5);
  if (dueMs === null) return [];
  const found: number[] = [];
  for (let atMs = dueMs; found.length < 5; atMs += schedule.period_seconds * 1000)
    if (atMs > nowMs) found.push(atMs);
  return found;
}
