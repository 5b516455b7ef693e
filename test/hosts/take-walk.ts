// Takes walks, each with a host of its own, on one server whose turns come as they would.
import { sql } from 'kysely';
import type { CheckRecord } from '#src/checks/contract.ts';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import { makeAgent } from '../harness/agents.ts';
import type { TestApp } from '../harness/app.ts';
import { makeComparison, makeTurns, takeSteps } from '../simulation/turns.ts';
import { DEGRADED, makeOracle, type Name, type Oracle, type Sent, THRESHOLD } from './oracle.ts';
import type { Step, Walk } from './walk.ts';

const NAMES = ['online', 'cpu', 'service'] as const satisfies readonly Name[];
/** Checks that are compared, the newest ones. */
const COMPARED = 200;

/** Takes one walk; resolves to what was wrong, one sentence each. */
export const takeWalk = (app: TestApp, walk: Walk): Promise<string[]> =>
  takeSteps(() => makeScene(app, walk), walk.steps);

async function makeScene(app: TestApp, walk: Walk) {
  const { clock, db } = app;
  await app.runTask('partitions');
  const place = await app.place(app.alice, 'unlimited');
  const { orgId } = place;
  const agent = await makeAgent(app, place);
  const oracle = makeOracle(walk, clock.ms());
  const policy = { recovery_consecutive: walk.recoveryConsecutive };
  const monitors = {
    online: await agent.watch('agent', { metric: 'online' }, { policy }),
    cpu: await agent.watch('agent', {
      ...{ metric: 'cpu_pct', op: 'gt', threshold: THRESHOLD, degraded_threshold: DEGRADED },
      window_seconds: walk.windowSeconds,
    }),
    service: await agent.watch('service', {
      ...{ service: 'nginx', kind: 'systemd', expect: walk.expectRunning ? 'running' : 'stopped' },
    }),
  };
  let before: { body: object; sent: readonly Sent[]; postedMs: number } | null = null;

  const turns = makeTurns(app, {
    task: 'agents',
    dueMs: async () => Math.min(await lookMs(), oracle.nextLookMs()),
    looked: oracle.turn,
  });
  await turns.ready();

  async function lookMs(): Promise<number> {
    const { rows } = await sql<{ at: Date }>`
      SELECT look_at AS at FROM agent_states WHERE agent_no = ${agent.no}`.execute(db);
    return rows[0]?.at.getTime() ?? 0;
  }

  async function post({ body, sent, postedMs }: NonNullable<typeof before>): Promise<void> {
    const { status } = await agent.post(body);
    if (status !== 200) throw new Error(`a post answered ${status}`);
    oracle.post(sent, postedMs, clock.ms());
  }

  async function take(step: Step): Promise<void> {
    const nowMs = clock.ms();
    switch (step.do) {
      case 'wait':
        return turns.passUntil((step.mark === 'now' ? nowMs : oracle.nextLookMs()) + step.ms);
      case 'post': {
        const postedMs = nowMs + step.skewMs;
        const sent = step.beats.map(({ agoMs, ...measured }) => ({ sentMs: postedMs - agoMs, ...measured }));
        before = { body: bodyOf(sent, postedMs), sent, postedMs };
        return post(before);
      }
      case 'repeat':
        return before ? post(before) : undefined;
      case 'away':
        return turns.away(step.ms, () => oracle.away(nowMs, clock.ms()));
      case 'switch':
        await app.alice.ok('PATCH', `/monitors/${monitors[step.monitor].id}`, { enabled: step.on });
        return oracle.switchTo(step.monitor, step.on, nowMs);
      case 'resolve': {
        const open = (await monitors.online.incidents()).find(({ status }) => status === 'open');
        if (open) await app.alice.ok('POST', `/organizations/${orgId}/incidents/${open.id}/resolve`);
        return oracle.close(nowMs);
      }
    }
  }

  async function judge(): Promise<string[]> {
    const { wrong, compare } = makeComparison(app);
    const expected = oracle.shown(clock.ms());
    const host = await app.alice.ok<{ online: boolean; last_heartbeat_at_unix: number | null }>(
      'GET',
      `/organizations/${orgId}/agents/${agent.id}`,
    );
    if (expected.lastMs !== null)
      compare('host', [host.online, host.last_heartbeat_at_unix], [expected.online, unix(expected.lastMs)]);
    const events = await app.alice.ok<{ at_unix: number; kind: string }[]>(
      'GET',
      `/organizations/${orgId}/agents/${agent.id}/events`,
    );
    compare(
      'events',
      inOrder(
        events
          .filter(({ kind }) => kind === 'silent' || kind === 'back')
          .map((event) => [event.at_unix, event.kind] as const),
      ),
      inOrder(expected.events.map(({ kind, atMs }) => [Math.floor(atMs / 1000), kind] as const)),
    );
    for (const name of NAMES)
      compare(
        name,
        (
          await app.alice.ok<CheckRecord[]>('GET', `/monitors/${monitors[name].id}/checks?limit=${COMPARED}`)
        ).map(shownCheck),
        checksOf(expected, name),
      );
    const incidents: IncidentSummary[] = await monitors.online.incidents();
    compare(
      'incidents',
      incidents.map((each) => [each.started_at_unix, each.resolved_at_unix ?? null]),
      expected.incidents.toReversed().map((each) => [unix(each.startedMs), unix(each.resolvedMs)]),
    );
    return wrong;
  }

  return { take, judge };
}

/** Newest first; two of the same second have no order. */
const inOrder = (events: readonly (readonly [number, string])[]) =>
  events.toSorted(([a, one], [b, other]) => b - a || one.localeCompare(other));

const unix = (ms: number | null) => (ms === null ? null : Math.floor(ms / 1000));
const rounded = (value: number | null | undefined) => (value == null ? null : Math.round(value * 1e6) / 1e6);

const shownCheck = ({ checked_at_unix, status, failure_class, metric_value }: CheckRecord) => [
  ...[checked_at_unix, status, failure_class ?? null, rounded(metric_value)],
];

const checksOf = ({ checks }: ReturnType<Oracle['shown']>, name: Name) =>
  checks[name]
    .toSorted((a, b) => b.atMs - a.atMs)
    .slice(0, COMPARED)
    .map(({ atMs, status, failureClass, value }) => [unix(atMs), status, failureClass, rounded(value)]);

function bodyOf(sent: readonly Sent[], postedMs: number): object {
  const heartbeats = sent.map(({ sentMs, cpuPct, running }) => ({
    ...{ sent_at_ms: sentMs, agent_version: '0.1.0', modules: ['cpu', 'services'] },
    readings: cpuPct === null ? {} : { cpu_pct: cpuPct },
    services: running === null ? [] : [{ kind: 'systemd', name: 'nginx', running }],
  }));
  return heartbeats.length === 1 && heartbeats[0]?.sent_at_ms === postedMs
    ? heartbeats[0]
    : { sent_at_ms: postedMs, heartbeats };
}
