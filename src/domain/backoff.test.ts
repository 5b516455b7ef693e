import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FailedOutcome, nextTry, PAUSES_MS } from './backoff.ts';

const HOUR = 3_600_000;
const status = (code: number, retryAfterMs: number | null = null): FailedOutcome => ({
  kind: 'status',
  status: code,
  retryAfterMs,
});

/** Pauses in seconds until it is given up, without jitter, and the end. */
function run(outcome: FailedOutcome): { pauses: number[]; end: string } {
  const pauses: number[] = [];
  for (let attempt = 1; ; attempt++) {
    const next = nextTry({ attempt, outcome, random: 0.5, paging: false });
    if (next.kind !== 'retry') return { pauses, end: next.kind === 'give_up' ? next.why : next.kind };
    pauses.push(next.inMs / 1000);
  }
}

const WHOLE = [5, 15, 45, 120, 300, 900, 1800, 3600, 7200, 14_400, 28_800, 43_200, 86_400, 86_400];

test('there are fifteen attempts, the first at once', () => {
  assert.equal(PAUSES_MS.length, 15);
  assert.equal(PAUSES_MS[0], 0);
});

for (const outcome of [
  { kind: 'network' } as const,
  { kind: 'contradicted', retryAfterMs: null } as const,
  ...[301, 302, 408, 409, 425, 429, 500, 503, 599].map((code) => status(code)),
]) {
  test(`${outcome.kind === 'status' ? outcome.status : outcome.kind} uses the whole schedule`, () => {
    assert.deepEqual(run(outcome), { pauses: WHOLE, end: 'tries_used_up' });
  });
}

for (const code of [400, 401, 403, 404, 422]) {
  test(`${code} uses the first seven attempts`, () => {
    assert.deepEqual(run(status(code)), { pauses: WHOLE.slice(0, 6), end: 'refused' });
  });
}

test('an invalid request uses the first seven attempts', () => {
  assert.deepEqual(run({ kind: 'unsendable' }), { pauses: WHOLE.slice(0, 6), end: 'refused' });
});

test('410 deactivates a target at once, but never a paging target', () => {
  assert.deepEqual(run(status(410)), { pauses: [], end: 'deactivate' });
  const last = { attempt: 7, outcome: status(410), random: 0.5, paging: true };
  assert.deepEqual(nextTry({ ...last, attempt: 1 }), { kind: 'retry', inMs: 5000 });
  assert.deepEqual(nextTry(last), { kind: 'give_up', why: 'refused' });
});

test('a delay that a provider names in its body is respected as well', () => {
  const outcome = { kind: 'contradicted', retryAfterMs: 60_000 } as const;
  assert.deepEqual(nextTry({ attempt: 1, outcome, random: 0.5, paging: false }), {
    kind: 'retry',
    inMs: 60_000,
  });
});

test('the jitter is 20 percent either way', () => {
  const at = (random: number) => nextTry({ attempt: 1, outcome: { kind: 'network' }, random, paging: false });
  assert.deepEqual(at(0), { kind: 'retry', inMs: 4000 });
  assert.deepEqual(at(0.75), { kind: 'retry', inMs: 5500 });
});

test('Retry-After is a minimum, and never shortens the delay', () => {
  const next = (attempt: number, askedMs: number) =>
    nextTry({ attempt, outcome: status(429, askedMs), random: 0, paging: false });
  assert.deepEqual(next(1, 120_000), { kind: 'retry', inMs: 120_000 });
  assert.deepEqual(next(8, 1000), { kind: 'retry', inMs: 0.8 * HOUR });
});

test('Retry-After is honoured up to 24 hours', () => {
  assert.deepEqual(nextTry({ attempt: 1, outcome: status(503, 1000 * HOUR), random: 0.5, paging: false }), {
    kind: 'retry',
    inMs: 24 * HOUR,
  });
});

test('a lack of descriptors or ports is retried within seconds, without limit', () => {
  for (const attempt of [1, 7, 15, 100])
    assert.deepEqual(nextTry({ attempt, outcome: { kind: 'not_tried' }, random: 0.5, paging: false }), {
      kind: 'retry',
      inMs: 5_000,
    });
});
