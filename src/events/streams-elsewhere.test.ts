import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { silent } from '#test/harness/cluster.ts';
import { closeAfterTests, type FreshDatabase, freshDatabase } from '#test/harness/database.ts';
import { until } from '#test/harness/until.ts';
import { startListener } from '../platform/db/listener.ts';
import { makeStreamsElsewhere, type StreamCount, type StreamsElsewhere } from './streams-elsewhere.ts';

let database: FreshDatabase;
let nowMs = 0;
before(async () => {
  database = await freshDatabase();
  closeAfterTests(async () => database[Symbol.asyncDispose]());
});

async function startServer(): Promise<StreamsElsewhere> {
  const listener = await startListener(database.connection, silent);
  closeAfterTests(() => listener.stop());
  const elsewhere = makeStreamsElsewhere(database.db, listener, () => nowMs);
  // Asked after it began to listen: what is announced before that is lost.
  await listener.askTime();
  return elsewhere;
}

test('each server knows the streams of the others, without its own', async () => {
  const [first, second, third] = [await startServer(), await startServer(), await startServer()];
  await first.announce([
    ['org_a', 7],
    ['org_b', 5],
  ]);
  await second.announce([['org_a', 10]]);
  await until(() => third.count('org_a') === 17, 'the third knows both');
  await until(() => first.count('org_a') === 10 && second.count('org_a') === 7, 'and they each other');
  await first.announce([['org_b', 6]]);
  await until(() => third.count('org_b') === 6, 'the next announcement takes the place of the one before');
  assert.equal(third.count('org_a'), 10);
});

test('a silent server counts as having no streams', async () => {
  const [first, second] = [await startServer(), await startServer()];
  await first.announce([['org_c', 7]]);
  await until(() => second.count('org_c') === 7, 'the second knows');
  nowMs += 12_000;
  assert.equal(second.count('org_c'), 7);
  nowMs += 1;
  assert.equal(second.count('org_c'), 0);
});

test('a thousand counts fit into PostgreSQL notifications', async () => {
  const [first, second] = [await startServer(), await startServer()];
  const counts = Array.from({ length: 1_000 }, (_, i): StreamCount => [`${'x'.repeat(60)}${i}`, i + 1]);
  await first.announce(counts);
  await until(() => counts.every(([of, streams]) => second.count(of) === streams), 'the second knows all');
});
