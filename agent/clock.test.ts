import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agentClock, type ClockOffset, type Moment } from './clock.ts';

const HOUR = 3_600_000;
const SERVER = Date.UTC(2026, 0, 10, 12);

/** A machine that started an hour ago, and whose wall clock is `wrongMs` ahead of the server's. */
function machine(wrongMs = 0, saved: ClockOffset | null = null) {
  const state = { steadyMs: HOUR, wallMs: SERVER + wrongMs };
  const time = { boot: 'b2', steadyNowMs: () => state.steadyMs, wallNowMs: () => state.wallMs };
  const clock = agentClock(time, saved);
  return {
    clock,
    pass: (ms: number) => {
      state.steadyMs += ms;
      state.wallMs += ms;
    },
    setWall: (byMs: number) => {
      state.wallMs += byMs;
    },
    /** An immediate answer, with the time of a clock that nobody sets. */
    answer: (roundTripMs = 0) => {
      const sent = state.steadyMs;
      state.steadyMs += roundTripMs;
      clock.observe(sent, SERVER + sent - HOUR + roundTripMs / 2, state.steadyMs);
    },
    serverNow: () => SERVER + state.steadyMs - HOUR,
  };
}

for (const [how, byMs] of [
  ['set back', -24 * HOUR],
  ['set ahead', 24 * HOUR],
  ['set back a second', -1000],
] as const)
  test(`a clock that is ${how} shifts no heartbeat`, () => {
    const { clock, pass, setWall, answer, serverNow } = machine();
    answer();
    const before = clock.stamp(clock.now())!;
    pass(60_000);
    setWall(byMs);
    assert.equal(clock.stamp(clock.now()), before + 60_000);
    assert.equal(clock.nowMs(), serverNow());
  });

for (const wrongMs of [0, -30 * 24 * HOUR, 5 * HOUR])
  test(`readings from before the first answer get the server's time, with a clock ${wrongMs / HOUR} h ahead`, () => {
    const { clock, pass, answer } = machine(wrongMs);
    const moments = [clock.now()];
    assert.equal(clock.stamp(moments[0]!), null);
    assert.equal(clock.nowMs(), SERVER + wrongMs);
    pass(60_000);
    moments.push(clock.now());
    pass(60_000);
    answer();
    assert.deepEqual(
      moments.map((moment) => clock.place(moment) - SERVER),
      [0, 60_000],
    );
  });

test('a heartbeat gets the same time each time, whatever later answers show', () => {
  const { clock, answer } = machine();
  const moment = clock.now();
  answer(800);
  const first = clock.place(moment);
  clock.observe(HOUR + 5_000, SERVER + 5_400, HOUR + 5_000);
  assert.equal(clock.place(moment), first);
});

test('a slow answer gives wide bounds, and moves the clock only to those bounds', () => {
  const { clock, pass, answer, serverNow } = machine();
  answer(10);
  pass(60_000);
  const before = clock.nowMs();
  clock.observe(HOUR + 60_010, serverNow() + 3_000, HOUR + 66_010);
  assert.ok(Math.abs(clock.nowMs() - before) <= 10);
  // The answer proves the offset wrong by an hour: the server's own clock was set.
  clock.observe(HOUR + 60_010, serverNow() + HOUR, HOUR + 60_010);
  assert.equal(clock.nowMs(), serverNow() + HOUR);
});

test('times only increase, unless the server itself was set back', () => {
  const { clock, answer } = machine();
  answer();
  const first = clock.stamp(clock.now())!;
  assert.equal(clock.stamp(clock.now()), first + 1);
  clock.observe(HOUR, SERVER - 30, HOUR);
  assert.equal(clock.stamp(clock.now()), first + 2);
  clock.observe(HOUR, SERVER - HOUR, HOUR);
  assert.equal(clock.stamp(clock.now()), first - HOUR);
});

test('a restarted agent continues with the earlier server time, unless the machine rebooted', () => {
  assert.equal(machine(5 * HOUR, { boot: 'b2', offsetMs: SERVER - HOUR }).clock.nowMs(), SERVER);
  const started = machine(0, { boot: 'b1', offsetMs: 5 });
  assert.equal(started.clock.known, false);
  assert.equal(started.clock.bearings, null);
  started.answer();
  assert.deepEqual(started.clock.bearings, { boot: 'b2', offsetMs: SERVER - HOUR });
});

test('readings from before a reboot are dated by its clock, and before that reboot', () => {
  const earlier = (wallMs: number): Moment => ({ boot: 'b1', steadyMs: 9 * HOUR, wallMs });
  const { clock, answer } = machine(2 * HOUR);
  answer();
  // As wrong then as it is now.
  assert.equal(clock.place(earlier(SERVER + 2 * HOUR - 5 * HOUR)), SERVER - 5 * HOUR);
  assert.equal(clock.place(earlier(SERVER + 9 * HOUR)), SERVER - HOUR - 1);
});
