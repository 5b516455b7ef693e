// After everybody was silent at once, regions come back one after the other: the first of them is not the whole quorum.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { type Probe, resultOf } from '#test/harness/probe.ts';

const REGIONS = ['a', 'b', 'c', 'd', 'e'];

let app: TestApp;
let place: Place;
const probes = new Map<string, Probe>();
before(async () => {
  app = await startAppOfFile({ env: { LOCAL_PROBE: 'off' } });
  place = await app.place();
  for (const slug of REGIONS) probes.set(slug, await app.region(slug));
});

let made = 0;
async function create(regions: string[], mode: string): Promise<Monitor> {
  made += 1;
  return app.alice.ok('POST', `/projects/${place.projectId}/monitors`, {
    name: `Monitor ${made}`,
    type: 'http',
    config: { url: 'https://shop.example.com/' },
    interval_seconds: 10,
    regions,
    policy: { alarm_quorum_mode: mode },
  });
}

/** One round a 10 s: every region says what it sees. */
async function rounds(
  monitor: Monitor,
  howMany: number,
  sees: (region: string) => 'up' | 'down',
): Promise<void> {
  for (let i = 0; i < howMany; i++) {
    app.clock.advance(10_000);
    for (const region of monitor.regions) await probes.get(region)?.says(monitor.id, sees(region));
  }
}

/** Nobody is heard from for 61 s; then each region, one after the other, hands in what it saw every 10 s. */
async function away(
  monitor: Monitor,
  sees: (region: string) => 'up' | 'down',
): Promise<() => Promise<boolean>> {
  const fromMs = app.clock.ms();
  app.clock.advance(61_000);
  const left = [...monitor.regions];
  return async () => {
    const region = left.shift();
    if (region === undefined) return false;
    // As a probe does: it asks what to check, and hands in what it kept.
    await probes.get(region)?.assignments();
    const seen = [1, 2, 3, 4, 5, 6].map((i) => resultOf(monitor.id, fromMs + i * 10_000, sees(region)));
    assert.equal((await probes.get(region)?.post(seen))?.status, 200);
    return true;
  };
}

const incidents = (monitor: Monitor) =>
  app.alice.ok<IncidentSummary[]>('GET', `/monitors/${monitor.id}/incidents`);

for (const mode of ['majority', 'all'])
  test(`two failing regions of five open nothing by returning first (${mode})`, async () => {
    const sees = (region: string) => (region < 'c' ? 'down' : 'up');
    const monitor = await create(REGIONS, mode);
    await rounds(monitor, 4, sees);
    const comeBack = await away(monitor, sees);
    while (await comeBack()) assert.deepEqual(await incidents(monitor), []);
  });

test('one of two regions, recovered, resolves nothing by returning first', async () => {
  const monitor = await create(['a', 'b'], 'majority');
  await rounds(monitor, 3, () => 'down');
  assert.equal((await incidents(monitor))[0]?.status, 'open');
  const comeBack = await away(monitor, (region) => (region === 'a' ? 'up' : 'down'));
  while (await comeBack()) assert.equal((await incidents(monitor))[0]?.status, 'open');
});

test('a region that stays silent no longer counts once its window has passed', async () => {
  const monitor = await create(['a', 'b', 'c'], 'all');
  await rounds(monitor, 3, () => 'up');
  app.clock.advance(61_000);
  for (let i = 0; i < 3; i++) {
    app.clock.advance(10_000);
    for (const region of ['a', 'b']) await probes.get(region)?.says(monitor.id, 'down');
  }
  assert.deepEqual(await incidents(monitor), []);
  app.clock.advance(10_000);
  for (const region of ['a', 'b']) await probes.get(region)?.says(monitor.id, 'down');
  assert.equal((await incidents(monitor)).length, 1);
});
