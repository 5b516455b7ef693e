import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkAtWork, keepLedger } from './loop-ledger.ts';
import { AT, NOTE_CHARACTERS } from './watchdog-thread.ts';

/** A ledger whose clocks move by hand, and two checks that it charges. */
function world() {
  let [nowMs, cpuMs, reads] = [0, 0, 0];
  const words = new Int32Array(AT.most + 1 + NOTE_CHARACTERS);
  const ledger = keepLedger(words, {
    nowMs: () => nowMs,
    cpuNowMs() {
      reads += 1;
      return cpuMs;
    },
  });
  const charged: Record<string, number> = { a: 0, b: 0 };
  const check = (name: 'a' | 'b') =>
    checkAtWork(name, (ms) => {
      charged[name] = charged[name]! + ms;
    });
  return {
    ...{ words, ledger, charged, a: check('a'), b: check('b') },
    reads: () => reads,
    /** Time passes; the loop had the processor for part of it. */
    pass(ms: number, ranMs = ms) {
      nowMs += ms;
      cpuMs += ranMs;
    },
    noteAt: (place: number) =>
      String.fromCharCode(...words.subarray(place + 1, place + 1 + (words[place] ?? 0))),
  };
}

test('a check is charged for its time on the loop, not for waiting or being blocked', () => {
  const w = world();
  w.ledger.turn(w.a);
  w.pass(1_000, 20);
  w.ledger.turn(w.b);
  w.pass(5);
  w.ledger.turn(undefined);
  assert.deepEqual(w.charged, { a: 20, b: 5 });
});

test('short turns are charged without reading the CPU clock, and a long one is not charged for them', () => {
  const w = world();
  const before = w.reads();
  for (let i = 0; i < 100; i++) {
    w.ledger.turn(w.a);
    w.pass(0.05);
    w.ledger.turn(w.b);
    w.pass(0.02);
  }
  w.ledger.turn(undefined);
  assert.equal(w.reads(), before);
  assert.ok(Math.abs(w.charged.a! - 5) < 1e-6, `${w.charged.a}`);
  w.ledger.turn(w.b);
  w.pass(30, 10);
  w.ledger.turn(undefined);
  assert.ok(Math.abs(w.charged.b! - 12) < 1e-6, `${w.charged.b}`);
});

test('the watchdog can read the current check, and the one that used most of the loop in this round', () => {
  const w = world();
  w.ledger.turn(w.a);
  w.pass(30);
  w.ledger.turn(w.b);
  w.pass(10);
  w.ledger.turn(w.a);
  assert.deepEqual([w.noteAt(AT.current), w.noteAt(AT.most), w.words[AT.maxMs]], ['a', 'a', 30]);
  w.ledger.nextRound();
  assert.deepEqual([w.noteAt(AT.current), w.noteAt(AT.most), w.words[AT.maxMs]], ['', '', 0]);
  w.ledger.turn(w.b);
  w.pass(7);
  w.ledger.turn(w.a);
  assert.deepEqual(
    [w.noteAt(AT.most), w.words[AT.maxMs]],
    ['b', 7],
    'the time that a used before the round is forgotten',
  );
});
