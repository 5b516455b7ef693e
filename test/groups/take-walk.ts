// Takes walks, each in an organization of its own, on a server that works no stored jobs: the walk does, when they are due.
import { sql } from 'kysely';
import type { IncidentDetail, IncidentSummary } from '#src/incidents/contract.ts';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Series } from '#src/series/contract.ts';
import { startTestApp, type TestApp } from '../harness/app.ts';
import type { AppOptions } from '../harness/app-options.ts';
import { makeComparison, takeSteps } from '../simulation/turns.ts';
import type { Incident } from './one.ts';
import { INTERVAL, makeOracle } from './oracle.ts';
import { type Act, ALL, type Grouping, LEAVES, type Step, type Walk } from './walk.ts';

/** No job runs but those that the walk runs. */
export const WITHOUT_WORKERS: AppOptions = { roles: ['api', 'ingest', 'pages'] };
export const startStage = (): Promise<TestApp> => startTestApp(WITHOUT_WORKERS);

/** Ahead of the machine's clock, by which the database stores jobs that are due at once. */
const AHEAD_MS = 3_600_000;
/** A later act comes later within its second, so that nothing is due at the instant of another act. */
const [APART_MS, PARTS] = [15, 50];
const JUDGED_MS = 900;
/** Two results of a group at one instant are stored a millisecond apart: what waits for time is due later by so much. */
const DRIFT_MS = 12;
/** A region is offline when its probe is silent for thirty seconds. */
const KEPT_ALIVE_MS = 20_000;
/** Uptime is compared this closely, in percent: those milliseconds, of about a second. */
const EXACT = 0.4;

/** Takes one walk; resolves to what was wrong, one sentence each. */
export const takeWalk = (app: TestApp, walk: Walk): Promise<string[]> =>
  takeSteps(() => makeScene(app, walk), walk.steps);

