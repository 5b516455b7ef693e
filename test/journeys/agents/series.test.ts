// Series, curves and events of a host (docs/rules/agents.md#series-of-a-host, docs/rules/agents.md#events-of-a-host).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import type { AgentCurve, AgentEvent, AgentSeries } from '#src/agents/contract.ts';
import { rollUpAgents } from '#src/agents/rollup.ts';
import { SERIES_RANGES } from '#src/domain/names.ts';
import {
  assertFigures,
  naiveAgentSeries,
  type StoredReading,
  storeReadings,
} from '#test/harness/agent-readings.ts';
import { type InsertedAgent, insertAgent } from '#test/harness/agents.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import type { Answer } from '#test/harness/client.ts';
import { silent } from '#test/harness/cluster.ts';
import { assertRefused } from '#test/harness/refused.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

const DAY_MS = 86_400_000;
const agentsPath = (orgId = app.home.orgId) => `/organizations/${orgId}/agents`;
const newAgent = (at: Date, orgId = app.home.orgId) => insertAgent(app.db, { orgId, at });
const seriesOf = ({ id }: InsertedAgent, metric: string, range = '1d') =>
  app.alice.ok<AgentSeries>(
    'GET',
    `${agentsPath()}/${id}/series?metric=${encodeURIComponent(metric)}&range=${range}`,
  );
const aligned = (ms: number) => new Date(Math.floor(ms / 600_000) * 600_000);

const disksOf = (pct: number | null): Record<string, number> =>
  pct === null ? { '/': 5 } : { '/': 5, '/var/lib': pct };

/** Readings with the minutes that they were delayed by: most none, some up to a day. */
const history = fc.array(
  fc.record({
    minutesAgo: fc.integer({ min: 0, max: 4 * 1440 }),
    lateMinutes: fc.oneof(fc.constant(0), fc.constant(0), fc.integer({ min: 0, max: 1440 })),
    cpu_pct: fc.option(fc.double({ min: 0, max: 100, noNaN: true })),
    load1: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true })),
    var: fc.option(fc.double({ min: 0, max: 100, noNaN: true })),
  }),
  { minLength: 1, maxLength: 400 },
);
/** When the roll-up ran, in minutes before now. */
const runs = fc.array(fc.integer({ min: 0, max: 5 * 1440 }), { maxLength: 12 });

test('a series matches its readings, however late they came and whatever is rolled up', async () => {
  await fc.assert(
    fc.asyncProperty(history, runs, async (given, ran) => {
      const now = app.clock.ms();
      const agent = await newAgent(aligned(now - 5 * DAY_MS));
      const minutes = new Map(given.map((reading) => [reading.minutesAgo, reading]));
      const readings = [...minutes.values()].map(({ minutesAgo, lateMinutes, cpu_pct, load1, ...rest }) => ({
        arrivesMs: now - Math.max(0, minutesAgo - lateMinutes) * 60_000,
        stored: {
          at: new Date(now - minutesAgo * 60_000),
          ...{ cpu_pct, load1, disks: disksOf(rest.var) },
        } as StoredReading,
      }));
      const arrivedBetween = (from: number, until: number) =>
        readings
          .filter(({ arrivesMs }) => arrivesMs > from && arrivesMs <= until)
          .map(({ stored }) => stored);
      let last = 0;
      for (const minutesAgo of ran.toSorted((left, right) => right - left)) {
        const at = now - minutesAgo * 60_000;
        await storeReadings(app.db, agent.no, arrivedBetween(last, at));
        await rollUpAgents(app.db, new Date(at), silent);
        last = at;
      }
      await storeReadings(app.db, agent.no, arrivedBetween(last, now));
      const all = readings.map(({ stored }) => stored);
      for (const range of SERIES_RANGES)
        for (const [metric, measured] of [
          ['cpu_pct', (reading: StoredReading) => reading.cpu_pct],
          ['load1', (reading: StoredReading) => reading.load1],
          ['disk_pct:/var/lib', (reading: StoredReading) => reading.disks?.['/var/lib']],
        ] as const) {
          const { points, stats } = await seriesOf(agent, metric, range);
          const wanted = naiveAgentSeries(all, measured, range, app.clock.now());
          assertFigures({ points, stats }, wanted, `${metric} ${range}`);
        }
    }),
    { numRuns: 8 },
  );
});

