import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Credential } from './credentials.ts';
import { makeSeats, type Seat, STREAMS_EACH, STREAMS_PER_ORGANIZATION, STREAMS_PER_OWNER } from './seats.ts';

const key = (no: number): Credential => ({ kind: 'key', id: `key_${no}` });
const tenant = (id: string, owner: string | null = null) => ({ id, owner });

test('one key gets a share of its organization’s streams, and an organization a share of the server’s', () => {
  const seats = makeSeats(1000, () => assert.fail('there is room'));
  for (let i = 0; i < STREAMS_EACH; i++) seats.take(tenant('org_a'), key(0));
  assert.throws(() => seats.take(tenant('org_a'), key(0)), { code: 'rate_limited' });
  for (let i = STREAMS_EACH; i < STREAMS_PER_ORGANIZATION; i++) seats.take(tenant('org_a'), key(i));
  assert.throws(() => seats.take(tenant('org_a'), key(999)), { code: 'rate_limited' });
  seats.take(tenant('org_b'), key(1000));
});

test('a closed stream, even if closed twice, leaves room for exactly one other', () => {
  const seats = makeSeats(1, () => assert.fail('there is room'));
  const seat = seats.take(tenant('org_a'), key(1));
  seats.leave(seat);
  seats.leave(seat);
  seats.take(tenant('org_b'), key(2));
  assert.throws(() => seats.take(tenant('org_c'), key(3)), { code: 'rate_limited' });
});

test('at the limit, whoever has fewer streams replaces one of whoever has most', () => {
  const given: Seat[] = [];
  const seats = makeSeats(6, (seat) => given.push(seat));
  for (let i = 0; i < 6; i++) seats.take(tenant('org_greedy'), key(i));
  for (let i = 10; i < 13; i++) seats.take(tenant('org_quiet'), key(i));
  assert.deepEqual(
    given.map(({ credential }) => credential.id),
    ['key_5', 'key_4', 'key_3'],
  );
  assert.throws(
    () => seats.take(tenant('org_quiet'), key(13)),
    { code: 'rate_limited' },
    'they have as many now',
  );
});

test('the organizations of one owner have as many streams as four', () => {
  const seats = makeSeats(1000, () => assert.fail('there is room'));
  for (let i = 0; i < STREAMS_PER_OWNER; i++) seats.take(tenant(`org_${i % 10}`, 'mallory'), key(i));
  assert.throws(() => seats.take(tenant('org_0', 'mallory'), key(999)), { code: 'rate_limited' });
  seats.take(tenant('org_quiet', 'alice'), key(1000));
});

test('at the limit, owners are compared before their organizations, and then those with each other', () => {
  const given: Seat[] = [];
  const seats = makeSeats(8, (seat) => given.push(seat));
  for (let i = 0; i < 6; i++) seats.take(tenant(`org_${i}`, 'mallory'), key(i));
  for (let i = 6; i < 8; i++) seats.take(tenant('org_a', 'alice'), key(i));
  seats.take(tenant('org_a', 'alice'), key(8));
  assert.deepEqual(
    given.splice(0).map(({ tenant }) => tenant.owner),
    ['mallory'],
  );
  seats.take(tenant('org_b', 'alice'), key(9));
  seats.take(tenant('org_b', 'alice'), key(10));
  assert.deepEqual(
    given.map(({ tenant }) => tenant.id),
    ['org_4', 'org_a'],
  );
});

test('streams at other servers count, for each limit', () => {
  const elsewhere = new Map<string, number>();
  const seats = makeSeats(
    1000,
    () => assert.fail('there is room'),
    (of) => elsewhere.get(of) ?? 0,
  );
  const cases: [string, number, RegExp][] = [
    ['key_1 org_a', STREAMS_EACH, /^You have 20 /],
    ['org_a', STREAMS_PER_ORGANIZATION, /^Your organization has 50 /],
    ['owner usr_o', STREAMS_PER_OWNER, /^Your organizations together have 200 /],
  ];
  for (const [of, limit, message] of cases) {
    elsewhere.set(of, limit - 1);
    const seat = seats.take(tenant('org_a', 'usr_o'), key(1));
    assert.throws(() => seats.take(tenant('org_a', 'usr_o'), key(1)), { code: 'rate_limited', message });
    seats.leave(seat);
    elsewhere.clear();
  }
});

test('other servers hear only of callers with at least a tenth of a limit', () => {
  const seats = makeSeats(1000, () => assert.fail('there is room'));
  for (let i = 0; i < 5; i++) seats.take(tenant('org_a', 'usr_o'), key(i));
  seats.take(tenant('org_b', 'usr_o'), key(9));
  seats.take(tenant('org_b', 'usr_o'), key(9));
  assert.deepEqual(seats.counts(), [
    ['org_a', 5],
    ['key_9 org_b', 2],
  ]);
});
