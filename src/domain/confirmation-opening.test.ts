import assert from 'node:assert/strict';
import { test } from 'node:test';
import { World } from './confirmation.testing.ts';
import { hasOpenIncident } from './confirmation.ts';

test('two of three failing regions confirm an outage, and the incident opens with the deciding result', () => {
  const w = new World().passes('a b c', 0).fails('a b', 60);
  assert.equal(w.shown, 'degraded');
  w.fails('a', 90);
  assert.equal(w.opened.length, 0);
  w.fails('b', 95);
  assert.deepEqual(w.opened, [
    {
      kind: 'opened',
      reason: 'quorum_reached',
      startedAtMs: 95_000,
      failurePhaseStartedAtMs: 95_000,
      firstFailureAtMs: 60_000,
      triggeredAtMs: 95_000,
      failingRegions: ['a', 'b'],
      downRegions: ['a', 'b'],
      failedRegions: 2,
      reportingRegions: 3,
      expectedRegions: 3,
      requiredRegions: 2,
      consecutiveFailuresObserved: 2,
      consecutiveFailuresRequired: 2,
      minimumOutageSeconds: 0,
    },
  ]);
  assert.equal(w.shown, 'failed');
});

test('one failing region of three is degraded and opens nothing', () => {
  const w = new World().passes('b c', 0).fails('a', 0, 30, 60, 90, 120, 150);
  assert.equal(w.opened.length, 0);
  assert.equal(w.shown, 'degraded');
});

for (const [mode, value, failing, opens] of [
  ['any', null, 'a', true],
  ['majority', null, 'a b', false],
  ['majority', null, 'a b c', true],
  ['all', null, 'a b c', false],
  ['all', null, 'a b c d', true],
  ['count', 2, 'a', false],
  ['count', 2, 'a b', true],
  ['percent', 50, 'a', false],
  ['percent', 50, 'a b', true],
  ['percent', 51, 'a b', false],
] as const) {
  test(`with the quorum ${mode} ${value ?? ''} of four regions, failing ${failing} ${opens ? 'opens' : 'does not open'}`, () => {
    const w = new World({ alarm_quorum_mode: mode, alarm_quorum_value: value }, ['a', 'b', 'c', 'd']).passes(
      'a b c d',
      0,
    );
    w.fails(failing, 30, 60);
    assert.equal(w.opened.length, opens ? 1 : 0);
  });
}

test('an outage of a monitor with one region opens on that region alone', () => {
  assert.deepEqual(new World({}, ['a']).fails('a', 0, 30).triggered, [30]);
});

test('one surviving region never confirms an outage for a monitor that requires two', () => {
  const w = new World();
  w.online = ['a'];
  assert.deepEqual(w.fails('a', 0, 30, 60).opened, []);
});

test('a silent region does not count for opening', () => {
  const w = new World().fails('a', 0, 30);
  w.fails('b', 200, 230);
  assert.equal(w.opened.length, 0, 'a has been silent since 30');
  assert.deepEqual(w.fails('a', 235).triggered, [235], 'and counts again with its next failing result');
  assert.equal(w.opened[0]?.startedAtMs, 235_000);
});

test('a region reports while its last result is younger than three intervals plus the timeout', () => {
  assert.deepEqual(new World({ alarm_consecutive: 1 }).fails('a', 0).fails('b', 189).triggered, [189]);
  assert.deepEqual(new World({ alarm_consecutive: 1 }).fails('a', 0).fails('b', 190).triggered, []);
});

test('an offline region does not count: three failing of five are no outage if one of them is offline', () => {
  const five = ['a', 'b', 'c', 'd', 'e'];
  const w = new World({}, five).fails('a', 0, 30);
  w.online = ['b', 'c', 'd', 'e'];
  assert.deepEqual(w.fails('b c', 40, 70).triggered, []);
  w.online = five;
  assert.deepEqual(w.fails('a', 80).triggered, [80], 'back online and still failing');
});

test('regions going offline raise no alarm by themselves: the next failing result does, and the outage starts there', () => {
  const w = new World({}, ['a', 'b', 'c', 'd', 'e']).fails('a b', 0, 30).passes('c d e', 31);
  w.online = ['a', 'b', 'c'];
  w.pass(60);
  w.passes('c', 60);
  assert.equal(w.opened.length, 0);
  w.fails('a', 61);
  assert.deepEqual([w.triggered, w.opened[0]?.startedAtMs], [[61], 61_000]);
});

test('with a minimum duration the incident opens at the exact second, not at the next check', () => {
  const w = new World({ alarm_min_duration_seconds: 45 }).fails('a b', 0, 30);
  assert.deepEqual([w.shown, w.opened, w.jobAtMs], ['failed', [], 75_000]);
  w.fails('a b', 60).timeTo(75);
  assert.deepEqual(w.triggered, [75]);
  assert.equal(w.opened[0]?.reason, 'minimum_duration_passed');
  assert.equal(w.opened[0]?.startedAtMs, 30_000);
  assert.equal(w.jobAtMs, null);
});

test('the due second also counts if the job is late and the next result comes first', () => {
  for (const status of ['down', 'up'] as const) {
    const w = new World({ alarm_min_duration_seconds: 45 }).fails('a b', 0, 30, 60);
    w.runsJobs = false;
    w.result('a', 90, status);
    assert.deepEqual(w.triggered, [75]);
  }
});

