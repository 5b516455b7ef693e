import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextDueMs, offsetMs } from './schedule.ts';

test('a monitor keeps its offset in the interval for good: these values must never change', () => {
  assert.deepEqual(
    ['mon_01h455vb4pex5vsknk084sn02q', 'mon_01h455vb4pex5vsknk084sn02r', ''].map((id) =>
      offsetMs(id, 60_000),
    ),
    [55655, 26155, 40135],
  );
});

test('a longer interval keeps the same fraction of it', () => {
  const id = 'mon_01h455vb4pex5vsknk084sn02q';
  assert.equal(Math.floor(offsetMs(id, 600_000) / 10), offsetMs(id, 60_000));
});

test('adjacent ids are spread evenly: each hundredth of the interval gets its share of 100,000', () => {
  const hits = new Array<number>(100).fill(0);
  for (let i = 0; i < 100_000; i++) {
    const slot = Math.floor(
      offsetMs(`mon_01h455vb4pex5vsknk08${i.toString(32).padStart(6, '0')}`, 60_000) / 600,
    );
    hits[slot] = (hits[slot] ?? 0) + 1;
  }
  // 1000 expected, standard deviation 31.
  assert.ok(
    Math.min(...hits) > 850 && Math.max(...hits) < 1150,
    `${Math.min(...hits)} to ${Math.max(...hits)}`,
  );
});

for (const [offset, interval, after, due] of [
  [7, 100, 0, 7],
  [7, 100, 7, 107],
  [7, 100, 6, 7],
  [7, 100, 1_000_050, 1_000_107],
  [0, 100, 0, 100],
] as const) {
  test(`after ${after} the next check at ${offset} of every ${interval} is at ${due}`, () => {
    assert.equal(nextDueMs(offset, interval, after), due);
  });
}
