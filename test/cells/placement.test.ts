// Where organizations go, and who moves: tables of cases, and what holds for all of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { moveSeconds, movesOut, type Pace, sum } from './moves.ts';
import { type Cell, place, STRATEGIES } from './placement.ts';

const strategy = (name: string) => STRATEGIES.find((each) => each.name === name)!;
const cells = (...monitors: number[]): Cell[] => monitors.map((each, no) => ({ no, monitors: each }));

test('each strategy chooses as its name says', () => {
  const cases: [name: string, monitors: number[], size: number, turn: number, chosen: number | null][] = [
    ['round robin', [10, 50, 20], 5, 0, 0],
    ['round robin', [10, 50, 20], 5, 4, 1],
    ['round robin', [10, 88, 20], 5, 1, 2],
    ['first fit', [80, 50, 20], 15, 0, 1],
    ['least loaded', [80, 50, 20], 15, 0, 2],
    ['best fit', [80, 50, 20], 10, 0, 0],
    ['best fit', [80, 50, 20], 15, 0, 1],
    ['best fit', [85, 86, 87], 10, 0, null],
    ['best fit, headroom', [64, 50, 20], 10, 0, 1],
    ['least loaded, headroom', [64, 50, 20], 10, 0, 2],
    ['least loaded, headroom', [64, 60, 61], 10, 0, null],
    ['best fit, headroom', [], 10, 0, null],
    ['best fit, headroom', [0], 1_000, 0, 0],
  ];
  for (const [name, monitors, size, turn, chosen] of cases) {
    const found = place(strategy(name), cells(...monitors), size, 100, turn);
    assert.equal(found?.no ?? null, chosen, `${name} of ${monitors} for ${size}`);
  }
});

test('no cell is filled above the limit, and no organization is refused while there is room', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(120), { maxLength: 8 }),
      fc.integer({ min: 1, max: 120 }),
      fc.nat(1_000),
      fc.constantFrom(...STRATEGIES),
      (monitors, size, turn, chosenBy) => {
        const line = chosenBy.admitsUntil * 100;
        const found = place(chosenBy, cells(...monitors), size, 100, turn);
        if (found) assert.ok(found.monitors === 0 || found.monitors + size <= line);
        else assert.ok(monitors.every((each) => each > 0 && each + size > line));
      },
    ),
  );
});

const organizations = (...monitors: number[]) => monitors.map((each, no) => ({ no, monitors: each }));

test('the organizations that move have enough monitors, and no more than that', () => {
  const cases: [monitors: number[], excess: number, moved: number[]][] = [
    [[10, 20, 30], 0, []],
    [[10, 20, 30], -5, []],
    [[10, 20, 30], 20, [20]],
    [[10, 20, 30], 25, [30]],
    [[10, 20, 300], 25, [20, 10]],
    [[5, 5, 5, 100], 15, [5, 5, 5]],
    [[7, 8, 100], 8, [8]],
    [[6, 5, 4, 100], 9, [6, 5]],
    [[3], 5, [3]],
    [[], 5, []],
  ];
  for (const [monitors, excess, moved] of cases)
    assert.deepEqual(
      movesOut(organizations(...monitors), excess).map((each) => each.monitors),
      moved,
      `${monitors} over by ${excess}`,
    );
});

test('the moves suffice, and each of them is needed', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 500 }), { maxLength: 40 }),
      fc.nat(2_000),
      (monitors, excess) => {
        const all = organizations(...monitors);
        const moved = movesOut(all, excess);
        assert.ok(sum(moved) >= Math.min(excess, sum(all)));
        assert.equal(new Set(moved.map(({ no }) => no)).size, moved.length);
        if (sum(all) < excess) return;
        for (const { monitors: own } of moved) assert.ok(sum(moved) - own < excess);
      },
    ),
  );
});

test('a move takes a fixed time, plus that of exporting and importing its lines', () => {
  const pace: Pace = {
    exportedPerSecond: 100,
    importedPerSecond: 50,
    linesPerMonitor: 1_000,
    fixedSeconds: 60,
  };
  assert.equal(moveSeconds(0, pace), 60);
  assert.equal(moveSeconds(3, pace), 60 + 30 + 60);
});
