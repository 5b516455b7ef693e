// Which incidents there must be after a history of results, recounted from the whole of it: every step goes through all
// results again. It knows docs/rules/confirmation.md and nothing of src; it is slow and simple on purpose. For histories in
// which every region stays online and reports.

export type Saw = 'up' | 'down' | 'degraded' | 'probe_fault';

export type Result = { region: string; checkedMs: number; saw: Saw };

/** What one post brought, at `arrivesMs`. */
export type Arrival = { arrivesMs: number; results: readonly Result[] };

export type Quorum = { mode: 'any' | 'majority' | 'all' | 'count' | 'percent'; value: number };

export type Subject = {
  regions: readonly string[];
  /** A result speaks for its region so long. */
  speaksForMs: number;
  alarmAfter: number;
  recoveryAfter: number;
  minimumMs: number;
  alarm: Quorum;
  recovery: Quorum;
  /** Windows of maintenance: from start up to but not including end. */
  windows: readonly { startMs: number; endMs: number }[];
};

export type Incident = {
  startedMs: number;
  triggeredMs: number;
  resolvedMs: number | null;
  downRegions: readonly string[];
};

export type Recount = {
  incidents: readonly Incident[];
  status: 'passed' | 'degraded' | 'failed' | null;
  severity: 'ok' | 'degraded' | 'critical' | null;
};

/** What the history of a monitor comes to at `nowMs`; `arrivals` in the order in which they arrive. */
export function recount(subject: Subject, arrivals: readonly Arrival[], nowMs: number): Recount {
  const counted = countingResults(subject, arrivals);
  const incidents: Incident[] = [];
  let outage: { sinceMs: number; opened: Incident | null; regions: Set<string> } | null = null;

  const openUntil = (untilMs: number) => {
    if (outage === null || outage.opened !== null) return;
    const atMs = outside(subject.windows, outage.sinceMs + subject.minimumMs);
    if (atMs > untilMs) return;
    const { sinceMs, regions } = outage;
    outage.opened = {
      startedMs: sinceMs,
      triggeredMs: atMs,
      resolvedMs: null,
      downRegions: [...regions].sort(),
    };
    incidents.push(outage.opened);
  };

  for (const [i, { checkedMs, saw, arrivesMs }] of counted.entries()) {
    openUntil(Math.min(checkedMs, arrivesMs));
    const soFar = counted.slice(0, i + 1);
    const regions = new Map(subject.regions.map((name) => [name, regionAfter(subject, soFar, name)]));
    const failing = subject.regions.filter((name) => regions.get(name)?.failing);
    const needed = asked(subject.alarm, subject.regions.length);
    if (saw === 'down') {
      // It began when enough regions had turned by their own times, in whatever order they were counted of.
      const turnedMs = failing.map((name) => regions.get(name)?.turnedMs ?? 0).sort((a, b) => a - b);
      const sinceMs = turnedMs[needed - 1];
      if (sinceMs !== undefined && outage === null) outage = { sinceMs, opened: null, regions: new Set() };
      else if (sinceMs !== undefined && outage !== null && outage.opened === null)
        outage.sinceMs = Math.min(outage.sinceMs, sinceMs);
      if (outage !== null) {
        for (const name of failing) outage.regions.add(name);
        if (outage.opened) outage.opened.downRegions = [...outage.regions].sort();
        openUntil(Math.max(Math.min(checkedMs, arrivesMs), outage.sinceMs));
      }
    } else if (outage !== null && failing.length < needed) {
      const recovered = [...outage.regions].filter((name) => !failing.includes(name));
      const enough =
        subject.regions.length - failing.length >= asked(subject.recovery, subject.regions.length);
      const { opened } = outage;
      if (opened === null && recovered.length > 0) outage = null;
      else if (opened !== null && recovered.length > 0 && enough) {
        const latestMs = Math.max(...recovered.map((name) => regions.get(name)?.turnedMs ?? 0));
        opened.resolvedMs = Math.max(latestMs, opened.triggeredMs);
        outage = null;
      }
    }
    const isLastOfPost = counted[i + 1]?.post !== counted[i]?.post;
    if (isLastOfPost) openUntil(counted[i + 1]?.arrivesMs ?? nowMs);
  }
  openUntil(nowMs);
  incidents.sort((a, b) => a.startedMs - b.startedMs || a.triggeredMs - b.triggeredMs);
  return { incidents, ...shown(subject, counted, outage !== null) };
}

