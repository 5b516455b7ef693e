// Runs a scripted world through the real ingest, over HTTP, on a clock that only the simulation moves, and compares
// every incident in the database with what the script says there must be.
import { sql } from 'kysely';
import type { Monitor } from '#src/monitors/contract.ts';
import type { TestApp } from '../harness/app.ts';
import type { Probe } from '../harness/probe.ts';
import { chance } from './chance.ts';
import { type Oracle, oracle } from './oracle.ts';
import { REGIONS, type RegionName, type ScriptedMonitor, type Span, seenAt, type World } from './world.ts';

export type Outcome = {
  results: number;
  late: number;
  scriptedOutages: number;
  expected: number;
  found: number;
  /** What is not as the script says, one sentence each: an empty list is the proof. */
  wrong: string[];
};

type Simulated = {
  scripted: ScriptedMonitor;
  no: number;
  id: string;
  truth: Oracle;
  /** Per region: when it is due next, in world time. */
  dueMs: Map<RegionName, number>;
  intervalMs: number;
};

type Waiting = { arrivesMs: number; monitor: Simulated; checkedMs: number; saw: ReturnType<typeof seenAt> };

const TICK_MS = 5_000;
const ONLINE_MS = 30_000;
const QUIET_MS = 20_000;
const FAULTS = {
  down: { status: 'down', failure_class: 'connect_refused', cause_layer: 'target_connect' },
  probe_fault: { status: 'down', failure_class: 'probe_network', cause_layer: 'probe' },
  degraded: { status: 'degraded', failure_class: 'slow', cause_layer: 'target_http', latency_ms: 900 },
  up: { status: 'up', latency_ms: 40 },
} as const;

/** Plays the world; `onProgress` is called with how far it is (share from 0 to 1). */
export async function play(
  app: TestApp,
  world: World,
  onProgress: (share: number) => void = () => undefined,
): Promise<Outcome> {
  const startMs = app.clock.ms();
  const probes = new Map<RegionName, Probe>();
  for (const region of REGIONS) probes.set(region, await app.region(region));
  const monitors = await makeMonitors(app, world);
  const byNo = new Map(monitors.map((monitor) => [monitor.no, monitor]));
  const random = chance(world.seed + 1);
  const waiting = new Map<RegionName, Waiting[]>(REGIONS.map((region) => [region, []]));
  const lastReportsMs = new Map<RegionName, number>(REGIONS.map((region) => [region, 0]));
  const counts = { results: 0, late: 0 };
  let silence = { fromMs: Number.NEGATIVE_INFINITY, untilMs: Number.NEGATIVE_INFINITY };

  for (let nowMs = TICK_MS; nowMs <= world.lengthMs; nowMs += TICK_MS) {
    app.clock.advance(TICK_MS);
    for (const region of REGIONS) check(world, monitors, region, nowMs, random, waiting.get(region) ?? []);
    for (const region of REGIONS) {
      const link = world.links[region];
      if (within(link.cut, nowMs)) continue;
      const queue = waiting.get(region) ?? [];
      const ready = queue.filter(({ arrivesMs }) => arrivesMs <= nowMs);
      // A probe with nothing to say is heard from by its waiting request.
      if (ready.length === 0 && nowMs - (lastReportsMs.get(region) ?? 0) < QUIET_MS) continue;
      waiting.set(
        region,
        queue.filter(({ arrivesMs }) => arrivesMs > nowMs),
      );
      const newestMs = Math.max(...lastReportsMs.values());
      // Everybody was silent at once: who was there before is waited for as long as a probe stays online.
      if (nowMs - newestMs > ONLINE_MS) silence = { fromMs: newestMs, untilMs: nowMs };
      const { fromMs, untilMs } = silence;
      const online = new Set(
        REGIONS.filter((name) => {
          const lastReportMs = name === region ? nowMs : (lastReportsMs.get(name) ?? 0);
          return (
            nowMs - lastReportMs < ONLINE_MS ||
            (nowMs - untilMs < ONLINE_MS && lastReportMs > fromMs - ONLINE_MS)
          );
        }),
      );
      lastReportsMs.set(region, nowMs);
      await post(probes.get(region), ready, startMs);
      for (const { monitor, checkedMs, saw } of ready) {
        counts.results += 1;
        if (nowMs - checkedMs > 3 * monitor.scripted.intervalSeconds * 1000) counts.late += 1;
        monitor.truth.accept({ region, checkedMs, arrivedMs: nowMs, saw }, online);
      }
      // With its results the server lets time pass to now: what is due by then opens, whatever another region says later.
      for (const { monitor } of ready) monitor.truth.wait(nowMs);
    }
    await runDue(app);
    for (const monitor of monitors) monitor.truth.wait(nowMs);
    await takeIntervals(app, byNo, nowMs);
    if (nowMs % 600_000 === 0) onProgress(nowMs / world.lengthMs);
  }
  return { ...counts, ...(await compare(app, world, monitors, startMs)) };
}

