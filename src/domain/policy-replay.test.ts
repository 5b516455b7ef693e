// A replay against what happened: the same results, judged one by one as they arrived.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type History,
  histories,
  live,
  type Moment,
  type OnlineAt,
  REGIONS,
  subjects,
  WINDOW_MS,
} from '#test/harness/confirmation-histories.ts';
import { monitorWith } from './confirmation.testing.ts';
import { hasOpenIncident, type MonitorRules, type RegionResult } from './confirmation.ts';
import type { Span } from './maintenance.ts';
import { type Interruption, startReplay } from './policy-replay.ts';

type Alarm = { startedMs: number; openedMs: number; endedMs: number | null; downRegions: string[] };

/**
 * Results arrive in the moment they are made, and the regions are those that deliver. What people and windows do falls
 * between the milliseconds of everything else: of two things in one instant nobody knows which came first.
 */
function inTime(history: History): History {
  let acts = 0;
  return history.flatMap(({ waitMs, happening }): History => {
    if (happening.kind === 'online') return [];
    if (happening.kind === 'result') return [{ waitMs, happening: { ...happening, lateMs: 0 } }];
    acts += 1;
    return [{ waitMs: waitMs + acts, happening }];
  });
}

/** Counted out by the test itself: who delivered within the window, and everybody when a silence of all ends. */
const onlineIn =
  (rules: MonitorRules): OnlineAt =>
  (nowMs, delivered) => {
    const own = delivered.filter(({ region }) => rules.regions.includes(region));
    const isRecent = (atMs: number) => atMs > nowMs - WINDOW_MS;
    const allCount = own.some(
      ({ atMs }, i) => isRecent(atMs) && (i === 0 || atMs - (own[i - 1]?.atMs ?? 0) >= WINDOW_MS),
    );
    return REGIONS.filter(
      (name) => allCount || own.some(({ region, atMs }) => region === name && isRecent(atMs)),
    );
  };

function happened(moments: readonly Moment[]): Alarm[] {
  const alarms: Alarm[] = [];
  for (const { inputs, events, before, after } of moments) {
    const open = alarms.at(-1);
    if (open && isClosing({ before, after, events })) open.endedMs = inputs.nowMs;
    for (const event of events) {
      const last = alarms.at(-1);
      if (event.kind === 'opened')
        alarms.push({
          startedMs: event.startedAtMs,
          openedMs: event.triggeredAtMs,
          endedMs: null,
          downRegions: [...event.downRegions],
        });
      else if (last?.endedMs === null && event.kind === 'resolved') last.endedMs = event.atMs;
      else if (last?.endedMs === null && event.kind === 'region_failing')
        last.downRegions = [...new Set([...last.downRegions, event.region])].sort();
    }
  }
  return alarms;
}

const isClosing = ({ before, after, events }: Pick<Moment, 'before' | 'after' | 'events'>) =>
  events.length === 0 && hasOpenIncident(before) && !hasOpenIncident(after);

function replayed(rules: MonitorRules, moments: readonly Moment[]): Alarm[] {
  const results = moments.flatMap(({ result }) => result ?? []);
  const interruptions = moments
    .filter(isClosing)
    .map(({ inputs }) => ({ atMs: inputs.nowMs, kind: 'closed_by_hand' as const }));
  return alarmsOf(rules, results, {
    maintenance: moments.at(-1)?.inputs.maintenance ?? [],
    interruptions,
    untilMs: moments.at(-1)?.inputs.nowMs ?? 0,
  });
}

type Rest = { maintenance?: readonly Span[]; interruptions?: readonly Interruption[]; untilMs: number };

function alarmsOf(
  rules: MonitorRules,
  results: readonly RegionResult[],
  { maintenance = [], interruptions = [], untilMs }: Rest,
): Alarm[] {
  const first = results.find(({ region }) => rules.regions.includes(region));
  const replay = startReplay(rules, { fromMs: first?.atMs ?? 0, maintenance, interruptions });
  for (const result of results) replay.take(result);
  replay.finish(untilMs);
  return replay.alarms.map(({ opened, endedMs, downRegions }) => ({
    startedMs: opened.startedAtMs,
    openedMs: opened.triggeredAtMs,
    endedMs,
    downRegions,
  }));
}

test('a replay of random histories comes to the alarms that there were', () => {
  let alarms = 0;
  let held = 0;
  fc.assert(
    fc.property(subjects, histories, (rules, history) => {
      const moments = live(rules, inTime(history), onlineIn(rules));
      const must = happened(moments);
      alarms += must.length;
      held += must.filter(({ startedMs, openedMs }) => openedMs > startedMs).length;
      assert.deepEqual(replayed(rules, moments), must);
    }),
    { numRuns: 2000 },
  );
  assert.ok(alarms > 500 && held > 100, `only ${alarms} alarms, ${held} of them after a while`);
});

