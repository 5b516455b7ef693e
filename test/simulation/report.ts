// Reports many histories at once through the probes' endpoint, on a clock that only the simulation moves, and compares what
// became of each monitor with the recount.
import { sql } from 'kysely';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { TestApp } from '../harness/app.ts';
import { resultOf, type Said } from '../harness/probe.ts';
import {
  type History,
  INTERVAL_SECONDS,
  LEAD_MS,
  LENGTH_MS,
  REGIONS,
  STEP_MS,
  TIMEOUT_MS,
} from './histories.ts';
import { type Arrival, type Recount, recount, type Saw, type Subject } from './recount.ts';

const SAID: Record<Saw, Said> = {
  down: { status: 'down' },
  up: { status: 'up' },
  degraded: { status: 'degraded' },
  probe_fault: { status: 'down', failure_class: 'probe_network', cause_layer: 'probe' },
};
/** Requests under way at a time while monitors are made. */
const AT_ONCE = 8;

export type Outcome = { results: number; incidents: number; wrong: string[]; monitors: Monitor[] };

/** Reports the histories, each of a monitor of its own; the regions of `REGIONS` must exist. */
export async function reportAll(app: TestApp, histories: readonly History[]): Promise<Outcome> {
  const monitors = await makeMonitors(app, histories);
  const beganMs = Math.floor(app.clock.ms() / 1000) * 1000 + LEAD_MS;
  const windows = await makeWindows(app, monitors, histories, beganMs);
  app.clock.advance(beganMs - app.clock.ms());
  for (const region of REGIONS) await post(app, region, []);
  let results = 0;
  for (let nowMs = STEP_MS; nowMs <= LENGTH_MS; nowMs += STEP_MS) {
    app.clock.advance(beganMs + nowMs - app.clock.ms());
    for (const { id, turnsMs } of windows)
      if (turnsMs.includes(nowMs)) await app.runTask('maintenance', { window_id: id });
    await runDue(app);
    for (const region of REGIONS) {
      const batch = histories.flatMap(({ arrivals }, i) =>
        (arrivals[nowMs / STEP_MS - 1]?.results ?? [])
          .filter((result) => result.region === region)
          .map(({ checkedMs, saw }) => resultOf(monitors[i]?.id ?? '', beganMs + checkedMs, SAID[saw])),
      );
      if (batch.length === 0) continue;
      results += batch.length;
      await post(app, region, batch);
    }
  }
  const found = await readAll(app, monitors, beganMs);
  const wrong: string[] = [];
  let incidents = 0;
  for (const [i, history] of histories.entries()) {
    const must = inWholeSeconds(recount(history.subject, history.arrivals, LENGTH_MS), beganMs);
    incidents += must.incidents.length;
    const is = found[i];
    if (JSON.stringify(is) !== JSON.stringify(must))
      wrong.push(
        `${describe(history)}\n    must be ${JSON.stringify(must)}\n    is      ${JSON.stringify(is)}`,
      );
  }
  return { results, incidents, wrong, monitors };
}

async function post(app: TestApp, region: string, batch: readonly unknown[]): Promise<void> {
  const answer = await app.probe(region).post(batch);
  if (answer.status !== 200 || answer.body.refused.length > 0)
    throw new Error(`results answered ${answer.status}: ${JSON.stringify(answer.body)}`);
}

/** Plans the windows of the histories; `turnsMs` is when each begins and ends. */
async function makeWindows(
  app: TestApp,
  monitors: readonly Monitor[],
  histories: readonly History[],
  beganMs: number,
): Promise<{ id: string; turnsMs: number[] }[]> {
  const made: { id: string; turnsMs: number[] }[] = [];
  for (const [i, { name, subject }] of histories.entries()) {
    for (const { startMs, endMs } of subject.windows) {
      const { id } = await app.alice.ok<MaintenanceWindow>(
        'POST',
        `/organizations/${app.home.orgId}/maintenance-windows`,
        {
          title: name,
          scheduled_start: (beganMs + startMs) / 1000,
          scheduled_end: (beganMs + endMs) / 1000,
          monitors: [monitors[i]?.id],
        },
      );
      made.push({ id, turnsMs: [startMs, endMs] });
    }
  }
  return made;
}