const within = (spans: readonly Span[], atMs: number) =>
  spans.some(({ startMs, endMs }) => atMs >= startMs && atMs < endMs);

async function makeMonitors(app: TestApp, world: World): Promise<Simulated[]> {
  const { projectId } = await app.place();
  const made: Simulated[] = [];
  for (const scripted of world.monitors) {
    const monitor = await app.alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, {
      name: scripted.name,
      type: 'http',
      config: { url: 'https://shop.example.com/', timeout_ms: 10_000 },
      interval_seconds: scripted.intervalSeconds,
      regions: scripted.regions,
      policy: scripted.policy,
    });
    const row = await app.db
      .selectFrom('monitors')
      .select('no')
      .where('id', '=', monitor.id)
      .executeTakeFirstOrThrow();
    const intervalMs = scripted.intervalSeconds * 1000;
    const phaseMs = (made.length * 7919) % intervalMs;
    made.push({
      scripted,
      no: row.no,
      id: monitor.id,
      truth: oracle(scripted, 10_000),
      dueMs: new Map(scripted.regions.map((region, i) => [region, phaseMs + i * 137])),
      intervalMs,
    });
  }
  return made;
}

/** Makes the checks of one region up to now; they wait until its link lets them through. */
function check(
  world: World,
  monitors: readonly Simulated[],
  region: RegionName,
  nowMs: number,
  random: ReturnType<typeof chance>,
  queue: Waiting[],
): void {
  const { slow, skewMs } = world.links[region];
  for (const monitor of monitors) {
    let dueMs = monitor.dueMs.get(region);
    if (dueMs === undefined) continue;
    for (; dueMs <= nowMs; dueMs += monitor.intervalMs) {
      const lost = monitor.scripted.loss > 0 && random.happens(monitor.scripted.loss);
      const saw = seenAt(monitor.scripted, region, dueMs, lost);
      const lateBy = slow.find((span) => within([span], nowMs))?.byMs ?? 0;
      queue.push({ arrivesMs: nowMs + lateBy, monitor, checkedMs: dueMs + skewMs, saw });
    }
    monitor.dueMs.set(region, dueMs);
  }
}

async function post(probe: Probe | undefined, ready: readonly Waiting[], startMs: number): Promise<void> {
  for (let i = 0; i === 0 || i < ready.length; i += 5000) {
    const results = ready.slice(i, i + 5000).map(({ monitor, checkedMs, saw }) => ({
      monitor_id: monitor.id,
      checked_at_ms: startMs + checkedMs,
      ...FAULTS[saw],
    }));
    const answer = await probe?.post(results);
    const { accepted = -1, refused = [] } = answer?.body ?? {};
    if (answer?.status !== 200 || accepted !== results.length)
      throw new Error(
        `results answered ${answer?.status}: ${accepted} of ${results.length} taken, ${JSON.stringify(refused.slice(0, 3))}`,
      );
  }
}

