// How each region sees a monitor (GET /monitors/{id}/regions).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { RegionStatus } from '#src/checks/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import type { Probe } from '#test/harness/probe.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

let made = 0;
async function watchedFrom(count: number): Promise<{ monitor: Monitor; slugs: string[]; probes: Probe[] }> {
  const slugs = Array.from({ length: count }, () => `seen-from-${(made++).toString()}`).reverse();
  const probes = await Promise.all(slugs.map((slug) => app.region(slug)));
  const { projectId } = await app.place();
  const monitor = await app.alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, {
    name: 'Shop',
    type: 'http',
    config: { url: 'https://shop.example.com/' },
    interval_seconds: 60,
    regions: slugs,
  });
  return { monitor, slugs, probes };
}
const statuses = ({ id }: Monitor) => app.alice.ok<RegionStatus[]>('GET', `/monitors/${id}/regions`);
const inShort = (list: RegionStatus[]) =>
  list.map(({ online, reporting, condition, failures_in_a_row, last_check }) => [
    online,
    reporting,
    condition,
    failures_in_a_row,
    last_check?.status ?? null,
  ]);

test('regions come in the order of the monitor, and have no status before their first result', async () => {
  const { monitor, slugs } = await watchedFrom(3);
  const list = await statuses(monitor);
  assert.deepEqual(
    list.map(({ region, name }) => [region, name]),
    slugs.map((slug) => [slug, slug]),
  );
  assert.deepEqual(inShort(list), Array(3).fill([false, false, 'unknown', 0, null]));
});

test('each region has its own streak and newest check, and whether it reports', async () => {
  const { monitor, slugs, probes } = await watchedFrom(3);
  const [one, two] = probes as [Probe, Probe, Probe];
  await one.says(monitor.id, 'up');
  await two.says(monitor.id, 'down');
  app.clock.advance(1000);
  await one.says(monitor.id, { status: 'up', latency_ms: 33 });
  await two.says(monitor.id, 'down');
  const list = await statuses(monitor);
  assert.deepEqual(inShort(list), [
    [true, true, 'recovered', 0, 'up'],
    [true, true, 'failing', 2, 'down'],
    [false, false, 'unknown', 0, null],
  ]);
  assert.deepEqual(
    [list[0]?.last_check?.latency_ms, list[0]?.last_check?.region, list[1]?.last_check?.failure_class],
    [33, slugs[0], 'http_status'],
  );
  app.clock.advance(30_000);
  assert.deepEqual(inShort(await statuses(monitor))[0], [false, false, 'recovered', 0, 'up']);
});

test('a region reports for three intervals and the timeout, and keeps its condition after that', async () => {
  const { monitor, probes } = await watchedFrom(1);
  await probes[0]?.says(monitor.id, 'up');
  app.clock.advance(189_000);
  await probes[0]?.assignments();
  assert.equal((await statuses(monitor))[0]?.reporting, true);
  app.clock.advance(1_000);
  assert.deepEqual(inShort(await statuses(monitor)), [[true, false, 'recovered', 0, 'up']]);
});

test('a probe fault is shown, but is no report', async () => {
  const { monitor, probes } = await watchedFrom(1);
  const failed = { status: 'down', failure_class: 'probe_network', cause_layer: 'probe' } as const;
  await probes[0]?.says(monitor.id, failed);
  const [status] = await statuses(monitor);
  assert.deepEqual(inShort([status!]), [[true, false, 'unknown', 0, 'down']]);
  assert.equal(status?.last_check?.cause_layer, 'probe');
});

test('a failing region counts its passing results until it has enough of them', async () => {
  const { monitor, probes } = await watchedFrom(1);
  await app.alice.ok('PATCH', `/monitors/${monitor.id}`, { policy: { recovery_consecutive: 3 } });
  const after = async (status: 'up' | 'down') => {
    app.clock.advance(1000);
    await probes[0]?.says(monitor.id, status);
    const [{ condition, failures_in_a_row, recovering } = assert.fail()] = await statuses(monitor);
    return [condition, failures_in_a_row, recovering];
  };
  await after('down');
  assert.deepEqual(await after('down'), ['failing', 2, null]);
  assert.deepEqual(await after('up'), ['failing', 0, { passes: 1, required: 3 }]);
  assert.deepEqual(await after('up'), ['failing', 0, { passes: 2, required: 3 }]);
  assert.deepEqual(await after('down'), ['failing', 1, null]);
  await after('up');
  await after('up');
  assert.deepEqual(await after('up'), ['recovered', 0, null]);
});

test('an edit of the target resets every region', async () => {
  const { monitor, probes } = await watchedFrom(1);
  await probes[0]?.says(monitor.id, 'down');
  app.clock.advance(1000);
  await probes[0]?.says(monitor.id, 'down');
  app.clock.advance(1000);
  await app.alice.ok('PATCH', `/monitors/${monitor.id}`, { config: { url: 'https://else.example.com/' } });
  assert.deepEqual(inShort(await statuses(monitor)), [[true, true, 'unknown', 0, 'down']]);
});

test('a monitor without regions has one row, without a name', async () => {
  const { projectId } = await app.place();
  const body = {
    name: 'Beat',
    type: 'heartbeat',
    config: { schedule: { kind: 'period', period_seconds: 60 } },
  };
  const monitor = await app.alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, body);
  const list = await statuses(monitor);
  assert.deepEqual(
    list.map(({ region, name, online, last_check }) => [region, name, online, last_check]),
    [['', '', true, null]],
  );
});
