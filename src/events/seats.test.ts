import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Credential } from './credentials.ts';
import { makeSeats, type Seat, STREAMS_EACH, STREAMS_PER_ORGANIZATION } from './seats.ts';

const key = (no: number): Credential => ({ kind: 'key', id: `key_${no}` });

test('one key has a share of its organization, and an organization one of the server', () => {
  const seats = makeSeats(1000, () => assert.fail('there is room'));
  for (let i = 0; i < STREAMS_EACH; i++) seats.take('org_a', key(0));
  assert.throws(() => seats.take('org_a', key(0)), { code: 'rate_limited' });
  for (let i = STREAMS_EACH; i < STREAMS_PER_ORGANIZATION; i++) seats.take('org_a', key(i));
  assert.throws(() => seats.take('org_a', key(999)), { code: 'rate_limited' });
  seats.take('org_b', key(1000));
});

test('a seat that was left, once or twice, is free for exactly one other', () => {
  const seats = makeSeats(1, () => assert.fail('there is room'));
  const seat = seats.take('org_a', key(1));
  seats.leave(seat);
  seats.leave(seat);
  seats.take('org_b', key(2));
  assert.throws(() => seats.take('org_c', key(3)), { code: 'rate_limited' });
});

test('when all seats are taken, whoever has fewer gets one of whoever has most', () => {
  const given: Seat[] = [];
  const seats = makeSeats(6, (seat) => given.push(seat));
  for (let i = 0; i < 6; i++) seats.take('org_greedy', key(i));
  for (let i = 10; i < 13; i++) seats.take('org_quiet', key(i));
  assert.deepEqual(
    given.map(({ credential }) => credential.id),
    ['key_5', 'key_4', 'key_3'],
  );
  assert.throws(() => seats.take('org_quiet', key(13)), { code: 'rate_limited' }, 'they have as many now');
});
