import assert from 'node:assert/strict';
import { test } from 'node:test';
import { annotationsIn, annotationsOf, placeOf } from './annotations.ts';

const annotations = annotationsOf(
  {
    from_unix: 0,
    to_unix: 1000,
    incidents: [
      {
        ...{ id: 'inc_1', origin: 'automatic', cause: 'It was down', severity: 'default', status: 'closed' },
        ...{ discarded: false, started_at_unix: 100, resolved_at_unix: 200 },
      },
      {
        ...{ id: 'inc_2', origin: 'automatic', cause: 'It is down', severity: 'default', status: 'open' },
        ...{ discarded: false, started_at_unix: 900, resolved_at_unix: null },
      },
    ],
    maintenance: [{ id: 'mwn_1', title: 'New disks', starts_at_unix: 150, ends_at_unix: 400 }],
    changes: [{ origin: 'deployment', name: 'CI', announced_at_unix: 150, held_until_unix: 150 }],
    complete: true,
  },
  1000,
);
const keysIn = (from: number, to: number) =>
  annotationsIn(annotations, { from, to }).map(({ key, name }) => [key, name]);

test('the annotations of a bucket are named, incidents before changes before maintenance', () => {
  assert.deepEqual(
    keysIn(150, 160).map(([, name]) => name),
    ['It was down', 'CI', 'New disks'],
  );
});

test('a span excludes its end, and an instant belongs to its bucket', () => {
  assert.deepEqual(keysIn(200, 210), [['mwn_1', 'New disks']]);
  assert.deepEqual(
    keysIn(100, 150).map(([key]) => key),
    ['inc_1'],
  );
  assert.deepEqual(keysIn(400, 900), []);
});

test('an open incident extends to now', () => {
  assert.deepEqual(
    keysIn(999, 1000).map(([key]) => key),
    ['inc_2'],
  );
});

for (const [span, place] of [
  [
    { from: 25, to: 50 },
    { left: 25, width: 25 },
  ],
  [
    { from: -50, to: 150 },
    { left: 0, width: 100 },
  ],
  [
    { from: 50, to: 50 },
    { left: 50, width: 0 },
  ],
  [{ from: 101, to: 150 }, null],
  [{ from: -50, to: -1 }, null],
] as const)
  test(`[${span.from}, ${span.to}) of 0 to 100 is at ${place === null ? 'no place' : `${place.left} %`}`, () => {
    assert.deepEqual(placeOf(span, { from: 0, to: 100 }), place);
  });
