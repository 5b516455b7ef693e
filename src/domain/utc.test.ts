import assert from 'node:assert/strict';
import { test } from 'node:test';
import { utcDay, utcMinute, utcSecond } from './utc.ts';

const AT = Date.UTC(2026, 10, 21, 23, 6, 31, 999);

test('an instant is written in UTC, to the day, the minute or the second, never rounded up', () => {
  assert.equal(utcDay(AT), '2026-11-21');
  assert.equal(utcMinute(AT), '2026-11-21 23:06 UTC');
  assert.equal(utcSecond(AT), '2026-11-21 23:06:31 UTC');
});
