import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
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
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await Promise.all(Array.from({ length: 12 }, (_, i) => passwordHash(`password ${i}`)));
  delay.disable();
  // Twelve hashes on the loop itself would hold it for some 600 ms in a row, one for 50.
  assert.ok(delay.percentile(50) / 1e6 < 25, `median ${delay.percentile(50) / 1e6} ms`);
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