async function makeScene(app: TestApp, walk: Walk) {
  const { alice, clock } = app;
  clock.advance(AHEAD_MS);
  await app.runTask('partitions');
  const { orgId, projectId } = await app.place(alice, 'unlimited');
  const other = await alice.ok<{ id: string }>('POST', `/organizations/${orgId}/projects`, { name: 'Attic' });
  const incidentsPath = `/organizations/${orgId}/incidents`;
  const windowsPath = `/organizations/${orgId}/maintenance-windows`;
  const now = () => clock.ms() / 1000;
  clock.advance(1000 - (clock.ms() % 1000));
  const oracle = makeOracle(walk, now());
  const ids: string[] = [];
  const declared = new Map<number, string[]>();
  let acted = 0;
  /** Time that passes has been reckoned until then. */
  let turned = now();

  const configOf = ({ members, ...rest }: Grouping) => ({ members: members.map((of) => ids[of]!), ...rest });
  for (let of = 0; of < ALL; of++) {
    const grouping = walk.groupings[of - LEAVES];
    const { fails, passes, minimum } = walk.policies[of]!;
    const { id } = await alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, {
      name: `M${of}`,
      ...(grouping
        ? { type: 'group', config: configOf(grouping) }
        : { type: 'http', config: { url: 'https://shop.example.com/' }, interval_seconds: INTERVAL }),
      policy: {
        alarm_consecutive: fails,
        recovery_consecutive: passes,
        alarm_min_duration_seconds: minimum,
      },
    });
    ids.push(id);
  }
  await app.probe().assignments();
  await runJobs();

  /** Inner groups first: they have the lower numbers, and wake the outer ones. */
  async function runJobs(): Promise<void> {
    for (let ran = true; ran; ) {
      const { rows } = await sql<{ task: string; payload: Record<string, unknown> }>`
        WITH due AS (
          SELECT j.id, j.task_identifier AS task, (p.payload ->> 'monitor_no')::int AS no
          FROM graphile_worker.jobs j JOIN graphile_worker._private_jobs p USING (id)
          WHERE j.task_identifier IN ('confirm', 'group') AND j.run_at <= ${clock.now()}
          ORDER BY 2, 3 LIMIT 1
        ), gone AS (DELETE FROM graphile_worker._private_jobs p USING due WHERE p.id = due.id RETURNING p.payload, due.task)
        SELECT task, payload FROM gone`.execute(app.db);
      for (const { task, payload } of rows) await app.runTask(task, payload);
      ran = rows.length > 0;
    }
  }

  async function turnWindows(): Promise<void> {
    for (const { id, start, end } of oracle.windows)
      if (start <= now() || end <= now()) await app.runTask('maintenance', { window_id: id });
  }

  async function passUntil(ms: number): Promise<void> {
    while (clock.ms() < ms) {
      const turn = Math.min(...oracle.turns(turned));
      const turnMs = Math.round(turn * 1000) + DRIFT_MS;
      const nextMs = Math.min(ms, turnMs, clock.ms() + KEPT_ALIVE_MS);
      clock.advance(nextMs - clock.ms());
      await app.probe().assignments();
      if (nextMs !== turnMs) continue;
      turned = turn;
      await turnWindows();
      oracle.tick(turn);
      await runJobs();
    }
    await runJobs();
    turned = Math.max(turned, now() - DRIFT_MS / 1000);
  }

  async function act(step: Act): Promise<void> {
    switch (step.do) {
      case 'plan': {
        const of = new Set(step.of.filter((each) => !oracle.one(each).deleted));
        const [start, end] = [Math.floor(now()) + step.from, Math.floor(now()) + step.until];
        const { id } = await alice.ok<MaintenanceWindow>('POST', windowsPath, {
          ...{ title: 'New disks', scheduled_start: start, scheduled_end: end },
          monitors: [...of].map((each) => ids[each]),
        });
        return oracle.plan({ id, of, start, end, cancelled: false }, now());
      }
      case 'cancel':
      case 'unplan': {
        const window = oracle.windows[step.window];
        if (!window) return;
        if (step.do === 'cancel') await alice.ok('POST', `${windowsPath}/${window.id}/cancel`);
        else await alice.ok('DELETE', `${windowsPath}/${window.id}`);
        return oracle.unplan(window, now(), step.do === 'unplan');
      }
      default:
        if (!oracle.one(step.of).deleted) await actOn(step, `/monitors/${ids[step.of]}`);
    }
  }

  async function actOn(step: Extract<Act, { of: number }>, path: string): Promise<void> {
    const { of } = step;
    switch (step.do) {
      case 'check':
        await app.probe().says(ids[of]!, step.status);
        return oracle.check(of, step.status, now());
      case 'group': {
        const members = step.grouping.members.filter((each) => !oracle.one(each).deleted);
        if (members.length === 0) return;
        const value = step.grouping.value === null ? null : Math.min(step.grouping.value, members.length);
        const grouping = { ...step.grouping, members, value };
        await alice.ok('PATCH', path, { config: configOf(grouping) });
        return oracle.regroup(of, grouping);
      }
      case 'minimum':
        await alice.ok('PATCH', path, { policy: { alarm_min_duration_seconds: step.seconds } });
        return oracle.minimum(of, step.seconds, now());
      case 'switch_off':
      case 'switch_on':
        await alice.ok('PATCH', path, { enabled: step.do === 'switch_on' });
        if (step.do === 'switch_off' && oracle.one(of).enabled) declared.delete(of);
        return oracle.switchTo(of, step.do === 'switch_on', now());
      case 'delete':
        await alice.ok('DELETE', path);
        return oracle.delete(of);
      case 'move': {
        const { project_id: at } = await alice.ok<Monitor>('GET', path);
        const to = at === projectId ? other.id : projectId;
        await alice.ok('POST', `/organizations/${orgId}/monitors/bulk`, {
          ...{ action: 'move', monitor_ids: [ids[of]], project_id: to },
        });
        return;
      }
      case 'tag':
        await alice.ok('PATCH', path, { tags: [`t${acted}`] });
        return;
      case 'declare': {
        const about = { monitor_id: ids[of], severity: 'critical', cause: 'It smells of smoke' };
        const { id } = await alice.ok<IncidentDetail>('POST', incidentsPath, about);
        declared.set(of, [...(declared.get(of) ?? []), id]);
        return oracle.declare(of, 1);
      }
      case 'close': {
        const id = declared.get(of)?.pop();
        if (id === undefined) return;
        await alice.ok('POST', `${incidentsPath}/${id}/resolve`);
        return oracle.declare(of, -1);
      }
      case 'resolve': {
        const incidents = await alice.ok<IncidentSummary[]>('GET', `${path}/incidents`);
        const own = declared.get(of) ?? [];
        const open = incidents.find(({ id, status }) => status === 'open' && !own.includes(id));
        if (open) await alice.ok('POST', `${incidentsPath}/${open.id}/resolve`);
        return oracle.resolve(of, now());
      }
    }
  }

  async function take(step: Step): Promise<void> {
    if (step.do === 'wait')
      return passUntil(clock.ms() - (clock.ms() % 1000) + step.seconds * 1000 + JUDGED_MS);
    const second = clock.ms() - (clock.ms() % 1000) + 1000;
    acted += 1;
    await passUntil(second + (acted % PARTS) * APART_MS);
    for (const each of step.acts) {
      await act(each);
      if (!step.work) continue;
      oracle.settle(now());
      await runJobs();
    }
    oracle.settle(now());
    await runJobs();
    await passUntil(second + JUDGED_MS);
  }

  async function judgeOne(of: number, compare: ReturnType<typeof makeComparison>['compare']): Promise<void> {
    const path = `/monitors/${ids[of]}`;
    const until = Math.floor(now());
    const [shown, incidents, { stats }] = await Promise.all([
      alice.ok<Monitor>('GET', path),
      alice.ok<IncidentSummary[]>('GET', `${path}/incidents`),
      alice.ok<Series>('GET', `${path}/series?range=1d`),
    ]);
    const details = await Promise.all(
      incidents.map(({ id }) => alice.ok<IncidentDetail>('GET', `${incidentsPath}/${id}`)),
    );
    const expected = oracle.shown(of, now());
    compare(`status of ${of}`, shown.last_status, expected.status);
    compare(`maintenance of ${of}`, shown.in_maintenance_until_unix, expected.until);
    compare(
      `incidents of ${of}`,
      inOrder(details.flatMap((each) => (each.evidence ? [seenOf(of, each, each.evidence)] : []))),
      inOrder(expected.incidents.map((each) => wordsOf(of, each))),
    );
    const uptime = stats.uptime_time_pct;
    if (Math.abs((uptime ?? -1) - (expected.uptime ?? -1)) > EXACT)
      compare(`uptime of ${of} until ${until}`, uptime, expected.uptime);
  }

  async function judge(): Promise<string[]> {
    const { wrong, compare } = makeComparison(app);
    for (let of = 0; of < ALL; of++) if (!oracle.one(of).deleted) await judgeOne(of, compare);
    return wrong;
  }

  return { take, judge };
}

const inOrder = (incidents: readonly (readonly unknown[])[]) =>
  incidents.map((each) => each.join(' ')).sort();

const seenOf = (of: number, each: IncidentDetail, evidence: NonNullable<IncidentDetail['evidence']>) => [
  ...[each.started_at_unix, evidence.triggered_at_unix, each.resolved_at_unix ?? null],
  ...[
    each.status === 'open' ? null : each.auto_resolved,
    each.failure_phase_started_at_unix,
    evidence.reason,
  ],
  of < LEAVES ? '' : evidence.findings.map((finding) => finding.actual_summary).join(' '),
];

const wordsOf = (of: number, each: Incident) => [
  ...[unix(each.started), unix(each.triggered), unix(each.resolved)],
  ...[each.auto, unix(each.phase), each.reason],
  of < LEAVES ? '' : each.failed.map((member) => `M${member} has failed.`).join(' '),
];

const unix = (at: number | null) => (at === null ? null : Math.floor(at));
