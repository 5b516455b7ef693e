import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pairAlarms } from './replay-comparison.ts';

type Lasting = { startedMs: number; endedMs: number | null };
const lasting = (startedMs: number, endedMs: number | null): Lasting => ({ startedMs, endedMs });
const words = (now: Lasting[], draft: Lasting[]) =>
  pairAlarms(now, draft).map((pair) => [pair.now?.startedMs ?? null, pair.draft?.startedMs ?? null]);

test('alarms of one outage are a pair, whichever opens first', () => {
  assert.deepEqual(words([lasting(10, 50)], [lasting(20, 60)]), [[10, 20]]);
  assert.deepEqual(words([lasting(20, 60)], [lasting(10, 50)]), [[20, 10]]);
});

test('one long alarm is paired with the first short one; the others are unpaired', () => {
  const now = [lasting(10, 20), lasting(30, 40), lasting(50, 60)];
  assert.deepEqual(words(now, [lasting(12, 58)]), [
    [10, 12],
    [30, null],
    [50, null],
  ]);
});

test('consecutive alarms are no pair', () => {
  assert.deepEqual(words([lasting(10, 20)], [lasting(20, 30)]), [
    [10, null],
    [null, 20],
  ]);
});

test('an alarm without an end continues', () => {
  assert.deepEqual(words([lasting(10, null)], [lasting(500, null)]), [[10, 500]]);
});

test('every alarm is in exactly one pair, and alarms compared with themselves are all paired', () => {
  const times = fc.uniqueArray(fc.nat(200), { maxLength: 30 }).map((found) => found.sort((a, b) => a - b));
  const alarms = times.map((found) =>
    found.flatMap((at, i) => (i % 2 === 0 ? lasting(at, found[i + 1] ?? null) : [])),
  );
  fc.assert(
    fc.property(alarms, alarms, (now, draft) => {
      const pairs = pairAlarms(now, draft);
      assert.deepEqual(
        pairs.flatMap((pair) => pair.now ?? []),
        now,
      );
      assert.deepEqual(
        pairs.flatMap((pair) => pair.draft ?? []),
        draft,
      );
      assert.equal(pairAlarms(now, now).length, now.length);
    }),
  );
});
