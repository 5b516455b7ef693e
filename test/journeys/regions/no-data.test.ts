// Not knowing is a state of its own (docs/rules/confirmation.md#no-data): since when nobody reports, and why a check
// cannot be made.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { Monitor } from '#src/monitors/contract.ts';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import { knownReports } from '#src/self-monitoring/known-reports.ts';
import { noteSilences } from '#src/self-monitoring/silences.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import type { Probe } from '#test/harness/probe.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { until } from '#test/harness/until.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

const HTTP = { type: 'http', config: { url: 'https://shop.example.com/' }, interval_seconds: 60 };
/** 3 × 60 s and the timeout of 10 s. */
const WINDOW_MS = 190_000;

let made = 0;
async function watched(given: Record<string, unknown> = {}, count = 1) {
  const slugs = Array.from({ length: count }, () => `blind-${made++}`);
  const probes = (await Promise.all(slugs.map((slug) => app.region(slug)))) as [Probe, ...Probe[]];
  const { projectId } = await app.place();
  const monitor = await app.alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, {
    name: 'Shop',
    regions: slugs,
    ...HTTP,
    ...given,
  });
  return { monitor, projectId, probes };
}
const now = () => Math.floor(app.clock.ms() / 1000);
const read = ({ id }: Monitor) => app.alice.ok<Monitor>('GET', `/monitors/${id}`);
const since = async (monitor: Monitor) => (await read(monitor)).no_data_since_unix;
/** Time passes; a probe is heard from every 20 s of it, and says nothing. */
async function passes(ms: number, ...probes: Probe[]) {
  for (let left = ms; left > 0; left -= 20_000) {
    app.clock.advance(Math.min(left, 20_000));
    await Promise.all(probes.map((probe) => probe.assignments()));
  }
}

test('before its first result a monitor has had no data since its creation, and from then on it has', async () => {
  const { monitor, probes } = await watched();
  assert.equal(monitor.no_data_since_unix, now());
  app.clock.advance(5_000);
  assert.equal(await since(monitor), now() - 5);
  await probes[0].says(monitor.id, 'up');
  assert.deepEqual([await since(monitor), (await read(monitor)).cannot_check], [null, null]);
});

test('a region reports until its last result is as old as the window, and not a moment longer', async () => {
  const { monitor, probes } = await watched();
  await probes[0].says(monitor.id, 'up');
  const last = now();
  await passes(WINDOW_MS - 1_000, probes[0]);
  assert.equal(await since(monitor), null);
  await passes(1_000, probes[0]);
  const silent = await read(monitor);
  assert.deepEqual([silent.no_data_since_unix, silent.last_status], [last, 'passed']);
});

test('a region that goes offline stops reporting at once, however long the interval is', async () => {
  const { monitor, probes } = await watched({ interval_seconds: 86_400 });
  await probes[0].says(monitor.id, 'up');
  const last = now();
  app.clock.advance(29_000);
  assert.equal(await since(monitor), null);
  app.clock.advance(1_000);
  assert.equal(await since(monitor), last);
  const [region] = await app.alice.ok<{ reporting: boolean }[]>('GET', `/monitors/${monitor.id}/regions`);
  assert.equal(region?.reporting, false);
  await probes[0].assignments();
  assert.equal(await since(monitor), null, 'its last result is still young enough');
});

test('one reporting region is enough', async () => {
  const { monitor, probes } = await watched({}, 2);
  await probes[0].says(monitor.id, 'up');
  app.clock.advance(40_000);
  await probes[1]!.says(monitor.id, 'up');
  assert.equal(await since(monitor), null);
  app.clock.advance(31_000);
  assert.equal(await since(monitor), now() - 31);
});

