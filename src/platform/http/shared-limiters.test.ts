import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { RateLimiterMemory } from 'rate-limiter-flexible';
import { silent } from '#test/harness/cluster.ts';
import { closeAfterTests, type FreshDatabase, freshDatabase } from '#test/harness/database.ts';
import { until } from '#test/harness/until.ts';
import { type Listener, startListener } from '../db/listener.ts';
import { CHANNEL, type SharedLimiters, shareLimiters } from './shared-limiters.ts';

let database: FreshDatabase;
let payloads: string[] = [];
before(async () => {
  database = await freshDatabase();
  closeAfterTests(async () => database[Symbol.asyncDispose]());
  const listener = await listening();
  listener.listen(CHANNEL, (payload) => payloads.push(payload ?? ''));
  await listener.askTime();
});

async function listening(): Promise<Listener> {
  const listener = await startListener(database.connection, silent);
  closeAfterTests(() => listener.stop());
  return listener;
}

async function startServer(): Promise<SharedLimiters> {
  const listener = await listening();
  const server = shareLimiters({ db: database.db, listener, log: silent });
  closeAfterTests(async () => server.stop());
  // Consumes only after the other server listens: earlier announcements are lost.
  await listener.askTime();
  return server;
}

const spentOf = async (limiter: RateLimiterMemory, key: string) =>
  (await limiter.get(key))?.consumedPoints ?? 0;
const spends = (limiter: RateLimiterMemory, key: string, n: number) =>
  Promise.allSettled(Array.from({ length: n }, () => limiter.consume(key)));

/** Points of a key in all announcements so far. */
const announcedOf = (key: string) =>
  payloads
    .flatMap((payload) => (JSON.parse(payload) as [string, [string, string, number][]])[1])
    .reduce((sum, [, of, points]) => (of === key ? sum + points : sum), 0);

test('requests counted at one server count at the others, once', async () => {
  const servers = await Promise.all([startServer(), startServer(), startServer()]);
  const [first, second, third] = servers.map(({ limiters }) => limiters('key', 100, 60));
  await spends(first!, 'a', 40);
  await spends(second!, 'a', 30);
  for (const { announce } of servers) await announce();
  // The first nine of each are below a tenth of the limit.
  await until(async () => (await spentOf(third!, 'a')) === 31 + 21, 'the third knows both');
  await until(async () => (await spentOf(first!, 'a')) === 40 + 21, 'the first knows the second');
  await until(async () => (await spentOf(second!, 'a')) === 30 + 31, 'the second knows the first');
  for (const { announce } of servers) await announce();
  await spends(first!, 'another', 10);
  await servers[0]!.announce();
  await until(() => announcedOf('another') > 0, 'the last one is announced');
  assert.equal(announcedOf('a'), 31 + 21, 'nothing is announced twice, nor passed on');
});

test('a caller who reached the limit at one server is refused by the others', async () => {
  const servers = await Promise.all([startServer(), startServer()]);
  const [first, second] = servers.map(({ limiters }) => limiters('key', 100, 60));
  await spends(first!, 'b', 150);
  await servers[0]!.announce();
  await until(async () => (await spentOf(second!, 'b')) === 91, 'the other knows');
  const answers = await spends(second!, 'b', 12);
  assert.equal(
    answers.filter(({ status }) => status === 'rejected').length,
    3,
    'a tenth more than the limit at most',
  );
});

test('nobody below a tenth of a limit is announced, and limits of other names stay apart', async () => {
  const [one, other] = [await startServer(), await startServer()];
  const first = one.limiters('key', 100, 60);
  one.limiters('session', 100, 60);
  const session = other.limiters('session', 100, 60);
  payloads = [];
  await spends(first, 'c', 9);
  await one.announce();
  await spends(first, 'd', 20);
  await one.announce();
  await until(() => payloads.some((payload) => payload.includes('"d"')), 'the second is announced');
  assert.ok(!payloads.some((payload) => payload.includes('"c"')));
  assert.equal(await spentOf(session, 'd'), 0);
});

test('thousands of callers fit into notifications that PostgreSQL accepts', async () => {
  const [one, other] = [await startServer(), await startServer()];
  const first = one.limiters('address', 10, 60);
  const second = other.limiters('address', 10, 60);
  const keys = Array.from({ length: 2_000 }, (_, i) => `${'f'.repeat(60)}${i}`);
  for (const key of keys) await first.consume(key, 5);
  await one.announce();
  await until(async () => (await spentOf(second, keys.at(-1)!)) === 5, 'the last one is known');
  for (const key of keys) assert.equal(await spentOf(second, key), 5);
});

test('announcements without a waiting caller are sent by themselves', async () => {
  const [one, other] = [await startServer(), await startServer()];
  const first = one.limiters('key', 100, 60);
  const second = other.limiters('key', 100, 60);
  await spends(first, 'e', 50);
  await until(async () => (await spentOf(second, 'e')) > 0, 'the other knows');
});
