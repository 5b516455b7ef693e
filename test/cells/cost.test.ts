// What monitors cost: by hand beside the computed figures.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Asked, bytesPerMonitor, costOf, type Prices } from './cost.ts';
import {
  BUCKETS,
  DAYS_OF_ROWS,
  PACKED_BYTES_PER_CHECK,
  PROBE_MS_PER_CHECK,
  ROW_BYTES_PER_CHECK,
} from './measured.ts';
import { numbersIn } from './numbers.ts';

const ASKED: Asked = { monitors: 6_000, intervalSeconds: 60, regions: 3, rawDays: 30 };
const PRICES: Prices = {
  machine: 20,
  machineCores: 4,
  probe: 5,
  probeCores: 1,
  diskGb: 0.1,
  busy: 0.5,
  copies: 1,
};
const near = (found: number, expected: number) => assert.ok(Math.abs(found - expected) < 1e-9, `${found}`);

test('disk holds single checks for their retention, the newest as rows and the others packed, and buckets for theirs', () => {
  const buckets = BUCKETS.reduce((bytes, { bytes: each, perDay, days }) => bytes + each * perDay * days, 0);
  const aDaily = DAYS_OF_ROWS * ROW_BYTES_PER_CHECK + (30 - DAYS_OF_ROWS) * PACKED_BYTES_PER_CHECK;
  near(bytesPerMonitor(ASKED), 3 * (1_440 * aDaily + buckets));
  near(bytesPerMonitor({ ...ASKED, intervalSeconds: 30, regions: 1 }), 2_880 * aDaily + buckets);
  near(bytesPerMonitor({ ...ASKED, rawDays: 2 }), 3 * (1_440 * 2 * ROW_BYTES_PER_CHECK + buckets));
});

test('machines, probes and disk cost money; a standby doubles the machines with data', () => {
  const alone = costOf(ASKED, PRICES);
  assert.equal(alone.checksPerSecond, 300);
  assert.deepEqual([alone.machines, alone.probeMachines], [1, 3]);
  near(alone.perMonth, 20 + 15 + alone.diskGb * 0.1);
  near(alone.perThousandMonitors, alone.perMonth / 6);
  const spare = costOf(ASKED, { ...PRICES, copies: 2 });
  near(spare.perMonth - alone.perMonth, 20 + alone.diskGb * 0.1);
});

test('more checks than one machine can make need another', () => {
  const perProbe = (PRICES.probeCores * PRICES.busy * 1_000) / PROBE_MS_PER_CHECK;
  const monitors = Math.floor(perProbe * 60);
  assert.equal(costOf({ ...ASKED, monitors }, PRICES).probeMachines, 3);
  assert.equal(costOf({ ...ASKED, monitors: monitors + 60 }, PRICES).probeMachines, 6);
});

test('numbers on the command line are accepted, or refused with a sentence', () => {
  const numbers = { days: { usual: 3, least: 1, most: 9, whole: true, about: 'days' } } as const;
  assert.deepEqual(numbersIn([], numbers), { days: 3 });
  assert.deepEqual(numbersIn(['--days', '4'], numbers), { days: 4 });
  assert.equal(numbersIn(['--help'], numbers), null);
  for (const words of [
    ['--days', '0'],
    ['--days', '1.5'],
    ['--days', 'many'],
    ['--days', ''],
    ['--dais', '3'],
  ])
    assert.equal(typeof numbersIn(words, numbers), 'string', words.join(' '));
});
