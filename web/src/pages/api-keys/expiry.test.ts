import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expiresAt } from './expiry.ts';

const NOON = new Date(2026, 2, 10, 12).getTime() / 1_000;

test('a preset counts days from now, never is null', () => {
  assert.equal(expiresAt('30', '', NOON), NOON + 30 * 86_400);
  assert.equal(expiresAt('never', '', NOON), null);
});

test('a chosen day is the last day of the key, today included', () => {
  assert.equal(expiresAt('date', '2026-03-10', NOON), new Date(2026, 2, 11).getTime() / 1_000);
  assert.equal(expiresAt('date', '2026-12-31', NOON), new Date(2027, 0, 1).getTime() / 1_000);
});

test('a past day, or no day at all, is not an expiry', () => {
  assert.equal(expiresAt('date', '2026-03-09', NOON), undefined);
  assert.equal(expiresAt('date', '', NOON), undefined);
});
