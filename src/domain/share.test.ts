import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ownerOf } from './share.ts';

const monitors = (count: number) =>
  Array.from({ length: count }, (_, i) => `mon_${i.toString(36).padStart(26, '0')}`);
const probeIds = fc.uniqueArray(fc.stringMatching(/^[A-Za-z0-9._-]{1,20}$/), { minLength: 1, maxLength: 8 });
const MONITORS = monitors(2_000);

const CASES: [what: string, probes: string[], owner: string | undefined][] = [
  ['without a probe nobody has it', [], undefined],
  ['the only one has it', ['a'], 'a'],
  ['one of two has it', ['a', 'b'], 'b'],
  ['the order in which probes are listed does not matter', ['b', 'a'], 'b'],
  ['a third one may leave it where it was', ['c', 'b', 'a'], 'b'],
  ['or take it', ['d', 'b', 'a'], 'd'],
];
for (const [what, probes, owner] of CASES)
  test(what, () => assert.equal(ownerOf(probes, MONITORS[0] ?? ''), owner));

test('every monitor has exactly one owner, whoever computes it', () => {
  fc.assert(
    fc.property(probeIds, fc.string(), (probes, monitorId) => {
      const owner = ownerOf(probes, monitorId);
      assert.ok(owner !== undefined && probes.includes(owner));
      assert.equal(ownerOf(probes.toReversed(), monitorId), owner);
    }),
  );
});

test('the work is balanced: no probe exceeds an even share by more than a fifth', () => {
  fc.assert(
    fc.property(probeIds, (probes) => {
      const counts = new Map<string, number>();
      for (const id of MONITORS) {
        const owner = ownerOf(probes, id) ?? '';
        counts.set(owner, (counts.get(owner) ?? 0) + 1);
      }
      const even = MONITORS.length / probes.length;
      for (const probe of probes)
        assert.ok(
          Math.abs((counts.get(probe) ?? 0) - even) < even * 0.1 + 5 * Math.sqrt(even),
          `${probe} of ${probes}`,
        );
    }),
    { numRuns: 50 },
  );
});

test('a new probe takes monitors and moves no others; a leaving one moves only its own', () => {
  fc.assert(
    fc.property(probeIds, fc.stringMatching(/^[A-Za-z0-9._-]{1,20}$/), (probes, comer) => {
      fc.pre(!probes.includes(comer));
      for (const id of MONITORS.slice(0, 300)) {
        const before = ownerOf(probes, id);
        const after = ownerOf([...probes, comer], id);
        assert.ok(after === before || after === comer);
      }
    }),
    { numRuns: 50 },
  );
});
