// Takes walks, each with a monitor of its own that is checked every ten seconds, on one server whose jobs run when they are due.
import { sql } from 'kysely';
import type { CheckRecord } from '#src/checks/contract.ts';
import type { IncidentDetail, IncidentSummary } from '#src/incidents/contract.ts';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Series } from '#src/series/contract.ts';
import type { TestApp } from '../harness/app.ts';
import { makeComparison, takeSteps } from '../simulation/turns.ts';
import { makeOracle, type Window } from './oracle.ts';
import type { Step, Walk } from './walk.ts';

const CHECKED_EVERY = 10;
const TAG = 'prod';

/** Takes one walk; resolves to what was wrong, one sentence each. */
export const takeWalk = (app: TestApp, walk: Walk): Promise<string[]> =>
  takeSteps(() => makeScene(app, walk), walk.steps);

async function makeScene(app: TestApp, walk: Walk) {
  const { clock, db } = app;
  await app.runTask('partitions');
  const { orgId, projectId } = await app.place(app.alice, 'unlimited');
  const monitor = await app.alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, {
    ...{ name: 'Shop', type: 'http', config: { url: 'https://shop.example.com/' }, interval_seconds: 10 },
    policy: { alarm_consecutive: walk.alarmConsecutive, recovery_consecutive: walk.recoveryConsecutive },
  });
  const path = `/monitors/${monitor.id}`;
  const windowsPath = `/organizations/${orgId}/maintenance-windows`;
  const oracle = makeOracle(walk);
  let up = true;
  let checkedAt = 0;
  const now = () => Math.floor(clock.ms() / 1000);

  /** Nobody works jobs here but the walk: those of windows when they turn, and those of tags at once. */
  async function runJobs(): Promise<void> {
    for (const { id, start, end } of oracle.windows)
      if (start <= now() || end <= now()) await app.runTask('maintenance', { window_id: id });
    const { rows } = await sql<{ task: string; payload: Record<string, unknown> }>`
      WITH due AS (
        SELECT id, task_identifier AS task FROM graphile_worker.jobs WHERE task_identifier <> 'maintenance'
      ), gone AS (DELETE FROM graphile_worker._private_jobs p USING due WHERE p.id = due.id RETURNING p.id, p.payload)
      SELECT due.task, gone.payload FROM due JOIN gone USING (id)`.execute(db);
    for (const { task, payload } of rows) await app.runTask(task, payload);
    oracle.settle(now());
  }

  async function check(): Promise<void> {
    checkedAt = now();
    await app.probe().says(monitor.id, up ? 'up' : 'down');
    oracle.check(up, checkedAt);
  }

  async function pass(seconds: number): Promise<void> {
    const until = now() + seconds;
    while (now() < until) {
      const next = Math.min(until, checkedAt + CHECKED_EVERY, ...oracle.turnsAfter(now()));
      clock.advance(next * 1000 - clock.ms());
      await runJobs();
      if (next === checkedAt + CHECKED_EVERY) await check();
    }
    await runJobs();
  }

  async function takeAt(step: Step & { window: number }, window: Window): Promise<void> {
    const one = `${windowsPath}/${window.id}`;
    switch (step.do) {
      case 'move': {
        if (window.cancelled !== null) return;
        const times = { scheduled_start: now() + step.from, scheduled_end: now() + step.until };
        await app.alice.ok('PATCH', one, times);
        Object.assign(window, { start: times.scheduled_start, end: times.scheduled_end });
        if (window.end > now()) window.hadTag = null;
        return;
      }
      case 'cancel': {
        await app.alice.ok('POST', `${one}/cancel`);
        // What is over is over, and what never began never took effect.
        if (window.cancelled === null && window.end > now()) window.cancelled = Math.max(now(), window.start);
        window.cancelled ??= window.end;
        return;
      }
      case 'delete':
        await app.alice.ok('DELETE', one);
        oracle.windows.splice(oracle.windows.indexOf(window), 1);
        return;
      case 'leave':
      case 'join':
        if (window.cancelled !== null) return;
        await app.alice.ok('PATCH', one, { monitors: step.do === 'join' ? [monitor.id] : [] });
        window.named = step.do === 'join';
    }
  }

  async function take(step: Step): Promise<void> {
    switch (step.do) {
      case 'wait':
        return pass(step.seconds);
      case 'target':
        up = step.up;
        return;
      case 'plan': {
        const [start, end] = [now() + step.from, now() + step.until];
        const { id } = await app.alice.ok<MaintenanceWindow>('POST', windowsPath, {
          ...{ title: 'Move', scheduled_start: start, scheduled_end: end },
          ...(step.tagged ? { tags: [TAG] } : { monitors: [monitor.id] }),
        });
        oracle.windows.unshift({
          id,
          start,
          end,
          cancelled: null,
          named: !step.tagged,
          tagged: step.tagged,
          hadTag: null,
        });
        return runJobs();
      }
      case 'tag':
        await app.alice.ok('PATCH', path, { tags: step.on ? [TAG] : [] });
        oracle.tag(step.on, now());
        return runJobs();
      default: {
        const window = oracle.windows[step.window];
        if (window) await takeAt(step, window);
        return runJobs();
      }
    }
  }

  async function judge(): Promise<string[]> {
    const { wrong, compare } = makeComparison(app);
    const expected = oracle.shown(now());
    const [shown, checks, incidents, { stats }] = await Promise.all([
      app.alice.ok<Monitor>('GET', path),
      app.alice.ok<CheckRecord[]>('GET', `${path}/checks?limit=1000`),
      app.alice.ok<IncidentSummary[]>('GET', `${path}/incidents`),
      app.alice.ok<Series>('GET', `${path}/series?range=1d`),
    ]);
    const details = await Promise.all(
      incidents.map(({ id }) =>
        app.alice.ok<IncidentDetail>('GET', `/organizations/${orgId}/incidents/${id}`),
      ),
    );
    compare('in maintenance until', shown.in_maintenance_until_unix, expected.until);
    if (expected.checks.length > 0) compare('status', shown.last_status, expected.status);
    compare(
      'checks',
      checks.map((each) => [each.checked_at_unix, each.status === 'up', each.in_maintenance]),
      expected.checks.toReversed().map(({ at, up, maintained }) => [at, up, maintained]),
    );
    compare(
      'incidents',
      details.map((each) => [
        each.started_at_unix,
        each.evidence?.triggered_at_unix,
        each.resolved_at_unix ?? null,
      ]),
      expected.incidents
        .toReversed()
        .map(({ started, triggered, resolved }) => [started, triggered, resolved]),
    );
    const counted = expected.checks.filter(({ maintained }) => !maintained);
    const share = (100 * counted.filter(({ up }) => up).length) / counted.length;
    compare(
      'uptime',
      stats.uptime_pct === null ? null : Math.round(stats.uptime_pct * 100),
      counted.length === 0 ? null : Math.round(share * 100),
    );
    return wrong;
  }

  await check();
  return { take, judge };
}