test('a longer timeout lengthens the window, and the shorter default timeout of a short interval shortens it', async () => {
  const slow = await watched({ config: { ...HTTP.config, timeout_ms: 30_000 } });
  const hasty = await watched({ interval_seconds: 5 });
  await slow.probes[0].says(slow.monitor.id, 'up');
  await hasty.probes[0].says(hasty.monitor.id, 'up');
  await passes(18_999, hasty.probes[0], slow.probes[0]);
  assert.equal(await since(hasty.monitor), null);
  await passes(1, hasty.probes[0], slow.probes[0]);
  assert.notEqual(await since(hasty.monitor), null, '3 × 5 s and 80 % of 5 s');
  await passes(209_999 - 19_000, slow.probes[0]);
  assert.equal(await since(slow.monitor), null);
  await passes(1, slow.probes[0]);
  assert.notEqual(await since(slow.monitor), null);
});

test('disabled monitors, heartbeats and groups do not depend on reports', async () => {
  const { monitor, projectId } = await watched();
  const make = (name: string, type: string, config: unknown) =>
    app.alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, { name, type, config });
  const schedule = { kind: 'period', period_seconds: 60 };
  const others = [
    await make('Job', 'heartbeat', { schedule }),
    await make('Both', 'group', { members: [monitor.id], rule: 'any_failed' }),
    await app.alice.ok<Monitor>('PATCH', `/monitors/${monitor.id}`, { enabled: false }),
  ];
  app.clock.advance(86_400_000);
  for (const each of others) assert.equal(await since(each), null, each.type);
});

test('a probe fault is no data, and lists say so too', async () => {
  const { monitor, projectId, probes } = await watched();
  await probes[0].says(monitor.id, 'up');
  const last = now();
  app.clock.advance(10_000);
  await probes[0].says(monitor.id, { status: 'down', failure_class: 'probe_busy', cause_layer: 'probe' });
  assert.equal(await since(monitor), null, 'the result before it is young enough');
  await passes(WINDOW_MS - 10_000, probes[0]);
  await probes[0].says(monitor.id, { status: 'down', failure_class: 'probe_busy', cause_layer: 'probe' });
  const [listed] = await app.alice.ok<Monitor[]>('GET', `/projects/${projectId}/monitors`);
  assert.deepEqual([listed?.no_data_since_unix, listed?.cannot_check], [last, null]);
});

test('a check that cannot be made is reported with its remedy, and earlier results no longer count', async () => {
  const { monitor, probes } = await watched({ type: 'ping', config: { host: 'shop.example.com' } });
  await probes[0].says(monitor.id, 'up');
  const last = now();
  app.clock.advance(1_000);
  await probes[0].says(monitor.id, {
    status: 'down',
    failure_class: 'ping_unavailable',
    cause_layer: 'probe',
  });
  const blind = await read(monitor);
  assert.match(blind.cannot_check ?? '', /program ping is missing.*apt install iputils-ping/);
  assert.equal(blind.no_data_since_unix, last);
  app.clock.advance(1_000);
  await probes[0].says(monitor.id, 'up');
  const seeing = await read(monitor);
  assert.deepEqual([seeing.cannot_check, seeing.no_data_since_unix], [null, null]);
});

test('a temporary fault of a probe does not bring back what was known before a check that could not be made', async () => {
  const { monitor, projectId, probes } = await watched({
    type: 'ping',
    config: { host: 'shop.example.com' },
  });
  const fault = (failure_class: string) => ({ status: 'down', failure_class, cause_layer: 'probe' }) as const;
  await probes[0].says(monitor.id, 'up');
  const last = now();
  app.clock.advance(1_000);
  await probes[0].says(monitor.id, fault('ping_unavailable'));
  app.clock.advance(1_000);
  await probes[0].says(monitor.id, fault('probe_busy'));
  assert.equal(await since(monitor), last);
  const [listed] = await app.alice.ok<Monitor[]>('GET', `/projects/${projectId}/monitors`);
  assert.equal(listed?.no_data_since_unix, last);
  app.clock.advance(1_000);
  await probes[0].says(monitor.id, 'up');
  app.clock.advance(1_000);
  await probes[0].says(monitor.id, fault('probe_busy'));
  assert.equal(await since(monitor), null, 'its check could be made since');
});

