import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { serverClock } from './clock.ts';

test('the first stamp sets the clock by the middle of its round trip', () => {
  const clock = serverClock(() => 1_000);
  assert.equal(clock.observe(900, 500_050, 1_000), 499_100);
  assert.equal(clock.serverNowMs(), 500_100);
});

test('a stamp that proves nothing moves nothing', () => {
  const clock = serverClock(() => 0);
  clock.observe(0, 100, 0);
  assert.equal(clock.observe(0, 5_100, 25_000), 0, 'a long poll whose window holds the offset');
  assert.equal(clock.serverNowMs(), 100);
});

test('a stamp that proves the clock wrong moves it as far as proven', () => {
  const clock = serverClock(() => 0);
  clock.observe(0, 100, 0);
  assert.equal(clock.observe(1_000, 1_205, 1_003), 102);
  assert.equal(clock.serverNowMs(), 202);
});

test('with honest stamps the error is never larger than the shortest round trip', () => {
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