test('roll-ups outlive their readings', async () => {
  const start = aligned(app.clock.ms());
  const agent = await newAgent(start);
  const readings = Array.from({ length: 1440 }, (_, i) => ({
    ...{
      at: new Date(start.getTime() + i * 60_000),
      cpu_pct: i % 100,
      mem_pct: 40,
      disks: { 'C:\\data': i / 100 },
    },
  }));
  await storeReadings(app.db, agent.no, readings);
  app.clock.advance(2 * DAY_MS);
  await app.runTask('roll_up_agents');
  app.clock.advance(7 * DAY_MS);
  await app.runTask('partitions');
  app.clock.advance(DAY_MS);
  await app.runTask('roll_up_agents');
  await app.runTask('partitions');
  const left = await app.db
    .selectFrom('agent_readings')
    .select('at')
    .where('agent_no', '=', agent.no)
    .execute();
  assert.equal(left.length, 0, 'the readings are dropped');
  for (const range of ['14d', '30d', '90d'] as const) {
    const { points, stats } = await seriesOf(agent, 'cpu_pct', range);
    const wanted = naiveAgentSeries(
      readings,
      (reading) => (reading as StoredReading).cpu_pct,
      range,
      app.clock.now(),
    );
    assertFigures({ points, stats }, wanted, range);
  }
  assert.equal((await seriesOf(agent, 'disk_pct:C:\\data', '30d')).stats.max, 14.39);
  assert.equal((await seriesOf(agent, 'temp_c', '30d')).stats.count, 0);
});

test('a host with a long backlog delays no other, and each is rolled up in its turn', async () => {
  const start = aligned(app.clock.ms() - 6 * DAY_MS);
  const agents = await Promise.all(Array.from({ length: 30 }, () => newAgent(start)));
  await app.runTask('roll_up_agents');
  const marks = await app.db
    .selectFrom('agent_states')
    .select('rolled_until')
    .where(
      'agent_no',
      'in',
      agents.map(({ no }) => no),
    )
    .execute();
  const closed = aligned(app.clock.ms() - 120_000);
  for (const { rolled_until } of marks) assert.deepEqual(rolled_until, closed);
});

test('two servers that roll up at once count every reading once', async () => {
  const start = aligned(app.clock.ms() - DAY_MS);
  const agent = await newAgent(start);
  const at = (i: number) => new Date(start.getTime() + i * 60_000);
  await storeReadings(
    app.db,
    agent.no,
    Array.from({ length: 600 }, (_, i) => ({ at: at(i), cpu_pct: 50 })),
  );
  await Promise.all([app.runTask('roll_up_agents'), app.runTask('roll_up_agents')]);
  const { stats } = await seriesOf(agent, 'cpu_pct', '7d');
  assert.deepEqual(stats, { count: 600, avg: 50, max: 50 });
});

test('a metric that no agent has is refused with its code', async () => {
  const agent = await newAgent(app.clock.now());
  for (const metric of [
    'nonsense',
    'online',
    '',
    'disk_pct:',
    'disk_pct:relative',
    'toString',
    '__proto__',
    'a\u0001',
  ]) {
    const path = `${agentsPath()}/${agent.id}/series?metric=${encodeURIComponent(metric)}`;
    const refused = await app.alice.send('GET', path);
    assertRefused(refused, { status: 400, error: 'unknown_agent_metric', field: 'metric' }, metric);
  }
  const path = `${agentsPath()}/${agent.id}/series`;
  for (const [query, field] of [
    ['', 'metric'],
    ['metric=cpu_pct&range=2d', 'range'],
  ])
    assertRefused(await app.alice.send('GET', `${path}?${query}`), {
      ...{ status: 400, error: 'invalid_request', field: field! },
    });
  assert.equal((await seriesOf(agent, 'temp_c')).unit, 'celsius');
  assert.equal((await seriesOf(agent, 'disk_pct:/')).bucket_seconds, 600);
});