test('an outage without an incident ends as soon as recoveries leave fewer failing regions than required', () => {
  const w = new World({ alarm_min_duration_seconds: 100 }).fails('a b', 0, 30).passes('a', 60, 90);
  assert.deepEqual(w.events.at(-1), { kind: 'outage_ended', atMs: 90_000 });
  assert.deepEqual([w.shown, w.jobAtMs], ['degraded', null]);
  assert.deepEqual(w.timeTo(1000).opened, []);
});

test('after that the minimum duration starts over', () => {
  const w = new World({ alarm_min_duration_seconds: 100 })
    .fails('a b', 0, 30)
    .fails('b', 60)
    .passes('a', 60, 90);
  w.fails('a b', 120, 150).fails('a b', 180, 210, 240).timeTo(250);
  assert.deepEqual([w.triggered, w.opened[0]?.startedAtMs], [[250], 150_000]);
});

test('one passing result does not end an outage that waits for its minimum duration', () => {
  const w = new World({ alarm_min_duration_seconds: 100 }).fails('a b', 0, 30).passes('a', 60).timeTo(130);
  assert.deepEqual(w.triggered, [130]);
});

test('if too few failing regions report at the due second nothing opens, until a result makes them enough', () => {
  const w = new World({ alarm_min_duration_seconds: 300 })
    .fails('a b', 0, 30)
    .fails('a', 60, 120, 180, 240, 300)
    .timeTo(330);
  assert.equal(w.lastDecision?.reason, 'too_few_reporting');
  assert.deepEqual([w.opened, w.shown], [[], 'failed']);
  w.fails('a', 340).passes('c', 341);
  assert.equal(w.opened.length, 0);
  w.fails('b', 345);
  assert.deepEqual(
    [w.triggered, w.opened[0]?.reason, w.opened[0]?.startedAtMs],
    [[345], 'reporting_again', 30_000],
  );
});

test('a failing result from before the due second that arrives later proves that its region was reporting', () => {
  const w = new World({ alarm_min_duration_seconds: 300 })
    .fails('a b', 0, 30)
    .fails('a', 60, 120, 180, 240, 300)
    .timeTo(330);
  w.result('b', 328, 'down', { arrives: 335 });
  assert.deepEqual(w.triggered, [330]);
});

test('silence never opens an incident: if nobody has reported since long before the due second, nothing happens', () => {
  const w = new World({ alarm_min_duration_seconds: 300 }).fails('a b c', 0, 30);
  assert.deepEqual(w.timeTo(10_000).opened, []);
});

test('after a long gap old results open no incident, and neither does a passing one', () => {
  const w = new World({ alarm_min_duration_seconds: 60 }).fails('a b', 0, 30);
  w.runsJobs = false;
  w.passes('a b', 600, 630);
  assert.deepEqual([w.opened, w.state.outage], [[], null]);
});

test('an outage starts when enough regions were failing by their own times, in whatever order results arrive', () => {
  const w = new World().fails('a', 0, 40);
  w.result('b', 1, 'down', { arrives: 41 });
  w.result('b', 31, 'down', { arrives: 41 });
  assert.deepEqual([w.triggered, w.opened[0]?.startedAtMs], [[40], 40_000]);
});

test('the first failure is the first raw failure of the phase in any region, including those of an unfinished streak', () => {
  const w = new World({ alarm_consecutive: 3 }).fails('c', 5).fails('a b', 10, 40, 70);
  assert.equal(w.opened[0]?.firstFailureAtMs, 5000);
  const broken = new World({ alarm_consecutive: 3 }).fails('c', 5).passes('c', 8).fails('a b', 10, 40, 70);
  assert.equal(broken.opened[0]?.firstFailureAtMs, 10_000);
});

test('a second confirmation while an incident is open opens no other, and names further regions', () => {
  const w = new World().fails('a b', 0, 30).fails('c', 40, 70).fails('a b c', 100);
  assert.equal(w.opened.length, 1);
  assert.deepEqual(w.state.outage?.regions, ['a', 'b', 'c']);
  assert.equal(hasOpenIncident(w.state), true);
});

test('a failing region that comes back online before the incident opens counts and is named, without a new result', () => {
  const w = new World({ alarm_min_duration_seconds: 45, alarm_quorum_mode: 'all' });
  w.online = ['b', 'c'];
  w.fails('a b c', 0, 30);
  w.online = ['a', 'b', 'c'];
  w.timeTo(100);
  assert.deepEqual(w.triggered, [75]);
  assert.deepEqual(w.opened[0]?.failingRegions, ['a', 'b', 'c']);
  assert.deepEqual(w.opened[0]?.downRegions, ['a', 'b', 'c']);
  assert.deepEqual(w.state.outage?.regions, ['a', 'b', 'c']);
});

test('a failing region that comes back online during an outage is announced', () => {
  const w = new World({}, ['a', 'b', 'c', 'd']).fails('d', 0, 30);
  w.online = ['a', 'b', 'c'];
  w.fails('a b', 40, 70);
  assert.deepEqual(w.opened[0]?.downRegions, ['a', 'b']);
  w.online = ['a', 'b', 'c', 'd'];
  w.fails('d', 80);
  assert.deepEqual(w.events.at(-1), { kind: 'region_failing', region: 'd', atMs: 80_000 });
  assert.deepEqual(w.state.outage?.regions, ['a', 'b', 'd']);
});
