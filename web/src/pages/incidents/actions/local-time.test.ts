import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromLocalInput, toLocalInput } from './local-time.ts';

test('a field that says what it was filled with keeps the second, and the hour that comes again', (t) => {
  const zone = process.env.TZ;
  t.after(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });
  process.env.TZ = 'Europe/Berlin';
  const again = Date.UTC(2026, 9, 25, 1, 30, 7) / 1_000;
  assert.equal(toLocalInput(again), '2026-10-25T02:30');
  assert.equal(fromLocalInput('2026-10-25T02:30', again), again);
  assert.equal(fromLocalInput('2026-10-25T03:30', again), again + 3_600 - 7);
  assert.equal(fromLocalInput('', again), null);
});
