import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { common, lengthMs, merged, type Span, without } from './spans.ts';

const span = fc
  .tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 12 }))
  .map(([fromMs, length]) => ({ fromMs, untilMs: fromMs + length }));
const set = fc.array(span, { maxLength: 6 });
const has = (spans: readonly Span[], at: number) =>
  spans.some(({ fromMs, untilMs }) => at >= fromMs && at < untilMs);

test('union, intersection and difference of spans are correct at every instant', () => {
  fc.assert(
    fc.property(set, set, (a, b) => {
      for (let at = -1; at < 45; at++) {
        assert.equal(has(merged(a), at), has(a, at));
        assert.equal(has(common(a, b), at), has(a, at) && has(b, at));
        assert.equal(has(without(a, b), at), has(a, at) && !has(b, at));
      }
    }),
  );
});

test('results are sorted, disjoint, and as long as their instants', () => {
  fc.assert(
    fc.property(set, set, (a, b) => {
      for (const found of [merged(a), common(a, b), without(a, b)]) {
        for (const [i, { fromMs, untilMs }] of found.entries()) {
          assert.ok(fromMs < untilMs);
          assert.ok(untilMs < (found[i + 1]?.fromMs ?? Number.POSITIVE_INFINITY));
        }
        const instants = Array.from({ length: 45 }, (_, at) => at).filter((at) => has(found, at));
        assert.equal(lengthMs(found), instants.length);
      }
    }),
  );
});

test('a span without an end is cut like any other', () => {
  const endless = { fromMs: 5, untilMs: Number.POSITIVE_INFINITY };
  assert.deepEqual(without([endless], [{ fromMs: 7, untilMs: 9 }]), [
    { fromMs: 5, untilMs: 7 },
    { fromMs: 9, untilMs: Number.POSITIVE_INFINITY },
  ]);
  assert.deepEqual(common([endless], [{ fromMs: 0, untilMs: 6 }]), [{ fromMs: 5, untilMs: 6 }]);
});
