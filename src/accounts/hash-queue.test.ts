import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '../platform/refusals.ts';
import { type HashedFor, makeHashQueue } from './hash-queue.ts';

const stranger = (who: string): HashedFor => ({ who, known: false });
const known = (who: string): HashedFor => ({ who, known: true });

/** A queue whose computations end by hand, in the order they began; `log` says who began, and who was refused. */
function handQueue(atOnce: number, maxWaiting: number) {
  const queue = makeHashQueue(atOnce, maxWaiting);
  const log: string[] = [];
  const running: (() => void)[] = [];
  const settled = () => new Promise((done) => setImmediate(done));
  return {
    log,
    async ask(...all: HashedFor[]) {
      for (const each of all)
        queue(each, () => {
          log.push(each.who);
          return new Promise<void>((end) => running.push(end));
        }).catch((error: unknown) => log.push(`no ${each.who}: ${(error as Refusal).status}`));
      await settled();
    },
    async endAll() {
      for (let end = running.shift(); end; end = running.shift()) {
        end();
        await settled();
      }
    },
  };
}

test('hashes run up to the allowed number at once, and a single caller gets all slots, in order', async () => {
  const queue = makeHashQueue(2, 10);
  const order: number[] = [];
  let running = 0;
  let most = 0;
  await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      queue(stranger('a'), async () => {
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

test('beyond the queue callers are told when to retry, and a failure frees its slot', async () => {
  const queue = makeHashQueue(1, 1);
  const gates: (() => void)[] = [];
  const held = () => queue(stranger('a'), () => new Promise<void>((open) => gates.push(open)));
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
    queue(stranger('a'), () => Promise.reject(new Error('broken'))),
    /broken/,
  );
  assert.equal(await queue(stranger('a'), async () => 7), 7);
});

test('a known person precedes strangers who came first, however many addresses they use', async () => {
  const { ask, endAll, log } = handQueue(1, 10);
  await ask(stranger('s1'), stranger('s2'), stranger('s3'), known('k'));
  await endAll();
  assert.deepEqual(log, ['s1', 'k', 's2', 's3']);
});

test('strangers get one turn in four, however many known people come', async () => {
  const { ask, endAll, log } = handQueue(1, 20);
  await ask(known('k0'), ...[1, 2, 3, 4, 5, 6].map((i) => known(`k${i}`)), stranger('s1'), stranger('s2'));
  await endAll();
  assert.deepEqual(log, ['k0', 'k1', 'k2', 'k3', 's1', 'k4', 'k5', 'k6', 's2']);
});

test('of two strangers, the one with a single request does not wait for the one with many', async () => {
  const { ask, endAll, log } = handQueue(1, 10);
  await ask(...Array<HashedFor>(4).fill(stranger('greedy')), stranger('once'));
  await endAll();
  assert.deepEqual(log, ['greedy', 'once', 'greedy', 'greedy', 'greedy']);
});

test('in a full queue a known person replaces a stranger, even one with a single request', async () => {
  const { ask, endAll, log } = handQueue(1, 3);
  await ask(stranger('s1'), stranger('s2'), stranger('s3'), stranger('s4'), known('k'));
  assert.deepEqual(log, ['s1', 'no s4: 503']);
  await endAll();
  assert.deepEqual(log.slice(2), ['k', 's2', 's3']);
});

test('in a full queue a newcomer replaces only a caller with at least two more requests', async () => {
  const { ask, endAll, log } = handQueue(1, 3);
  await ask(stranger('s1'), ...Array<HashedFor>(3).fill(stranger('greedy')));
  await ask(stranger('once'), stranger('greedy'), stranger('other'), stranger('late'));
  assert.deepEqual(log, ['s1', 'no greedy: 503', 'no greedy: 503', 'no greedy: 503', 'no late: 503']);
  await endAll();
  assert.deepEqual(log.slice(5), ['greedy', 'once', 'other']);
});

test('a full queue of known people admits no stranger, and is fair among them', async () => {
  const { ask, log } = handQueue(1, 2);
  await ask(known('a'), known('a'), known('a'), stranger('s'), known('b'));
  assert.deepEqual(log, ['a', 'no s: 503', 'no a: 503']);
});
