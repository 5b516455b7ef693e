import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allocateSlots, type Contender } from './fair-share.ts';

const FREE = { all: 120, slow: 60, reserved: 20 };
const NONE: ReadonlyMap<string, number> = new Map();
const NOBODY = { tenants: NONE, owners: NONE, hosts: NONE };

const crowd = (tenant: string, howMany: number, some: Partial<Contender> = {}): Contender[] =>
  Array.from({ length: howMany }, (_, i) => ({
    tenant,
    owner: null,
    host: `${tenant}-${i}.example`,
    urgency: 2,
    slow: false,
    ...some,
  }));

function countOf(chosen: readonly Contender[], tenant: string): number {
  return chosen.filter((each) => each.tenant === tenant).length;
}

test('a single organization gets most of the slots, and leaves some free', () => {
  assert.equal(allocateSlots(crowd('b', 500), FREE, NOBODY).length, 50);
  assert.equal(allocateSlots(crowd('b', 500, { urgency: 0 }), FREE, NOBODY).length, 80);
  assert.equal(allocateSlots(crowd('b', 500, { slow: true }), FREE, NOBODY).length, 20);
});

test('a small workload is served entirely, however many wait before it', () => {
  const chosen = allocateSlots([...crowd('b', 500), ...crowd('c', 500), ...crowd('a', 3)], FREE, NOBODY);
  assert.equal(countOf(chosen, 'a'), 3);
  assert.ok(Math.abs(countOf(chosen, 'b') - countOf(chosen, 'c')) <= 1);
});

test('a newcomer gets a slot at once, even if others use all of theirs', () => {
  const tenants = new Map([
    ['b', 40],
    ['c', 40],
  ]);
  const free = { all: 40, slow: 0, reserved: 20 };
  const waiting = [...crowd('b', 100), ...crowd('c', 100), ...crowd('a', 1)];
  assert.deepEqual(
    allocateSlots(waiting, free, { ...NOBODY, tenants }).map(({ tenant }) => tenant),
    ['a'],
  );
});

test('urgent work comes first, and has reserved slots', () => {
  const [first] = allocateSlots([...crowd('a', 5), ...crowd('a', 1, { urgency: 0 })], FREE, NOBODY);
  assert.equal(first?.urgency, 0);
  const few = { all: 20, slow: 20, reserved: 20 };
  assert.equal(allocateSlots(crowd('a', 5), few, NOBODY).length, 0);
  assert.equal(allocateSlots(crowd('a', 5, { urgency: 0 }), few, NOBODY).length, 5);
  // A flood of urgent ones takes the others' turn, not their slot.
  assert.ok(
    countOf(allocateSlots([...crowd('b', 900, { urgency: 0 }), ...crowd('a', 4)], FREE, NOBODY), 'a') > 0,
  );
});

test('slow targets share a part, and leave the rest to the others', () => {
  const slow = allocateSlots(
    [...crowd('b', 200, { slow: true, urgency: 0 }), ...crowd('c', 200, { slow: true, urgency: 0 })],
    FREE,
    NOBODY,
  );
  assert.ok(slow.length < 60, `${slow.length}`);
  assert.equal(allocateSlots(crowd('a', 9), { ...FREE, slow: 0 }, NOBODY).length, 9);
});

test('one destination gets only its share, whoever sends to it', () => {
  const everybody = Array.from({ length: 200 }, (_, i) =>
    crowd(`o${i}`, 1, { host: 'hooks.example' }),
  ).flat();
  const chosen = allocateSlots([...everybody, ...crowd('a', 2)], FREE, NOBODY);
  assert.equal(countOf(chosen, 'a'), 2);
  assert.ok(chosen.length <= 52, `${chosen.length}`);
});

test('nobody gets an occupied slot', () => {
  assert.deepEqual(
    allocateSlots(crowd('a', 5, { urgency: 0 }), { all: 0, slow: 0, reserved: 20 }, NOBODY),
    [],
  );
  assert.equal(
    allocateSlots(crowd('a', 5, { urgency: 0 }), { all: 1, slow: 1, reserved: 20 }, NOBODY).length,
    1,
  );
});

test('ten tenants of one owner get as much as one tenant, and leave a slot to a sibling', () => {
  const ten = Array.from({ length: 10 }, (_, i) => crowd(`m${i}`, 50, { owner: 'mallory' })).flat();
  assert.equal(allocateSlots(ten, FREE, NOBODY).length, 49);
  const owners = new Map([['mallory', 49]]);
  const tenants = new Map([['m0', 49]]);
  const left = { all: 71, slow: 71, reserved: 20 };
  const chosen = allocateSlots([...ten, ...crowd('a', 1, { owner: 'alice' })], left, {
    ...NOBODY,
    tenants,
    owners,
  });
  assert.deepEqual(
    chosen.map(({ tenant }) => tenant),
    ['a', 'm1'],
  );
});
