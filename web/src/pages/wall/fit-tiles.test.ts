import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fitTiles } from './fit-tiles.ts';

test('all tiles fit the space, and could not be larger', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5000 }),
      fc.integer({ min: 300, max: 3840 }),
      fc.integer({ min: 200, max: 2160 }),
      fc.boolean(),
      (count, width, height, hasNames) => {
        const fit = fitTiles(count, { width, height }, hasNames);
        const rows = Math.ceil(count / fit.columns);
        const used = (tiles: number, size: number) => tiles * size + (tiles - 1) * fit.gap;
        assert.ok(used(Math.min(count, fit.columns), fit.width) <= width + 0.01, 'too wide');
        if (fit.width > 1) assert.ok(used(rows, fit.height) <= height + 0.01, 'too high');
        if (fit.named) assert.ok(fit.width >= 150 && fit.height >= 40);
        else if (fit.width < 120) {
          const larger = fit.width + 1;
          const columns = Math.floor((width + fit.gap) / (larger + fit.gap));
          assert.ok(
            columns * Math.floor((height + fit.gap) / (larger + fit.gap)) < count,
            'they could be larger',
          );
        }
      },
    ),
  );
});

test('a few tiles have names on them, in as few columns as the height allows', () => {
  const fit = (count: number, hasNames = true) => fitTiles(count, { width: 1400, height: 500 }, hasNames);
  assert.deepEqual([fit(4).named, fit(4).columns], [true, 1]);
  assert.deepEqual([fit(20).named, fit(20).columns], [true, 5]);
  assert.equal(fit(150).named, false);
  assert.equal(fit(20, false).named, false);
});
