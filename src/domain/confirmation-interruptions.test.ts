import assert from 'node:assert/strict';
import { test } from 'node:test';
import { World } from './confirmation.testing.ts';
import { afterEdit, closeManually, downRegions, hasOpenIncident, isSteady } from './confirmation.ts';

test('in maintenance no incident opens, and an ongoing outage opens one when the window ends', () => {
  const w = new World();
  w.maintenance(0, 100);
  w.fails('a b', 0, 30, 60, 90);
  assert.deepEqual([w.opened, w.shown, w.jobAtMs], [[], 'failed', null]);
  w.pass(100);
  assert.deepEqual(
    [w.triggered, w.opened[0]?.reason, w.opened[0]?.startedAtMs],
    [[100], 'maintenance_ended', 30_000],
  );
});

test('an outage that recovers inside the window opens nothing', () => {
  const w = new World();
  w.maintenance(0, 100);
  w.fails('a b', 0, 30).passes('a b', 60, 90);
  w.pass(100);
  assert.deepEqual([w.opened, isSteady(w.state)], [[], true]);
});

test('if too few failing regions report when the window ends, the incident opens with the first result that makes them enough', () => {
  const w = new World();
  w.maintenance(0, 310);
  w.fails('a b', 0, 30).fails('a', 300);
  w.pass(310);
  assert.deepEqual(w.opened, []);
  assert.deepEqual(w.fails('b', 320).triggered, [320]);
});

test('an incident that waited for reporting regions opens after the window in which they report again', () => {
  const w = new World({ alarm_min_duration_seconds: 300 })
    .fails('a b', 0, 30)
    .fails('a', 60, 120, 180, 240, 300)
    .timeTo(330);
  assert.equal(w.lastDecision?.reason, 'too_few_reporting');
  w.maintenance(340, 400);
  w.fails('a b', 345, 390);
  assert.deepEqual([w.opened, w.lastDecision?.reason, w.jobAtMs], [[], 'in_maintenance', null]);
  w.pass(400);
  assert.deepEqual(
    [w.triggered, w.opened[0]?.reason, w.opened[0]?.startedAtMs],
    [[400], 'maintenance_ended', 30_000],
  );
});

test('a minimum duration still running when the window ends is awaited', () => {
  const w = new World({ alarm_min_duration_seconds: 100 });
  w.maintenance(0, 70);
  w.fails('a b', 0, 30, 60);
  w.pass(70);
  assert.deepEqual([w.opened, w.jobAtMs], [[], 130_000]);
  assert.deepEqual(w.timeTo(130).triggered, [130]);
});

test('the first result after a window’s unannounced end opens the incident, dated to that end', () => {
  const w = new World();
  w.maintenance(0, 40);
  w.fails('a b', 0, 30);
  assert.deepEqual(w.fails('c', 50).triggered, [40]);
});

test('a result from before a window that arrives during it opens the incident', () => {
  const w = new World().fails('a b', 0).fails('a', 30);
  w.maintenance(40, 100);
  w.result('b', 35, 'down', { arrives: 50 });
  assert.deepEqual([w.triggered, w.opened[0]?.reason], [[35], 'quorum_reached']);
});

test('a result from a window that arrives after it opens nothing by itself, only an outage that persists at the end does', () => {
  const w = new World().fails('a b', 0).fails('a', 30);
  w.maintenance(40, 60);
  w.result('b', 50, 'down', { arrives: 70 });
  assert.deepEqual([w.triggered, w.opened[0]?.reason], [[60], 'maintenance_ended']);
});

test('an outage entirely within a window opens nothing, even if all of it arrives afterwards', () => {
  const w = new World().passes('a b c', 0);
  w.maintenance(10, 60);
  const seen = (['down', 'up'] as const).flatMap((status, i) =>
    [20, 25].flatMap((at) => ['a', 'b'].map((region) => [region, at + 20 * i, status] as const)),
  );
  w.batch(70, ...seen);
  assert.deepEqual(w.opened, []);
});

test('an incident that is open when a window starts stays open, and may resolve during the window', () => {
  const w = new World().fails('a b', 0, 30);
  w.maintenance(45, 500);
  w.fails('a b', 60);
  assert.equal(hasOpenIncident(w.state), true);
  assert.deepEqual(w.passes('a b', 90, 120).resolved, [120]);
});

test('closing by hand while the target still fails resets the streaks', () => {
  const w = new World().fails('a b', 0, 30);
  w.state = closeManually(w.state);
  assert.equal(w.shown, 'degraded');
  w.fails('a b', 60);
  assert.equal(w.opened.length, 1);
  w.fails('a b', 90);
  assert.equal(w.opened.length, 2);
});

test('the next confirmation opens a new incident with its own trigger and the phase’s start', () => {
  const w = new World().fails('a b', 0, 30);
  w.state = closeManually(w.state);
  w.fails('b c', 60, 90);
  const { startedAtMs, failurePhaseStartedAtMs, firstFailureAtMs, downRegions: down } = w.opened[1] ?? {};
  assert.deepEqual([startedAtMs, failurePhaseStartedAtMs, firstFailureAtMs], [90_000, 30_000, 0]);
  assert.deepEqual(down, ['b', 'c'], 'a had not failed again');
});

test('the rest of the phase ends with recovery: a later outage has its own phase', () => {
  const w = new World().fails('a b', 0, 30);
  w.state = closeManually(w.state);
  w.passes('a', 60, 90);
  assert.equal(w.state.phase, null);
  w.fails('a b', 120, 150);
  assert.equal(w.opened[1]?.failurePhaseStartedAtMs, 150_000);
});

test('a monitor that waits for the end of a phase is not steady', () => {
  const w = new World({ recovery_quorum_mode: 'count', recovery_quorum_value: 3 }).fails('a b', 0, 30);
  w.state = closeManually(w.state);
  w.online = ['a', 'b'];
  w.passes('a b', 60, 90);
  assert.equal(isSteady(w.state), false);
  w.online = ['a', 'b', 'c'];
  assert.equal(isSteady(w.passes('a', 120).state), true);
});

test('a region that was failing when the incident was closed needs recovery_consecutive passing results to recover', () => {
  const w = new World().fails('a b', 0, 30);
  w.state = closeManually(w.state);
  w.passes('a b', 60);
  assert.equal(isSteady(w.state), false);
  assert.equal(isSteady(w.passes('a b', 90).state), true);
});

test('after the target was edited an open incident stays open until recovery', () => {
  const w = new World({ recovery_quorum_mode: 'all' }).fails('a b', 0, 30);
  w.state = afterEdit(w.state, ['a', 'b', 'c']);
  assert.equal(hasOpenIncident(w.state), true);
  assert.deepEqual(w.passes('a', 60, 90).resolved, []);
  assert.deepEqual(w.passes('b', 95, 125).resolved, [125]);
});

test('after the target was edited an outage without an incident is forgotten', () => {
  const w = new World({ alarm_min_duration_seconds: 600 }).fails('a b', 0, 30);
  w.state = afterEdit(w.state, ['a', 'b', 'c']);
  assert.deepEqual([w.state.outage, w.shown], [null, 'degraded']);
});

test('an incident whose regions were all removed from the monitor ends when the others recover', () => {
  const w = new World({}, ['a', 'b', 'c', 'd']).fails('a b c', 0, 30);
  const edited = new World({}, ['d']);
  edited.state = afterEdit(w.state, ['d']);
  assert.deepEqual(downRegions(edited.state), ['d']);
  assert.deepEqual(edited.passes('d', 60, 90).resolved, [90]);
});
