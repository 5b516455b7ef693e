import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePollingInterval } from './polling-interval.ts';

const pending = {
  ...({ id: 'spd_1', status: 'pending', edge_synced: false } as const),
  ...{ cert_status: null, last_error: null },
};
const verified = { ...pending, status: 'verified' } as const;
const online = { ...verified, edge_synced: true, cert_status: 'issued' } as const;
const MINUTE_MS = 60_000;

test('domains in progress are read every 3 s, and less often once nothing has happened for minutes', () => {
  const pace = makePollingInterval();
  assert.equal(pace([pending], 0), 3_000);
  assert.equal(pace([pending], 4 * MINUTE_MS), 3_000);
  assert.equal(pace([pending], 5 * MINUTE_MS), 15_000);
  assert.equal(pace([verified], 6 * MINUTE_MS), 3_000);
});

test('settled domains are not read again, until another one is in progress', () => {
  const pace = makePollingInterval();
  assert.equal(pace([], 0), false);
  assert.equal(pace([online], 0), false);
  assert.equal(pace([online, { ...pending, id: 'spd_2' }], 60 * MINUTE_MS), 3_000);
});