type Counted = Result & { arrivesMs: number; post: number };

/** Leaves out history: faults of the probe, what is older than a result speaks, and what is not newer than what was stored. */
function countingResults(subject: Subject, arrivals: readonly Arrival[]): Counted[] {
  const stored: Result[] = [];
  const counting: Counted[] = [];
  for (const [post, { arrivesMs, results }] of arrivals.entries()) {
    for (const result of results.toSorted((a, b) => a.checkedMs - b.checkedMs)) {
      const sameRegion = stored.filter(({ region }) => region === result.region);
      if (sameRegion.some(({ checkedMs }) => checkedMs === result.checkedMs)) continue;
      stored.push(result);
      if (result.saw === 'probe_fault') continue;
      const isNewest = sameRegion.every(
        (old) => old.saw === 'probe_fault' || old.checkedMs < result.checkedMs,
      );
      if (isNewest && arrivesMs - result.checkedMs <= subject.speaksForMs)
        counting.push({ ...result, arrivesMs, post });
    }
  }
  return counting;
}

/** A region after these results: whether it is failing, and when it last turned. */
function regionAfter(subject: Subject, counted: readonly Counted[], name: string) {
  const own = counted.filter(({ region }) => region === name);
  let failing = false;
  let turnedMs: number | null = null;
  for (let i = 0; i < own.length; i++) {
    const inARow = (n: number, isSo: (saw: Saw) => boolean) =>
      i + 1 >= n && own.slice(i + 1 - n, i + 1).every(({ saw }) => isSo(saw));
    const turns = failing
      ? inARow(subject.recoveryAfter, (saw) => saw !== 'down')
      : inARow(subject.alarmAfter, (saw) => saw === 'down');
    if (!turns) continue;
    failing = !failing;
    turnedMs = own[i]?.checkedMs ?? null;
  }
  return { failing, turnedMs, latest: own.at(-1) };
}

function asked({ mode, value }: Quorum, n: number): number {
  if (mode === 'any') return 1;
  if (mode === 'majority') return Math.floor(n / 2) + 1;
  if (mode === 'all') return n;
  if (mode === 'count') return value;
  return Math.ceil((n * value) / 100);
}

/** The first instant from `atMs` on that lies in none of the windows. */
function outside(windows: Subject['windows'], atMs: number): number {
  const inside = windows.find(({ startMs, endMs }) => atMs >= startMs && atMs < endMs);
  return inside ? outside(windows, inside.endMs) : atMs;
}

function shown(
  subject: Subject,
  counted: readonly Counted[],
  isFailed: boolean,
): Pick<Recount, 'status' | 'severity'> {
  const regions = subject.regions.map((name) => regionAfter(subject, counted, name));
  const latest = regions.flatMap((region) => region.latest ?? []);
  if (latest.length === 0) return { status: null, severity: null };
  const troubled = regions.some(({ failing }) => failing) || latest.some(({ saw }) => saw !== 'up');
  const newestMs = Math.max(...latest.map(({ checkedMs }) => checkedMs));
  const newest = latest.filter(({ checkedMs }) => checkedMs === newestMs).map(({ saw }) => saw);
  return {
    status: isFailed ? 'failed' : troubled ? 'degraded' : 'passed',
    severity: newest.includes('down') ? 'critical' : newest.includes('degraded') ? 'degraded' : 'ok',
  };
}
