import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noteServerTime, serverUnix } from './server-clock.ts';

const NOON = 'Sat, 21 Nov 2026 12:00:00 GMT';
const NOON_MS = Date.UTC(2026, 10, 21, 12);

test('the time of the server counts where the browser is wrong, and not how long an answer took', () => {
  noteServerTime(NOON, NOON_MS + 20_400);
  assert.equal(serverUnix(NOON_MS + 20_400), NOON_MS / 1_000 + 20);
  noteServerTime(NOON, NOON_MS + 3_600_000);
  assert.equal(serverUnix(NOON_MS + 3_605_000), NOON_MS / 1_000 + 5);
  noteServerTime(NOON, NOON_MS - 3_600_000);
  assert.equal(serverUnix(NOON_MS - 3_595_000), NOON_MS / 1_000 + 5);
  for (const unknown of [null, 'soon']) noteServerTime(unknown, NOON_MS);
  assert.equal(serverUnix(NOON_MS - 3_595_000), NOON_MS / 1_000 + 5);
});