test('a page of hosts has charts with 36 buckets of five minutes each', async () => {
  const { orgId } = await app.place();
  const now = app.clock.ms();
  const [silentOne, other] = [await newAgent(app.clock.now(), orgId), await newAgent(app.clock.now(), orgId)];
  const first = Math.floor(now / 300_000) * 300_000 - 35 * 300_000;
  await storeReadings(app.db, other!.no, [
    { at: new Date(first - 1000), cpu_pct: 99, mem_pct: 99, load1: 99 },
    { at: new Date(first), cpu_pct: 10, mem_pct: 40, load1: 0.5 },
    { at: new Date(first + 299_000), cpu_pct: 20, mem_pct: null, load1: 1 },
    { at: new Date(now), cpu_pct: 7, mem_pct: 8, load1: 9 },
  ]);
  const curves = await app.alice.ok<AgentCurve[]>('GET', `/organizations/${orgId}/agent-curves`);
  assert.deepEqual(
    curves.map(({ agent_id }) => agent_id),
    [other!.id, silentOne!.id],
  );
  const [busy, idle] = curves;
  const between = new Array<null>(34).fill(null);
  assert.deepEqual(busy, {
    ...{ agent_id: other!.id, from_unix: first / 1000, bucket_seconds: 300 },
    ...{ cpu_pct: [15, ...between, 7], mem_pct: [40, ...between, 8], load1: [0.75, ...between, 9] },
  });
  assert.deepEqual(idle?.cpu_pct, new Array<null>(36).fill(null));
  const page = await app.alice.send('GET', `/organizations/${orgId}/agent-curves?limit=1`);
  assert.match(page.headers.get('link') ?? '', new RegExp(`before=${other!.id}>; rel="next"`));
});

test('events are listed newest first, and pages lose none of the same instant', async () => {
  const agent = await newAgent(app.clock.now());
  const at = (seconds: number) => new Date(app.clock.ms() + seconds * 1000);
  await app.db
    .insertInto('agent_events')
    .values(
      [
        [0, 'enrolled'],
        [60, 'rebooted'],
        [60, 'back'],
        [60, 'upgraded'],
        [90, 'silent'],
      ].map(([seconds, kind]) => ({
        ...{ at: at(Number(seconds)), agent_no: agent.no, kind: String(kind), detail: `of ${kind}` },
      })),
    )
    .execute();
  const path = `${agentsPath()}/${agent.id}/events`;
  const all = await app.alice.ok<AgentEvent[]>('GET', path);
  assert.deepEqual(
    all.map(({ kind }) => kind),
    ['silent', 'upgraded', 'rebooted', 'back', 'enrolled'],
  );
  const paged: AgentEvent[] = [];
  for (let next: string | undefined = `${path}?limit=2`; next !== undefined; ) {
    const answer: Answer = await app.alice.send('GET', next);
    paged.push(...(answer.body as AgentEvent[]));
    next = /<(.*)>/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  assert.deepEqual(paged, all);
  const since = all[1]?.at_unix ?? 0;
  assert.deepEqual(await app.alice.ok('GET', `${path}?before=${since}`), all.slice(4));
  for (const before of ['nonsense', '1.2', '99999999999999', '-1'])
    assertRefused(await app.alice.send('GET', `${path}?before=${before}`), {
      ...{ status: 400, error: 'invalid_request', field: 'before' },
    });
});
