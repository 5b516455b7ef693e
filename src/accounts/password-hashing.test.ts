import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '../platform/refusals.ts';
import { makeHashQueue, passwordHash, passwordMatches } from './password-hashing.ts';

test('a password matches its own hash and no other', async () => {
  const [hash, other] = await Promise.all([passwordHash('correct horse'), passwordHash('correct horse')]);
  assert.notEqual(hash, other);
  assert.equal(await passwordMatches({ hash, password: 'correct horse' }), true);
  assert.equal(await passwordMatches({ hash, password: 'Correct horse' }), false);
});

test('hashing does not hold the event loop', async () => {
  let done = false;
  const hashing = passwordHash('correct horse').finally(() => {
    done = true;
  });
  // On the loop itself it would be done with the first or second of its turns.
  let turns = 0;
  for (; !done; turns++) await new Promise((next) => setImmediate(next));
  await hashing;
  assert.ok(turns > 20, `${turns} turns`);
});

test('no more than the allowed number run at once, all get their turn, in order', async () => {
  const queue = makeHashQueue(2, 10);
  const order: number[] = [];
  let running = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      queue(async () => {
        most = Math.max(most, ++running);
        order.push(i);
        await Promise.resolve();
        running--;
      }),
    ),
  );
  assert.equal(most, 2);
  assert.deepEqual(order, [...Array(12).keys()]);
});

test('beyond the queue it says when to come back, and a failure gives its place free', async () => {
  const queue = makeHashQueue(1, 1);
  const gates: (() => void)[] = [];
  const held = () => queue(() => new Promise<void>((open) => gates.push(open)));
  const first = held();
  const second = held();
  await assert.rejects(held(), (error) => {
    assert.ok(error instanceof Refusal);
    assert.deepEqual([error.status, error.details.retryAfterSeconds], [503, 2]);
    return true;
  });
  gates[0]?.();
  await first;
  await new Promise((done) => setImmediate(done));
  gates[1]?.();
  await second;
  await assert.rejects(
    queue(() => Promise.reject(new Error('broken'))),
    /broken/,
  );
  assert.equal(await queue(async () => 7), 7);
});
