import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId, timeOfId } from './ids.ts';

test('an id contains its creation time', () => {
  assert.equal(timeOfId('mwn_01m7wmcpq00000000000000001').toISOString(), '2026-11-20T14:05:00.000Z');
  const before = Date.now();
  const at = timeOfId(newId('inc')).getTime();
  assert.ok(at >= before && at <= Date.now());
});
