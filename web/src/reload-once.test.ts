import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reloadOnce } from './reload-once.ts';

const missing = new TypeError('Failed to fetch dynamically imported module');

/** A tab whose storage outlives its reloads. */
function tab() {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
  /** The number of reloads by an attempt at that time; an error is one that the page shows. */
  return (nowMs: number): number => {
    let reloads = 0;
    void reloadOnce(missing, { storage, nowMs, reload: () => (reloads += 1) });
    return reloads;
  };
}

test('a page without its code reloads the dashboard once, and fails if that did not help', () => {
  const attempt = tab();
  const atMs = 1_800_000_000_000;
  assert.equal(attempt(atMs), 1);
  assert.throws(() => attempt(atMs + 500), missing);
  assert.throws(() => attempt(atMs + 29_999), missing);
});

test('half a minute later it may reload again, and only once', () => {
  const attempt = tab();
  const atMs = 1_800_000_000_000;
  attempt(atMs);
  assert.equal(attempt(atMs + 30_000), 1);
  assert.throws(() => attempt(atMs + 30_001), missing);
});

test('each tab has its own attempt', () => {
  const [one, other] = [tab(), tab()];
  assert.equal(one(1_800_000_000_000), 1);
  assert.equal(other(1_800_000_000_001), 1);
});
