import assert from 'node:assert/strict';
import { test } from 'node:test';
import { World } from './confirmation.testing.ts';
import { healthy, inOrder, isSteady, lastSeverity, unconfirmedFailures } from './confirmation.ts';

const condition = (w: World, region: string) => w.state.regions[region]?.condition;

test('a region becomes failing at alarm_consecutive failing results in a row, not before', () => {
  const w = new World({ alarm_consecutive: 3 }).fails('a', 0, 30);
  assert.equal(condition(w, 'a'), 'recovered');
  w.fails('a', 60);
  assert.equal(condition(w, 'a'), 'failing');
  assert.deepEqual(w.events, [{ kind: 'region_failing', region: 'a', atMs: 60_000 }]);
});

test('a passing result breaks a failing streak', () => {
  assert.equal(condition(new World().fails('a', 0).passes('a', 30).fails('a', 60), 'a'), 'recovered');
});

test('a degraded result breaks a failing streak too', () => {
  const w = new World().fails('a', 0);
  w.result('a', 30, 'degraded');
  assert.equal(condition(w.fails('a', 60), 'a'), 'recovered');
});

test('a failing region stays failing through fewer than recovery_consecutive passing results in a row', () => {
  const w = new World({ recovery_consecutive: 3 })
    .fails('a', 0, 30)
    .passes('a', 60, 90)
    .fails('a', 120)
    .passes('a', 150, 180);
  assert.equal(condition(w, 'a'), 'failing');
  assert.equal(condition(w.passes('a', 210), 'a'), 'recovered');
});

test('degraded results count as passing for recovery', () => {
  const w = new World().fails('a', 0, 30);
  w.result('a', 60, 'degraded');
  w.result('a', 90, 'degraded');
  assert.equal(condition(w, 'a'), 'recovered');
});

test('a result not newer than the region’s newest one changes no streak', () => {
  const w = new World().fails('a', 60);
  for (const at of [60, 30]) {
    const before = w.state;
    const decision = w.result('a', at, 'down', { arrives: 61 });
    assert.equal(decision.accepted, false);
    assert.equal(decision.reason, 'not_newer');
    assert.equal(decision.state, before);
  }
});

test('a result older than its region’s newest stored one is history, even if the steady state does not know that one', () => {
  const w = new World();
  w.lastResultAtMs = { a: 60_000 };
  assert.equal(w.result('a', 60, 'down', { arrives: 61 }).reason, 'not_newer');
  assert.equal(w.result('a', 61, 'down').accepted, true);
});

test('the newest result of one region does not make another region’s old', () => {
  const w = new World().fails('a', 60);
  assert.equal(w.result('b', 30, 'down', { arrives: 61 }).accepted, true);
});

test('a result older than the reporting window on arrival is history', () => {
  const w = new World();
  assert.equal(w.result('a', 0, 'down', { arrives: 190.001 }).reason, 'late');
  assert.equal(w.result('a', 0, 'down', { arrives: 190 }).accepted, true);
});

test('a fault of the probe is no result: no streak, no severity, no newest result', () => {
  const w = new World().passes('a', 0);
  const before = w.state;
  const decision = w.result('a', 30, 'down', { probeFault: true });
  assert.equal(decision.reason, 'probe_fault');
  assert.equal(decision.state, before);
  assert.equal(lastSeverity(w.state), 'ok');
  assert.equal(w.result('a', 20, 'up', { arrives: 31 }).accepted, true);
});

test('a result from a region that does not belong to the monitor is history', () => {
  assert.equal(new World().result('elsewhere', 0, 'down').reason, 'region_not_checked');
});

test('a batch is sorted by checked_at, and at equal times by region', () => {
  const batch = [
    { region: 'b', atMs: 2 },
    { region: 'b', atMs: 1 },
    { region: 'a', atMs: 2 },
  ];
  assert.deepEqual(
    inOrder(batch).map(({ region, atMs }) => `${region}${atMs}`),
    ['b1', 'a2', 'b2'],
  );
  assert.equal(batch[0]?.atMs, 2, 'the batch itself is left alone');
});

test('before the first result nothing is shown, and the monitor is not steady', () => {
  const w = new World();
  assert.equal(w.shown, null);
  assert.equal(lastSeverity(healthy), null);
  assert.equal(isSteady(healthy), false);
});

test('if every latest result passes the monitor is shown as passed, and is steady', () => {
  const w = new World().passes('a b', 0);
  assert.equal(w.shown, 'passed');
  assert.equal(isSteady(w.state), true);
});

test('one failing or degraded latest result is shown as degraded, and is not steady', () => {
  for (const status of ['down', 'degraded'] as const) {
    const w = new World().passes('a b', 0);
    w.result('a', 30, status);
    assert.equal(w.shown, 'degraded');
    assert.equal(isSteady(w.state), false);
  }
});

test('a failing region is shown as degraded even when its latest result passed', () => {
  const w = new World().fails('a', 0, 30).passes('a', 60);
  assert.equal(w.shown, 'degraded');
  assert.equal(isSteady(w.state), false);
});

test('the severity is that of the latest raw check in any region', () => {
  const w = new World().fails('a', 0);
  assert.equal(lastSeverity(w.state), 'critical');
  w.result('b', 10, 'degraded');
  assert.equal(lastSeverity(w.state), 'degraded');
  assert.equal(lastSeverity(w.passes('c', 20).state), 'ok');
});

test('an offline region does not affect the shown status', () => {
  const w = new World().passes('b c', 0).fails('a', 0, 30);
  assert.equal(w.shown, 'degraded');
  w.online = ['b', 'c'];
  assert.equal(w.passes('b', 60).shown, 'passed');
  w.online = ['a', 'b', 'c'];
  assert.equal(w.shown, 'degraded');
});

test('an outage is shown as failed, whichever regions are online', () => {
  const w = new World().fails('a b', 0, 30);
  w.online = [];
  assert.equal(w.shown, 'failed');
});

test('unconfirmed failures are counted, as the longest streak of the online regions', () => {
  const w = new World({ alarm_consecutive: 3 }).passes('a b c', 0);
  const count = () => unconfirmedFailures(w.state, w.online);
  assert.equal(count(), null);
  w.fails('a', 30);
  assert.equal(count(), 1);
  w.fails('a b', 60);
  assert.equal(count(), 2);
  w.online = ['b', 'c'];
  assert.equal(count(), 1);
  w.online = ['a', 'b', 'c'];
  w.fails('a', 90);
  assert.equal(count(), 1, 'the region that is failing is confirmed');
  w.passes('b', 91);
  assert.equal(count(), null);
  w.fails('b', 92, 93, 94);
  assert.equal(count(), null, 'an outage is confirmed');
});