async function makeMonitors(app: TestApp, histories: readonly History[]): Promise<Monitor[]> {
  const { projectId } = app.home;
  const made: Monitor[] = [];
  for (let i = 0; i < histories.length; i += AT_ONCE) {
    const some = histories.slice(i, i + AT_ONCE).map(({ name, subject }) =>
      app.alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, {
        name,
        type: 'http',
        config: { url: 'https://shop.example.com/', timeout_ms: TIMEOUT_MS },
        interval_seconds: INTERVAL_SECONDS,
        regions: subject.regions,
        policy: policyOf(subject),
      }),
    );
    made.push(...(await Promise.all(some)));
  }
  return made;
}

function policyOf({ alarmAfter, recoveryAfter, minimumMs, alarm, recovery }: Subject) {
  const valued = ({ mode }: Subject['alarm']) => mode === 'count' || mode === 'percent';
  return {
    alarm_consecutive: alarmAfter,
    alarm_min_duration_seconds: minimumMs / 1000,
    alarm_quorum_mode: alarm.mode,
    ...(valued(alarm) ? { alarm_quorum_value: alarm.value } : {}),
    recovery_consecutive: recoveryAfter,
    recovery_quorum_mode: recovery.mode,
    ...(valued(recovery) ? { recovery_quorum_value: recovery.value } : {}),
  };
}

/** Runs what only time decides, as its stored jobs would have done. */
async function runDue(app: TestApp): Promise<void> {
  const { rows } = await sql<{ monitor_no: number }>`
    SELECT monitor_no FROM monitor_state WHERE reevaluate_at <= ${app.clock.now()} ORDER BY reevaluate_at`.execute(
    app.db,
  );
  for (const { monitor_no } of rows) await app.runTask('confirm', { monitor_no });
}

type Row = {
  monitor_id: string;
  last_status: Recount['status'];
  last_severity: Recount['severity'];
  incidents: { started: number; triggered: number; resolved: number | null; regions: string[] }[] | null;
};

async function readAll(app: TestApp, monitors: readonly Monitor[], beganMs: number): Promise<Recount[]> {
  const { rows } = await sql<Row>`
    SELECT m.id AS monitor_id, s.last_status, s.last_severity, (
      SELECT json_agg(json_build_object('started', (extract(epoch FROM i.started_at) * 1000)::bigint,
        'triggered', (i.evidence ->> 'triggered_at_unix')::bigint * 1000,
        'resolved', (extract(epoch FROM i.resolved_at) * 1000)::bigint, 'regions', i.down_regions) ORDER BY i.started_at, (i.evidence ->> 'triggered_at_unix')::bigint)
      FROM incidents i WHERE i.monitor_no = m.no
    ) AS incidents
    FROM monitors m JOIN monitor_state s ON s.monitor_no = m.no
    WHERE m.id = ANY(${monitors.map(({ id }) => id)}::text[])`.execute(app.db);
  const byId = new Map(rows.map((row) => [row.monitor_id, row]));
  return monitors.map(({ id }) => {
    const row = byId.get(id);
    return {
      incidents: (row?.incidents ?? []).map(({ started, triggered, resolved, regions }) => ({
        startedMs: started - beganMs,
        triggeredMs: triggered - beganMs,
        resolvedMs: resolved === null ? null : resolved - beganMs,
        downRegions: regions,
      })),
      status: row?.last_status ?? null,
      severity: row?.last_severity ?? null,
    };
  });
}

/** Evidence knows whole seconds. */
function inWholeSeconds({ incidents, ...rest }: Recount, beganMs: number): Recount {
  const whole = (ms: number) => Math.floor((beganMs + ms) / 1000) * 1000 - beganMs;
  return {
    incidents: incidents.map((incident) => ({
      startedMs: incident.startedMs,
      triggeredMs: whole(incident.triggeredMs),
      resolvedMs: incident.resolvedMs,
      downRegions: incident.downRegions,
    })),
    ...rest,
  };
}

const MARKS: Record<Saw, string> = { down: '-', up: '+', degraded: '~', probe_fault: '?' };

function describe({ name, subject, arrivals }: History): string {
  const word = ({ arrivesMs, results }: Arrival) =>
    results
      .map(({ region, checkedMs, saw }) => {
        const at = checkedMs === arrivesMs ? '' : `@${checkedMs / STEP_MS}`;
        return `${region}${MARKS[saw]}${at}`;
      })
      .join('&');
  const windows = subject.windows.length > 0 ? ` in maintenance ${JSON.stringify(subject.windows)}` : '';
  return `${name}: ${JSON.stringify(policyOf(subject))}${windows}\n    ${arrivals.map(word).join(' ')}`;
}
