// Takes walks, each with a monitor of its own, on one server whose turns come as they would.
import { sql } from 'kysely';
import type { CheckRecord } from '#src/checks/contract.ts';
import type { HeartbeatStatus } from '#src/heartbeats/contract.ts';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { TestApp } from '../harness/app.ts';
import { makeComparison, makeTurns, takeSteps } from '../simulation/turns.ts';
import { makeOracle, type Oracle } from './oracle.ts';
import type { Settings, Step, Walk } from './walk.ts';

/** Checks that are compared, the newest ones. */
const COMPARED = 100;

/** Takes one walk; resolves to what was wrong, one sentence each. */
export const takeWalk = (app: TestApp, walk: Walk): Promise<string[]> =>
  takeSteps(() => makeScene(app, walk), walk.steps);

async function makeScene(app: TestApp, walk: Walk) {
  const { clock, db } = app;
  await app.runTask('partitions');
  const owner = await app.person('dora');
  const { orgId, projectId } = await app.place(owner, 'unlimited');
  const made = await owner.ok<Monitor>('POST', `/projects/${projectId}/monitors`, {
    ...{ name: 'Backup', type: 'heartbeat', config: configOf(walk.settings) },
    interval_seconds: walk.settings.intervalSeconds,
    policy: { alarm_consecutive: walk.alarmConsecutive, recovery_consecutive: walk.recoveryConsecutive },
  });
  const path = `/monitors/${made.id}`;
  const { pathname } = new URL((made.config as { ping_url: string }).ping_url);
  const oracle = makeOracle(walk, clock.ms());

  const turns = makeTurns(app, {
    task: 'heartbeats',
    dueMs: async () => Math.min(await lookMs(), oracle.nextLookMs()),
    looked: oracle.turn,
  });
  await turns.ready();

  async function lookMs(): Promise<number> {
    const { rows } = await sql<{ at: Date | null }>`
      SELECT look_at AS at FROM heartbeats h JOIN monitors m ON m.no = h.monitor_no
      WHERE m.id = ${made.id} AND NOT h.paused`.execute(db);
    return rows[0]?.at?.getTime() ?? Number.POSITIVE_INFINITY;
  }

  async function take(step: Step): Promise<void> {
    const nowMs = clock.ms();
    switch (step.do) {
      case 'wait': {
        const markMs = oracle.markMs(step.mark, nowMs);
        if (markMs !== null && Number.isFinite(markMs)) await turns.passUntil(markMs + step.ms);
        return;
      }
      case 'ping': {
        const { status } = await app
          .visitor()
          .send('POST', `${pathname}${step.word}${step.rid === '' ? '' : `?rid=${step.rid}`}`);
        if (status !== 200) throw new Error(`a ping answered ${status}`);
        return oracle.ping(step.word, step.rid, nowMs);
      }
      case 'away':
        return turns.away(step.ms, () => oracle.away(nowMs, clock.ms()));
      case 'edit': {
        const { intervalSeconds, ...config } = step.settings;
        await owner.ok('PATCH', path, {
          config: configOf(config),
          ...(intervalSeconds === undefined ? {} : { interval_seconds: intervalSeconds }),
        });
        return oracle.edit(step.settings, nowMs);
      }
      case 'rename':
        await owner.ok('PATCH', path, { name: `Backup ${nowMs}` });
        return;
      case 'switch_off':
      case 'switch_on':
        await owner.ok('PATCH', path, { enabled: step.do === 'switch_on' });
        return oracle.switchTo(step.do === 'switch_on', nowMs);
      case 'resolve': {
        const incidents = await owner.ok<IncidentSummary[]>('GET', `${path}/incidents`);
        const open = incidents.find(({ status }) => status === 'open');
        if (open) await owner.ok('POST', `/organizations/${orgId}/incidents/${open.id}/resolve`);
        return oracle.close(nowMs);
      }
    }
  }

  async function judge(): Promise<string[]> {
    const [monitor, heartbeat, checks, incidents] = await Promise.all([
      owner.ok<Monitor>('GET', path),
      owner.ok<HeartbeatStatus>('GET', `${path}/heartbeat`),
      owner.ok<CheckRecord[]>('GET', `${path}/checks?limit=${COMPARED}`),
      owner.ok<IncidentSummary[]>('GET', `${path}/incidents`),
    ]);
    const { wrong, compare } = makeComparison(app);
    const expected = oracle.shown(clock.ms());
    compare('status', [monitor.enabled, monitor.last_status], [expected.enabled, expected.status]);
    compare('heartbeat', { ...heartbeat, runs: inOrder(heartbeat.runs) }, heartbeatOf(expected));
    const newest = expected.checks.slice(-COMPARED).reverse();
    compare(
      'checks',
      checks.map((check) => [
        ...[check.checked_at_unix, check.status, check.failure_class ?? null],
        ...[check.response_code ?? null, check.latency_ms ?? null],
      ]),
      newest.map((check) => [
        ...[unix(check.atMs), check.status, check.failureClass, check.code, check.tookMs],
      ]),
    );
    compare(
      'incidents',
      incidents.map((each) => [each.started_at_unix, each.resolved_at_unix ?? null]),
      expected.incidents.toReversed().map((each) => [unix(each.startedMs), unix(each.resolvedMs)]),
    );
    return wrong;
  }

  return { take, judge };
}

const unix = (ms: number | null) => (ms === null ? null : Math.floor(ms / 1000));

/** Newest first; two of the same second have no order. */
const inOrder = (runs: HeartbeatStatus['runs']) =>
  runs.toSorted((a, b) => b.started_at_unix - a.started_at_unix || a.rid.localeCompare(b.rid));

const heartbeatOf = (expected: ReturnType<Oracle['shown']>): HeartbeatStatus => ({
  last_beat_at_unix: unix(expected.lastMs),
  due_at_unix: unix(expected.dueMs),
  late_at_unix: unix(expected.lateMs),
  runs: inOrder(expected.runs.map(({ rid, atMs }) => ({ rid, started_at_unix: Math.floor(atMs / 1000) }))),
  last_duration_ms: expected.tookMs,
  next: expected.next.map((ms) => Math.floor(ms / 1000)),
});

const configOf = ({ schedule, graceSeconds, maxRuntimeSeconds }: Partial<Settings>) => ({
  ...(schedule ? { schedule } : {}),
  ...(graceSeconds === undefined ? {} : { grace_seconds: graceSeconds }),
  ...(maxRuntimeSeconds === undefined ? {} : { max_runtime_seconds: maxRuntimeSeconds }),
});
