// Sizes, growth, failures and whole worlds: the same seed, the same figures, and what no strategy may break.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chance } from '../simulation/chance.ts';
import { type Failure, failuresOf, worstMoment } from './failures.ts';
import { aMonthLater, sizeAt, USUAL_GROWTH, USUAL_TAIL } from './organizations.ts';
import { STRATEGIES } from './placement.ts';
import { grow, type World } from './world.ts';

const WORLD: World = {
  seed: 7,
  months: 12,
  from: 5_000,
  to: 30_000,
  capacity: 4_000,
  tail: { ...USUAL_TAIL, most: 1_000 },
  growth: USUAL_GROWTH,
  pace: { exportedPerSecond: 1_000, importedPerSecond: 500, linesPerMonitor: 100, fixedSeconds: 60 },
  reliability: { betweenHours: 1_000, lastsHours: 1 },
};
const [ROUND_ROBIN, ...OTHERS] = STRATEGIES;
const HEADROOM = STRATEGIES.find(({ name }) => name === 'least loaded, headroom')!;

test('sizes stay within their range, and the largest organizations have most of the monitors', () => {
  assert.equal(sizeAt(0, USUAL_TAIL), USUAL_TAIL.least);
  assert.ok(sizeAt(1 - Number.EPSILON, USUAL_TAIL) >= USUAL_TAIL.most - 1);
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (share) => {
      const size = sizeAt(share, USUAL_TAIL);
      assert.ok(Number.isInteger(size) && size >= USUAL_TAIL.least && size <= USUAL_TAIL.most);
    }),
  );
  const random = chance(1);
  const sizes = Array.from({ length: 20_000 }, () => sizeAt(random.share(), USUAL_TAIL)).sort(
    (a, b) => b - a,
  );
  const sumOf = (list: readonly number[]) => list.reduce((total, size) => total + size, 0);
  assert.ok(sumOf(sizes.slice(0, 2_000)) > sumOf(sizes) / 2, 'a tenth has more than half');
});

test('an organization grows, jumps in size or leaves', () => {
  const of = { no: 1, monitors: 10 };
  const growth = { perMonth: 0.1, leaps: 0, leaves: 0 };
  assert.deepEqual(aMonthLater(of, growth, USUAL_TAIL, chance(1)), { no: 1, monitors: 11 });
  assert.deepEqual(aMonthLater(of, { ...growth, leaps: 1 }, USUAL_TAIL, chance(1)), { no: 1, monitors: 30 });
  assert.equal(aMonthLater(of, { ...growth, leaves: 1 }, USUAL_TAIL, chance(1)), null);
  const most = { ...USUAL_TAIL, most: 10 };
  assert.deepEqual(aMonthLater(of, growth, most, chance(1)), of);
});

test('the worst moment is the one with most down at once', () => {
  const failure = (cell: number, fromHours: number, untilHours: number): Failure => ({
    cell,
    fromHours,
    untilHours,
  });
  const cases: [failures: Failure[], worst: number][] = [
    [[], 0],
    [[failure(1, 0, 5)], 1],
    [[failure(1, 0, 5), failure(2, 4, 6)], 3],
    [[failure(1, 0, 5), failure(2, 5, 6)], 2],
    [[failure(1, 0, 5), failure(2, 1, 2), failure(4, 3, 4)], 5],
  ];
  for (const [failures, worst] of cases)
    assert.equal(
      worstMoment(failures, (cell) => cell),
      worst,
    );
});

test('a cell fails about as often, and is down about as long, as configured', () => {
  const failures = failuresOf(0, 1_000_000, { betweenHours: 100, lastsHours: 2 }, chance(3));
  assert.ok(Math.abs(failures.length - 9_804) < 400, String(failures.length));
  const away = failures.reduce((hours, { fromHours, untilHours }) => hours + untilHours - fromHours, 0);
  assert.ok(Math.abs(away / failures.length - 2) < 0.1);
  for (const [i, { fromHours }] of failures.slice(1).entries())
    assert.ok(fromHours > failures[i]!.untilHours, 'one after the other');
});

test('the same seed gives the same figures, another seed different ones', () => {
  assert.deepEqual(grow(WORLD, HEADROOM), grow(WORLD, HEADROOM));
  assert.notDeepEqual(grow(WORLD, HEADROOM), grow({ ...WORLD, seed: 8 }, HEADROOM));
});

test('every strategy gets the same organizations, and room for all of them', () => {
  const first = grow(WORLD, ROUND_ROBIN!);
  assert.ok(first.monitors >= WORLD.to);
  for (const strategy of OTHERS) {
    const figures = grow(WORLD, strategy);
    assert.equal(figures.monitors, first.monitors, strategy.name);
    assert.equal(figures.organizations, first.organizations, strategy.name);
    assert.ok(figures.fill <= 0.9 && figures.fill > 0.4, `${strategy.name}: ${figures.fill}`);
  }
});

test('headroom costs cells and saves moves', () => {
  const without = grow(WORLD, STRATEGIES.find(({ name }) => name === 'least loaded')!);
  const withIt = grow(WORLD, HEADROOM);
  assert.ok(withIt.moves < without.moves / 2, `${withIt.moves} of ${without.moves}`);
  assert.ok(withIt.cellMonths > without.cellMonths);
});