test('a result that arrives late is the newest of a monitor that has no data even so', async () => {
  const { monitor, probes } = await watched();
  await probes[0].says(monitor.id, 'up');
  const first = now();
  app.clock.advance(40_000);
  await app.runTask('self_monitoring');
  assert.equal(await since(monitor), first);
  app.clock.advance(2 * WINDOW_MS);
  const checked = (seconds: number) =>
    probes[0].says(monitor.id, { status: 'up', checked_at_ms: (first + seconds) * 1000 });
  await checked(100);
  assert.equal(await since(monitor), first + 100);
  const { rows } = await sql<{ since: number }>`
    SELECT (payload ->> 'no_data_since_unix')::int AS since FROM live_events
    WHERE payload ->> 'monitor_id' = ${monitor.id} AND payload ->> 'change' = 'data' ORDER BY seq`.execute(
    app.db,
  );
  assert.deepEqual(
    rows.map((row) => row.since),
    [first, first + 100],
  );
  await checked(50);
  assert.equal(await since(monitor), first + 100);
});

test('a monitor that moves to other regions has had no data since its last result in the earlier ones', async () => {
  const { monitor, probes } = await watched();
  const further = `blind-${made++}`;
  await app.region(further);
  app.clock.advance(60_000);
  await probes[0].says(monitor.id, 'up');
  const last = now();
  app.clock.advance(10_000);
  await app.alice.ok('PATCH', `/monitors/${monitor.id}`, { regions: [further] });
  assert.equal(await since(monitor), last);
  await app.runTask('self_monitoring');
  assert.equal(await since(monitor), last);
});

test('a check can be made as long as one region can make it', async () => {
  const { monitor, probes } = await watched({ type: 'ping', config: { host: 'shop.example.com' } }, 2);
  const unable = { status: 'down', failure_class: 'ping_unavailable', cause_layer: 'probe' } as const;
  await probes[0].says(monitor.id, unable);
  assert.notEqual((await read(monitor)).cannot_check, null);
  await probes[1]!.says(monitor.id, 'up');
  assert.deepEqual([await since(monitor), (await read(monitor)).cannot_check], [null, null]);
});

test('a monitor that fell silent in a look that failed is noted by the next', async () => {
  const { monitor, probes } = await watched({ interval_seconds: 3600 });
  await probes[0].says(monitor.id, 'up');
  const look = (fails = false) =>
    runWork(app.db, app.clock.now(), SYSTEM, async (work) => {
      await noteSilences(work);
      if (fails) throw new Error('the database has gone away');
    });
  const isDue = async () => {
    const { nos } = await runWork(app.db, app.clock.now(), SYSTEM, (work) => knownReports(app.db).due(work));
    const { rows } = await sql`SELECT FROM monitors WHERE id = ${monitor.id}
      AND no = ANY(${[...nos]}::int[])`.execute(app.db);
    return rows.length > 0;
  };
  await until(async () => {
    await look();
    return !(await isDue());
  }, 'nothing has changed since the last look');
  app.clock.advance(31_000);
  await assert.rejects(look(true), /gone away/);
  await look();
  const { rows } = await sql`SELECT FROM silences s JOIN monitors m ON m.no = s.monitor_no
    WHERE m.id = ${monitor.id}`.execute(app.db);
  assert.equal(rows.length, 1);
});

test('both fields are read-only, and can be sent back as read', async () => {
  const { monitor } = await watched();
  const { no_data_since_unix, cannot_check } = monitor;
  await app.alice.ok('PATCH', `/monitors/${monitor.id}`, { no_data_since_unix, cannot_check });
  for (const [field, value] of Object.entries({ no_data_since_unix: 5, cannot_check: 'so' }))
    assertRefused(await app.alice.send('PATCH', `/monitors/${monitor.id}`, { [field]: value }), {
      status: 400,
      error: 'invalid_request',
      field,
    });
});
