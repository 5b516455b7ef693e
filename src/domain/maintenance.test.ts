import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  changedTime,
  isIn,
  maintenanceState,
  nextTurnMs,
  type PlannedTime,
  type Span,
  timeInForce,
} from './maintenance.ts';

const planned = (cancelledMs: number | null = null): PlannedTime => ({ startMs: 10, endMs: 20, cancelledMs });

test('a window is upcoming, active from its exact start, past from its exact end, or cancelled', () => {
  for (const [nowMs, state, turn] of [
    [9, 'upcoming', 10],
    [10, 'active', 20],
    [19, 'active', 20],
    [20, 'past', null],
  ] as const) {
    assert.deepEqual([maintenanceState(planned(), nowMs), nextTurnMs(planned(), nowMs)], [state, turn]);
    assert.deepEqual(
      [maintenanceState(planned(12), nowMs), nextTurnMs(planned(12), nowMs)],
      ['cancelled', null],
    );
  }
});

test('a cancellation shortens the window: before its start to nothing, after its end not at all', () => {
  for (const [cancelledMs, untilMs] of [
    [null, 20],
    [5, 10],
    [10, 10],
    [15, 15],
    [20, 20],
    [30, 20],
  ] as const)
    assert.deepEqual(timeInForce(planned(cancelledMs)), { fromMs: 10, untilMs });
});

test('the changed time is exactly the parts in one of two spans but not in both', () => {
  const span = fc
    .tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 20 }))
    .map(([a, b]): Span => ({ fromMs: Math.min(a, b), untilMs: Math.max(a, b) }));
  const spans = fc.option(span, { nil: null });
  fc.assert(
    fc.property(spans, spans, (before, after) => {
      const changed = changedTime(before, after);
      for (let ms = -1; ms <= 21; ms++) {
        const inBefore = before !== null && isIn(before, ms);
        const inAfter = after !== null && isIn(after, ms);
        const hits = changed.filter((each) => isIn(each, ms)).length;
        assert.equal(hits, inBefore !== inAfter ? 1 : 0, `${ms}`);
      }
      assert.ok(changed.every(({ fromMs, untilMs }) => fromMs < untilMs));
    }),
  );
});
