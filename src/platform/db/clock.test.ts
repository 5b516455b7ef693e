import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeDatabaseClock } from './clock.ts';

/** A machine whose monotonic time began at another moment, and a database at `ms`. */
function machines(beganMs: number) {
  let elapsed = beganMs;
  const clock = makeDatabaseClock(() => elapsed);
  return {
    clock,
    pass: (ms: number) => {
      elapsed += ms;
    },
    /** A reading that takes `there` and `back` milliseconds. */
    read(databaseMs: number, there = 0, back = there) {
      const askedAtMs = elapsed;
      elapsed += there + back;
      clock.read({ askedAtMs, answeredAtMs: elapsed, databaseMs: databaseMs + there });
    },
    ms: () => clock.now().getTime(),
  };
}

test('machines with different uptimes agree on one time: the database’s', () => {
  for (const beganMs of [0, 60_000, 1e9, 0.25]) {
    const machine = machines(beganMs);
    machine.read(1_000_000, 5);
    assert.equal(machine.ms(), 1_000_010);
    machine.pass(2_500);
    assert.equal(machine.ms(), 1_002_510);
  }
});

test('a slow reading moves the clock only as far as it proves', () => {
  const machine = machines(0);
  machine.read(1_000_000, 1);
  const before = machine.ms();
  // All of it was spent on the way back: half of the round trip is wrong by 400 ms.
  machine.read(before, 0, 800);
  assert.equal(machine.ms(), before + 800);
});

test('a small correction does not run the clock backwards; a database clock that was set back is followed', () => {
  const machine = machines(0);
  machine.read(1_000_000);
  machine.pass(1_000);
  assert.equal(machine.ms(), 1_001_000);
  machine.read(1_000_990);
  assert.equal(machine.ms(), 1_001_000);
  machine.pass(20);
  assert.equal(machine.ms(), 1_001_010);
  machine.read(900_000);
  assert.equal(machine.ms(), 900_000);
});

test('before the first reading there is no time', () => {
  assert.throws(() => makeDatabaseClock(() => 0).now(), /not been read yet/);
});
