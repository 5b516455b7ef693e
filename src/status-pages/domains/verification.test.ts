import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS } from '#src/domain/durations.ts';
import type { CnameResult } from '#src/platform/outbound/cname.ts';
import { afterLookup, type DomainState } from './verification.ts';

const START = new Date('2026-03-01T12:00:00Z');
const at = (ms: number) => new Date(START.getTime() + ms);
const PENDING: DomainState = {
  ...{ status: 'pending', pending_since: START, next_check_at: START, tries: 0 },
  ...{ verified_at: null, dangling_since: null, last_error: null },
};
const VERIFIED: DomainState = { ...PENDING, status: 'verified', verified_at: START };
const FAILED: DomainState = { ...PENDING, status: 'failed', next_check_at: null, last_error: 'x' };
const REACHED: CnameResult = { kind: 'points_here' };
const ELSEWHERE: CnameResult = { kind: 'points_elsewhere', to: 'other.example' };
const NONE: CnameResult = { kind: 'no_record' };
const UNKNOWN: CnameResult = { kind: 'unknown', why: 'the name servers did not answer in time' };

const after = (before: DomainState, result: CnameResult, ms: number, asked = false) =>
  afterLookup(before, result, {
    now: at(ms),
    asked,
    domain: 'status.example.com',
    target: 'abc.edge.example',
  });

test('a record that points here verifies the domain from every state', () => {
  for (const before of [PENDING, FAILED]) {
    const { status, verified_at, last_error } = after(before, REACHED, 5_000, true);
    assert.deepEqual(
      { status, verified_at, last_error },
      { status: 'verified', verified_at: at(5_000), last_error: null },
    );
  }
});

test('a verified domain keeps the time at which it was verified', () => {
  const { verified_at, next_check_at } = after(VERIFIED, REACHED, HOUR_MS);
  assert.deepEqual([verified_at, next_check_at], [START, at(2 * HOUR_MS)]);
});

test('a pending domain is first checked within a minute, then at increasing intervals of at most an hour', () => {
  let state = PENDING;
  let now = 0;
  const pauses: number[] = [];
  while (state.status === 'pending') {
    state = after(state, NONE, now);
    if (state.next_check_at === null) break;
    pauses.push(state.next_check_at.getTime() - at(now).getTime());
    now = state.next_check_at.getTime() - START.getTime();
  }
  assert.ok((pauses[0] ?? 0) <= 60_000);
  assert.deepEqual(
    pauses,
    pauses.toSorted((a, b) => a - b),
  );
  assert.equal(Math.max(...pauses), HOUR_MS);
});

test('a pending domain fails after 72 hours of checks, with the reason', () => {
  assert.equal(after(PENDING, NONE, 72 * HOUR_MS - 1).status, 'pending');
  const { status, next_check_at, last_error } = after(PENDING, ELSEWHERE, 72 * HOUR_MS);
  assert.deepEqual({ status, next_check_at }, { status: 'failed', next_check_at: null });
  assert.match(last_error ?? '', /points at other\.example, not at abc\.edge\.example\. .*72 hours/);
});

test('a failed domain that a person verifies in vain is checked for another 72 hours', () => {
  const again = after(FAILED, NONE, 100 * HOUR_MS, true);
  assert.deepEqual([again.status, again.pending_since, again.tries], ['pending', at(100 * HOUR_MS), 1]);
  assert.equal(after(again, NONE, 171 * HOUR_MS).status, 'pending');
  assert.equal(after(again, NONE, 172 * HOUR_MS).status, 'failed');
});

test('a verified domain whose record points elsewhere is served for seven more days, and then fails', () => {
  const dangling = after(VERIFIED, ELSEWHERE, HOUR_MS);
  assert.deepEqual([dangling.status, dangling.dangling_since], ['verified', at(HOUR_MS)]);
  assert.equal(after(dangling, NONE, 7 * DAY_MS + HOUR_MS - 1).status, 'verified');
  const failed = after(dangling, NONE, 7 * DAY_MS + HOUR_MS);
  assert.deepEqual([failed.status, failed.verified_at, failed.next_check_at], ['failed', null, null]);
  assert.match(failed.last_error ?? '', /has no CNAME record.* seven days/);
});

test('a record that points here again cancels the seven days', () => {
  const dangling = after(VERIFIED, ELSEWHERE, HOUR_MS);
  const { dangling_since, last_error } = after(dangling, REACHED, 2 * HOUR_MS);
  assert.deepEqual([dangling_since, last_error], [null, null]);
});

test('silent name servers neither start the seven days nor end a verified domain', () => {
  assert.equal(after(VERIFIED, UNKNOWN, HOUR_MS).dangling_since, null);
  const dangling = after(VERIFIED, ELSEWHERE, HOUR_MS);
  assert.equal(after(dangling, UNKNOWN, 8 * DAY_MS).status, 'verified');
  assert.equal(after(VERIFIED, UNKNOWN, HOUR_MS).last_error, null);
});
