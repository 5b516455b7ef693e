import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CODES, type Failures, type GuessLimits, PASSWORDS, slowdown } from './sign-in-slowdown.ts';

const NOW = 1_800_000_000_000;
const QUIET: Failures = {
  pair: { count: 0, lastAtMs: null },
  address: { accounts: 0, lastAtMs: null },
  account: { count: 0, lastStrangeAtMs: null },
  known: false,
};
const ofPair = (count: number, agoMs = 0): Failures => ({ ...QUIET, pair: { count, lastAtMs: NOW - agoMs } });

test('after five wrong attempts each further one doubles the delay, up to 15 minutes', () => {
  const waits = [0, 1, 4, 5, 6, 7, 8, 12, 14, 15, 16, 1000].map(
    (count) => (slowdown(ofPair(count), NOW, PASSWORDS)?.waitMs ?? 0) / 1000,
  );
  assert.deepEqual(waits, [0, 0, 0, 1, 2, 4, 8, 128, 512, 900, 900, 900]);
});

test('the delay starts at the last wrong attempt and ends', () => {
  assert.deepEqual(slowdown(ofPair(8, 3000), NOW, PASSWORDS), { waitMs: 5000, why: 'pair' });
  assert.equal(slowdown(ofPair(8, 8000), NOW, PASSWORDS), null);
});

test('a pair of account and address is delayed even at a known address: no machine may keep guessing', () => {
  assert.equal(slowdown({ ...ofPair(8), known: true }, NOW, PASSWORDS)?.waitMs, 8000);
});

test('an address at which more than twenty accounts failed is slow for strangers, not for known accounts', () => {
  const at = (accounts: number, known: boolean) =>
    slowdown({ ...QUIET, known, address: { accounts, lastAtMs: NOW - 20_000 } }, NOW, PASSWORDS);
  assert.equal(at(20, false), null);
  assert.deepEqual(at(21, false), { waitMs: 40_000, why: 'address' });
  assert.equal(at(10_000, true), null);
});

test('guesses at an account from everywhere do not delay its known addresses; others get one attempt a minute each', () => {
  const at = (known: boolean, lastOfPair: number | null, count = 100) =>
    slowdown(
      {
        ...QUIET,
        known,
        pair: { count: lastOfPair === null ? 0 : 1, lastAtMs: lastOfPair },
        account: { count, lastStrangeAtMs: NOW },
      },
      NOW,
      PASSWORDS,
    );
  assert.equal(at(true, NOW), null);
  assert.equal(at(false, null), null, 'the first try from a new address');
  assert.deepEqual(at(false, NOW - 1000), { waitMs: 59_000, why: 'account' });
  assert.equal(at(false, NOW - 60_000), null);
  assert.equal(at(false, NOW, 99), null);
});

test('for codes, all unknown addresses together get one attempt a minute', () => {
  const guessed = { ...QUIET, account: { count: 20, lastStrangeAtMs: NOW - 10_000 } };
  assert.deepEqual(slowdown(guessed, NOW, CODES), { waitMs: 50_000, why: 'account' });
  assert.equal(slowdown({ ...guessed, known: true }, NOW, CODES), null);
});

const time = fc.option(fc.integer({ min: NOW - 90_000_000, max: NOW + 5000 }), { nil: null });
const count = fc.integer({ min: 0, max: 100_000 });
const someFailures: fc.Arbitrary<Failures> = fc.record({
  pair: fc.record({ count, lastAtMs: time }),
  address: fc.record({ accounts: count, lastAtMs: time }),
  account: fc.record({ count, lastStrangeAtMs: time }),
  known: fc.boolean(),
});
const someLimits = fc.constantFrom<GuessLimits>(PASSWORDS, CODES);

test('a known address waits only for its own failures, whatever others do elsewhere', () => {
  fc.assert(
    fc.property(someFailures, someLimits, (failures, limits) => {
      const known = { ...failures, known: true };
      const alone = { ...QUIET, known: true, pair: failures.pair };
      assert.deepEqual(slowdown(known, NOW, limits), slowdown(alone, NOW, limits));
    }),
  );
});

test('nobody waits longer than 15 minutes after the last failure', () => {
  fc.assert(
    fc.property(someFailures, someLimits, (failures, limits) => {
      const held = slowdown(failures, NOW, limits);
      if (held === null) return;
      assert.ok(held.waitMs > 0 && held.waitMs <= 900_000);
      assert.equal(slowdown(failures, NOW + 900_000 + 5000, limits), null);
    }),
  );
});

test('more failures never shorten the delay', () => {
  fc.assert(
    fc.property(someFailures, fc.nat(50), someLimits, (failures, more, limits) => {
      const worse = {
        ...failures,
        pair: { ...failures.pair, count: failures.pair.count + more },
        address: { ...failures.address, accounts: failures.address.accounts + more },
        account: { ...failures.account, count: failures.account.count + more },
      };
      const wait = (of: Failures) => slowdown(of, NOW, limits)?.waitMs ?? 0;
      assert.ok(wait(worse) >= wait(failures));
    }),
  );
});
