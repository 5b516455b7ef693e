import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { wholeSeconds } from './whole-seconds.ts';

const partsMs = fc.array(fc.oneof(fc.nat(10_000), fc.constantFrom(0, 500, 1000, 3_600_000)), {
  maxLength: 200,
});
const sum = (of: readonly number[]) => of.reduce((all, each) => all + each, 0);

test('whole seconds of parts add up to the whole, and each is less than a second off', () => {
  fc.assert(
    fc.property(partsMs, (parts) => {
      const seconds = wholeSeconds(parts);
      assert.equal(sum(seconds), Math.round(sum(parts) / 1000));
      for (const [i, each] of seconds.entries()) {
        assert.ok(each >= 0 && Math.abs(each - (parts[i] ?? 0) / 1000) < 1, `${parts[i]} ms: ${each} s`);
        if ((parts[i] ?? 0) % 1000 === 0) assert.equal(each, (parts[i] ?? 0) / 1000);
      }
    }),
  );
});
