import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { serverClock } from './clock.ts';

test('the first timestamp sets the clock, assuming the middle of its round trip', () => {
  const clock = serverClock(() => 1_000);
  assert.equal(clock.observe(900, 500_050, 1_000), 499_100);
  assert.equal(clock.serverNowMs(), 500_100);
});

test('a timestamp within the bounds does not move the clock', () => {
  const clock = serverClock(() => 0);
  clock.observe(0, 100, 0);
  assert.equal(clock.observe(0, 5_100, 25_000), 0, 'a long poll whose window holds the offset');
  assert.equal(clock.serverNowMs(), 100);
});

test('a timestamp outside the bounds moves the clock just to the bound', () => {
  const clock = serverClock(() => 0);
  clock.observe(0, 100, 0);
  assert.equal(clock.observe(1_000, 1_205, 1_003), 102);
  assert.equal(clock.serverNowMs(), 202);
});

test('with correct timestamps the error never exceeds the shortest round trip', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -1e9, max: 1e9 }),
      fc.array(fc.record({ out: fc.nat(500), back: fc.nat(500) }), { minLength: 1, maxLength: 20 }),
      (trueOffsetMs, trips) => {
        const clock = serverClock(() => 0);
        let atMs = 0;
        for (const { out, back } of trips) {
          clock.observe(atMs, atMs + out + trueOffsetMs, atMs + out + back);
          atMs += 1_000;
        }
        const best = Math.min(...trips.map(({ out, back }) => out + back));
        assert.ok(Math.abs(clock.serverNowMs() - trueOffsetMs) <= best);
      },
    ),
  );
});