/** Runs what only time decides, as its stored jobs would have done. */
async function runDue(app: TestApp): Promise<void> {
  const { rows } = await sql<{ monitor_no: number }>`
    SELECT monitor_no FROM monitor_state WHERE reevaluate_at <= ${app.clock.now()} ORDER BY reevaluate_at`.execute(
    app.db,
  );
  for (const { monitor_no } of rows) await app.runTask('confirm', { monitor_no });
}

/** Probes check faster while something fails, and slower again after it, as they are told. */
async function takeIntervals(
  app: TestApp,
  byNo: ReadonlyMap<number, Simulated>,
  nowMs: number,
): Promise<void> {
  const { rows } = await sql<{ monitor_no: number; seconds: number }>`
    SELECT monitor_no, min(interval_seconds) AS seconds FROM assignments WHERE changed_at >= ${new Date(app.clock.ms())} AND NOT removed GROUP BY monitor_no`.execute(
    app.db,
  );
  for (const { monitor_no, seconds } of rows) {
    const monitor = byNo.get(monitor_no);
    if (!monitor || monitor.intervalMs === seconds * 1000) continue;
    monitor.intervalMs = seconds * 1000;
    for (const [i, region] of monitor.scripted.regions.entries())
      monitor.dueMs.set(region, nowMs + 1 + ((monitor.no * 7919) % monitor.intervalMs) + i * 137);
  }
}

type Found = { monitor_no: number; started_ms: number; resolved_ms: number | null; triggered: number };

async function compare(app: TestApp, world: World, monitors: readonly Simulated[], startMs: number) {
  const { rows } = await sql<Found>`
    SELECT monitor_no, (extract(epoch FROM started_at) * 1000)::bigint AS started_ms,
      (extract(epoch FROM resolved_at) * 1000)::bigint AS resolved_ms, (evidence ->> 'triggered_at_unix')::bigint AS triggered
    FROM incidents ORDER BY monitor_no, started_at`.execute(app.db);
  const wrong: string[] = [];
  let expected = 0;
  for (const { scripted, no, truth } of monitors) {
    const found = rows.filter((row) => row.monitor_no === no);
    const must = truth.incidents();
    expected += must.length;
    const inJson = (incidents: readonly unknown[]) => JSON.stringify(incidents);
    const as = found.map((row) => ({
      startedMs: row.started_ms - startMs,
      triggeredUnix: row.triggered,
      resolvedMs: row.resolved_ms === null ? null : row.resolved_ms - startMs,
    }));
    const mustBe = must.map(({ startedMs, triggeredMs, resolvedMs }) => ({
      startedMs,
      triggeredUnix: Math.floor((startMs + triggeredMs) / 1000),
      resolvedMs,
    }));
    if (inJson(as) !== inJson(mustBe))
      wrong.push(
        `${scripted.name} (seed ${world.seed}): the script says ${inJson(mustBe)}, found ${inJson(as)}`,
      );
    for (const { startedMs } of as)
      if (!hasReason(world, scripted, startedMs))
        wrong.push(`${scripted.name}: an incident at ${startedMs} ms without a cause in the script`);
  }
  const scriptedOutages = world.monitors.flatMap(({ spells }) =>
    spells.filter(({ what }) => what === 'down'),
  ).length;
  return { scriptedOutages, expected, found: rows.length, wrong };
}

/** Whether the script has a failure there that enough regions could see: an alarm without one is false whatever the rules say. */
function hasReason(world: World, monitor: ScriptedMonitor, startedMs: number): boolean {
  if (monitor.loss > 0) return true;
  const skewMs = Math.max(...Object.values(world.links).map((link) => Math.abs(link.skewMs)));
  return monitor.spells.some(
    ({ what, startMs, endMs, regions }) =>
      what === 'down' &&
      regions.length === monitor.regions.length &&
      startedMs >= startMs - skewMs &&
      startedMs < endMs + skewMs,
  );
}
