// Asking is no checking: a probe that is given monitors and brings no results of them does not keep its region online,
// nor its share from the others.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Assignments } from '#src/probe-protocol/contract.ts';
import type { AdministeredRegion } from '#src/regions/contract.ts';
import { onlineForDecisions } from '#src/regions/liveness.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { makeMany } from '#test/harness/many-monitors.ts';
import { type Probe, resultOf } from '#test/harness/probe.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

/** So many that the names of two probes share them out: a probe without any is not awaited, and takes over all. */
const TO_SHARE = 64;

let made = 0;
async function ownRegion(intervalSeconds = 60, count = 8) {
  made += 1;
  const slug = `stalled-${made}`;
  const probe = await app.region(slug);
  const config = { url: 'https://shop.example.com/' };
  const place = await app.place();
  const ids = await makeMany(app, { count, region: slug, place, config, intervalSeconds });
  const region = async () =>
    (await app.alice.ok<AdministeredRegion[]>('GET', '/admin/regions')).find((each) => each.slug === slug)!;
  const isOnline = async () => (await region()).online;
  return { slug, probe, ids, region, isOnline };
}

/** Lets so many seconds pass in which the probe asks and, with `id`, brings a result of that monitor each time. */
async function asks(probe: Probe, seconds: number, id?: string): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 10) {
    app.clock.advance(10_000);
    if (id) await probe.says(id, 'up');
    await probe.assignments();
  }
}
const idsOf = ({ monitors }: Assignments) => monitors.map(({ monitor_id }) => monitor_id).sort();

test('a region whose probe polls but delivers nothing is offline after four intervals, and back with the first result', async () => {
  const { slug, probe, ids, region, isOnline } = await ownRegion();
  await probe.assignments();
  await asks(probe, 240);
  assert.equal(await isOnline(), true);
  await asks(probe, 10);
  assert.equal(await isOnline(), false);
  assert.equal((await region()).probes[0]?.stalled, true);
  const decides = async () => (await onlineForDecisions(app.db, app.clock.now())).has(slug);
  assert.equal(await decides(), false);
  const regions = await app.alice.ok<{ slug: string; online: boolean }[]>('GET', '/regions');
  assert.equal(regions.find((each) => each.slug === slug)?.online, false);
  await probe.says(ids[0]!, 'up');
  assert.deepEqual([await isOnline(), await decides()], [true, true]);
});

test('requesting everything repeatedly does not restart the wait', async () => {
  const { probe, isOnline } = await ownRegion(1);
  for (let i = 0; i < 7; i++) {
    await probe.assignments();
    app.clock.advance(10_000);
  }
  await probe.assignments();
  assert.equal(await isOnline(), false);
});

test('a probe with no checks, or one check a day, is online as long as it polls', async () => {
  const nothing = await ownRegion(60, 0);
  const daily = await ownRegion(86_400);
  for (const { probe } of [nothing, daily]) await probe.assignments();
  for (let i = 0; i < 60; i++) {
    app.clock.advance(14_000);
    for (const { probe } of [nothing, daily]) await probe.assignments();
  }
  assert.deepEqual([await nothing.isOnline(), await daily.isOnline()], [true, true]);
});

test('results of monitors that the region does not check do not count', async () => {
  const { probe, isOnline } = await ownRegion(1);
  const other = await ownRegion(1);
  await probe.assignments();
  for (let i = 0; i < 7; i++) {
    app.clock.advance(10_000);
    await probe.post([resultOf(other.ids[0]!, app.clock.ms(), 'up')]);
    await probe.assignments();
  }
  assert.equal(await isOnline(), false);
});

test('the other probes also check the share of a stalled one, until it delivers again', async () => {
  const { probe, ids, isOnline } = await ownRegion(1, TO_SHARE);
  const [idle, busy] = [probe.named('idle'), probe.named('busy')];
  await idle.assignments();
  const own = idsOf(await busy.assignments());
  assert.ok(own.length < ids.length);
  for (let i = 0; i < 7; i++) {
    app.clock.advance(10_000);
    await busy.says(own[0]!, 'up');
    await Promise.all([idle.assignments(), busy.assignments()]);
  }
  assert.deepEqual(idsOf(await busy.assignments()), ids);
  const kept = idsOf(await idle.assignments());
  assert.deepEqual([...kept, ...own].sort(), ids, 'it keeps what it had, in case it comes round');
  assert.equal(await isOnline(), true);
  await idle.says(kept[0]!, 'up');
  assert.deepEqual(idsOf(await busy.assignments()), own);
});

test('two probes that both stalled share as before', async () => {
  const { probe, ids } = await ownRegion(1, TO_SHARE);
  const both = [probe.named('one'), probe.named('two')];
  const shares = async () => (await Promise.all(both.map((each) => each.assignments()))).map(idsOf);
  await shares();
  for (let i = 0; i < 8; i++) {
    app.clock.advance(10_000);
    await shares();
  }
  assert.deepEqual((await shares()).flat().sort(), ids);
});

test('time in which the server was down does not count as waiting for results', async () => {
  const { slug, probe, ids, isOnline } = await ownRegion(1);
  await probe.assignments();
  await probe.says(ids[0]!, 'up');
  app.clock.advance(3_600_000);
  await probe.assignments();
  assert.equal(await isOnline(), true);
  app.clock.advance(50_000);
  // What it kept comes first: while it is judged the region counts.
  await probe.post([]);
  const decided = await onlineForDecisions(app.db, app.clock.now());
  assert.equal(decided.has(slug), true);
});

test('a monitor with a new shorter interval gets the whole wait', async () => {
  const { probe, ids, isOnline } = await ownRegion(3_600, 1);
  await probe.assignments();
  await probe.says(ids[0]!, 'up');
  for (let i = 0; i < 30; i++) {
    app.clock.advance(10_000);
    await probe.assignments();
  }
  await app.alice.ok('PATCH', `/monitors/${ids[0]}`, { interval_seconds: 1 });
  await asks(probe, 60);
  assert.equal(await isOnline(), true);
  // It heard of it with its first request.
  await asks(probe, 20);
  assert.equal(await isOnline(), false);
});

test('a probe that left and returned for the same share gets the same wait as before', async () => {
  const { probe, isOnline } = await ownRegion(1);
  await probe.assignments();
  await probe.leave();
  await asks(probe, 80);
  assert.equal(await isOnline(), false);
});