const fails = (region: string, ...seconds: number[]): RegionResult[] =>
  seconds.map((second) => ({ region, atMs: second * 1000, status: 'down', probeFault: false }));
const passes = (region: string, ...seconds: number[]): RegionResult[] =>
  seconds.map((second) => ({ region, atMs: second * 1000, status: 'up', probeFault: false }));
const inOrder = (...results: RegionResult[][]) => results.flat().sort((a, b) => a.atMs - b.atMs);
const one = monitorWith({ alarm_consecutive: 1, recovery_consecutive: 1 }, ['a']);

test('a minimum duration ends between two checks, and a shorter outage raises no alarm', () => {
  const results = inOrder(fails('a', 60, 120, 400, 460), passes('a', 180, 520));
  const rules = monitorWith(
    { alarm_consecutive: 1, recovery_consecutive: 1, alarm_min_duration_seconds: 90 },
    ['a'],
  );
  assert.deepEqual(alarmsOf(rules, results, { untilMs: 600_000 }), [
    { startedMs: 60_000, openedMs: 150_000, endedMs: 180_000, downRegions: ['a'] },
    { startedMs: 400_000, openedMs: 490_000, endedMs: 520_000, downRegions: ['a'] },
  ]);
  const longer = { ...rules, policy: { ...rules.policy, alarm_min_duration_seconds: 130 } };
  assert.deepEqual(alarmsOf(longer, results, { untilMs: 600_000 }), []);
});

test('an outage in maintenance raises its alarm at the end of the window', () => {
  const maintenance = [{ fromMs: 30_000, untilMs: 200_000 }];
  const results = fails('a', 60, 120, 180);
  assert.deepEqual(alarmsOf(one, results, { maintenance, untilMs: 240_000 }), [
    { startedMs: 60_000, openedMs: 200_000, endedMs: null, downRegions: ['a'] },
  ]);
});

test('probe faults do not count', () => {
  const faults = fails('a', 60, 120, 180).map((result) => ({ ...result, probeFault: true }));
  assert.deepEqual(alarmsOf(one, faults, { untilMs: 240_000 }), []);
});

test('checks of a region that does not belong to the monitor do not count', () => {
  assert.deepEqual(alarmsOf(one, inOrder(fails('z', 60, 120), passes('a', 61)), { untilMs: 240_000 }), []);
});

test('switching a monitor off ends its alarm, and earlier checks no longer count', () => {
  const interruptions: Interruption[] = [
    { atMs: 130_000, kind: 'switched_off' },
    { atMs: 900_000, kind: 'edited' },
  ];
  const results = fails('a', 60, 120, 910);
  const two = { ...one, policy: { ...one.policy, alarm_consecutive: 2 } };
  assert.deepEqual(alarmsOf(two, results, { interruptions, untilMs: 960_000 }), [
    { startedMs: 120_000, openedMs: 120_000, endedMs: 130_000, downRegions: ['a'] },
  ]);
});

test('an edit forgets an outage without an alarm, and keeps an open alarm', () => {
  const late = monitorWith({ alarm_consecutive: 1, alarm_min_duration_seconds: 100 }, ['a']);
  const interruptions: Interruption[] = [{ atMs: 90_000, kind: 'edited' }];
  assert.deepEqual(alarmsOf(late, fails('a', 60), { interruptions, untilMs: 240_000 }), []);
  const open = alarmsOf(one, inOrder(fails('a', 60), passes('a', 120)), { interruptions, untilMs: 240_000 });
  assert.deepEqual(open, [{ startedMs: 60_000, openedMs: 60_000, endedMs: 120_000, downRegions: ['a'] }]);
});

test('closing by hand ends an open alarm, and the next failures raise another', () => {
  const interruptions: Interruption[] = [{ atMs: 90_000, kind: 'closed_by_hand' }];
  const alarms = alarmsOf(one, fails('a', 60, 120), { interruptions, untilMs: 180_000 });
  assert.deepEqual(
    alarms.map(({ openedMs, endedMs }) => [openedMs, endedMs]),
    [
      [60_000, 90_000],
      [120_000, null],
    ],
  );
});

test('a region that no longer delivers is not waited for', () => {
  const all = monitorWith({ alarm_consecutive: 1, alarm_quorum_mode: 'all' }, ['a', 'b', 'c']);
  const results = inOrder(
    passes('c', 0),
    fails('a', 10, 70, 130, 190, 250),
    fails('b', 11, 71, 131, 191, 251),
  );
  const alarms = alarmsOf(all, results, { untilMs: 300_000 });
  assert.deepEqual(
    alarms.map(({ openedMs }) => openedMs),
    [190_000],
  );
});
