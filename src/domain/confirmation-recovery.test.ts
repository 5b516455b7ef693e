import assert from 'node:assert/strict';
import { test } from 'node:test';
import { World } from './confirmation.testing.ts';
import { isSteady } from './confirmation.ts';

test('an incident resolves when one of its regions recovered, the recovery quorum is met and too few are failing', () => {
  const w = new World().passes('c', 0).fails('a b', 0, 30).passes('a', 60);
  assert.deepEqual(w.resolved, []);
  w.passes('a', 90);
  assert.deepEqual([w.resolved, w.shown], [[90], 'degraded']);
  w.passes('b', 95, 125);
  assert.deepEqual([w.shown, isSteady(w.state)], ['passed', true]);
});

test('fewer failing regions than required are not enough: the recovered ones must meet the recovery quorum', () => {
  const w = new World({ recovery_quorum_mode: 'all' }).fails('a b', 0, 30).passes('a c', 60, 90);
  assert.deepEqual([w.resolved, w.shown], [[], 'failed']);
  assert.deepEqual(w.passes('b', 100, 130).resolved, [130]);
});

test('the recovery quorum is not enough: fewer regions than required must be failing', () => {
  const w = new World({ alarm_quorum_mode: 'any', recovery_quorum_mode: 'any' })
    .fails('a b', 0, 30)
    .passes('a c', 60, 90);
  assert.deepEqual(w.resolved, []);
  assert.deepEqual(w.passes('b', 100, 130).resolved, [130]);
});

test('a region outside the outage cannot end it by passing', () => {
  const w = new World({ alarm_quorum_mode: 'any', recovery_quorum_mode: 'any' }).fails('a', 0, 30);
  w.online = ['b', 'c'];
  assert.deepEqual(w.passes('b c', 60, 90, 120, 150).resolved, []);
});

for (const [mode, value, recovered, resolves] of [
  ['any', null, 'a', true],
  ['majority', null, 'a', false],
  ['majority', null, 'a b c', true],
  ['count', 2, 'a', false],
  ['count', 2, 'a b', true],
  ['percent', 50, 'a', false],
  ['percent', 50, 'a b', true],
  ['all', null, 'a b c', false],
  ['all', null, 'a b c d', true],
] as const) {
  test(`with the recovery quorum ${mode} ${value ?? ''} of four failing regions, recovered ${recovered} ${resolves ? 'resolves' : 'does not resolve'}`, () => {
    const policy = {
      alarm_quorum_mode: 'all',
      recovery_quorum_mode: mode,
      recovery_quorum_value: value,
    } as const;
    const w = new World(policy, ['a', 'b', 'c', 'd']).fails('a b c d', 0, 30).passes(recovered, 60, 90);
    assert.equal(w.resolved.length, resolves ? 1 : 0);
  });
}

test('silence never resolves an incident', () => {
  const w = new World().fails('a b', 0, 30);
  w.pass(100_000);
  assert.deepEqual([w.resolved, w.shown], [[], 'failed']);
});

test('a silent failing region prevents resolution while it is online', () => {
  const w = new World({ alarm_quorum_mode: 'any' }, ['a', 'b']).fails('a b', 0, 30);
  assert.deepEqual(w.passes('a', 1000, 1030, 1060).resolved, []);
});

test('a failing region that is offline does not count: the recovery of the other one resolves', () => {
  const w = new World({ alarm_quorum_mode: 'any' }, ['a', 'b']).fails('a b', 0, 30);
  w.online = ['a'];
  assert.deepEqual(w.passes('a', 60, 90).resolved, [90]);
});

test('a change in the number of online regions does not end an incident', () => {
  const w = new World({ recovery_quorum_mode: 'all' }).fails('a b', 0, 30).passes('a c', 60, 90);
  w.online = ['a', 'c'];
  w.pass(100);
  w.passes('a c', 110);
  assert.deepEqual(w.resolved, [], 'b went offline after a had recovered');
  assert.deepEqual(w.passes('a', 140).resolved, [140], 'a has recovered anew under these circumstances');
});

test('a restart in which one region returns before the other ends nothing', () => {
  const w = new World({ alarm_quorum_mode: 'any' }, ['a', 'b']).fails('a b', 0, 30).passes('a', 60, 90);
  w.online = ['a'];
  w.passes('a', 120);
  w.online = ['a', 'b'];
  w.fails('b', 130).passes('a', 150, 180, 210);
  assert.deepEqual([w.resolved, w.opened.length], [[], 1]);
});

test('an incident ends at its latest deciding recovery, in whatever order they arrive', () => {
  const w = new World().fails('a b c', 0, 30).passes('c', 60, 90);
  w.result('a', 45, 'up', { arrives: 91 });
  w.result('a', 75, 'up', { arrives: 91 });
  assert.deepEqual(w.resolved, [90]);
});

test('a recovered region that failed once since then still counts for the incident’s end', () => {
  const world = new World({ alarm_consecutive: 2, recovery_consecutive: 1, recovery_quorum_mode: 'any' });
  world.fails('a b', 10, 20);
  world.result('c', 21, 'down');
  world.result('c', 22, 'down');
  world.result('b', 40, 'up');
  world.result('b', 41, 'down');
  world.result('a', 39, 'up', { arrives: 42 });
  assert.deepEqual(world.resolved, [40]);
});

test('an incident never ends before it was triggered', () => {
  const w = new World({ alarm_min_duration_seconds: 60 }).fails('a b', 0, 30, 60).passes('a', 80).timeTo(90);
  w.result('a', 88, 'up', { arrives: 95 });
  assert.deepEqual([w.triggered, w.resolved], [[90], [90]]);
});

test('after a recovery the next outage is a new phase with its own times', () => {
  const w = new World().fails('a b', 0, 30).passes('a b', 60, 90).fails('a b', 120, 150);
  const second = w.opened[1];
  assert.deepEqual(
    [second?.startedAtMs, second?.failurePhaseStartedAtMs, second?.firstFailureAtMs],
    [150_000, 150_000, 120_000],
  );
});

test('a recovered outage leaves one region failing, and a second one opens a new incident', () => {
  const w = new World().fails('a b', 0, 30).passes('a', 60, 90).fails('b', 90);
  assert.equal(w.shown, 'degraded');
  assert.deepEqual(w.fails('a b', 120, 150).triggered, [30, 150]);
});
