// Covers what the journeys cannot: a minute that passes, and memory under very many addresses.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, mock, test } from 'node:test';
import fastify, { type FastifyInstance } from 'fastify';
import { makeKnownCallers } from './known-callers.ts';
import { limitRates, REQUESTS_PER_ADDRESS } from './rate-limits.ts';
import { ownLimiters } from './shared-limiters.ts';

let http: FastifyInstance;
let url: string;
before(async () => {
  mock.timers.enable({ apis: ['Date'], now: 0 });
  http = fastify({ trustProxy: (_address, hop) => hop < 1 });
  limitRates(http, {
    isThrottled: (_method, route) => route === '/try',
    sessionCookie: 'session',
    known: makeKnownCallers(),
    limiters: ownLimiters,
    key: randomBytes(32),
  });
  http.get('/try', () => ({}));
  url = await http.listen({ host: '127.0.0.1', port: 0 });
});
after(async () => {
  await http.close();
  mock.timers.reset();
});
beforeEach(() => mock.timers.tick(120_000));

const ask = (address = '192.0.2.1') => fetch(`${url}/try`, { headers: { 'x-forwarded-for': address } });

test('the window ends a minute after its first request, and the budget is full again', async () => {
  await ask();
  mock.timers.tick(20_000);
  for (let i = 1; i < REQUESTS_PER_ADDRESS; i++) assert.equal((await ask()).status, 200);
  const refused = await ask();
  assert.deepEqual([refused.status, refused.headers.get('ratelimit-reset')], [429, '40']);
  mock.timers.tick(39_000);
  const late = await ask();
  assert.deepEqual([late.status, late.headers.get('ratelimit-reset')], [429, '1']);
  mock.timers.tick(1_001);
  const again = await ask();
  assert.deepEqual([again.status, again.headers.get('ratelimit-remaining')], [200, '59']);
});

test('further requests while refused do not prolong the wait', async () => {
  for (let i = 0; i < REQUESTS_PER_ADDRESS + 30; i++) await ask();
  mock.timers.tick(60_001);
  assert.equal((await ask()).status, 200);
});
