import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FairQueue, type Ticket } from './fair-queue.ts';

const takeAll = <T>(queue: FairQueue<T>): Ticket<T>[] => {
  const tickets: Ticket<T>[] = [];
  for (let next = queue.take(); next; next = queue.take()) tickets.push(next);
  return tickets;
};

test('a single key gets at most its share, and leaves the rest to later ones', () => {
  const queue = new FairQueue<number>({ slots: 30, maxHeldPerFree: 2 });
  for (let i = 0; i < 100; i++) queue.enqueue('noisy', i);
  assert.equal(takeAll(queue).length, 20);
  queue.enqueue('quiet', 0);
  assert.equal(queue.take()?.key, 'quiet');
});

test('of two slots one key never holds both', () => {
  const queue = new FairQueue<number>({ slots: 2, maxHeldPerFree: 1 });
  for (let i = 0; i < 5; i++) queue.enqueue('noisy', i);
  const [first, ...more] = takeAll(queue);
  assert.equal(more.length, 0);
  queue.release(first!, 1000);
  assert.equal(takeAll(queue).length, 1);
});

test('among keys with equally many slots the one with the least cost is next', () => {
  const queue = new FairQueue<number>({ slots: 1, maxHeldPerFree: 1 });
  const cost: Record<string, number> = { dear: 1000, cheap: 10 };
  for (let i = 0; i < 100; i++) for (const key of ['dear', 'cheap']) queue.enqueue(key, i);
  const served = Array.from({ length: 60 }, () => {
    const next = queue.take()!;
    queue.release(next, cost[next.key]);
    return next.key;
  });
  assert.equal(served.filter((key) => key === 'dear').length, 1);
});

test('among keys with one request each, the one that has waited longest is next, however many follow', () => {
  const queue = new FairQueue<number>({ slots: 2, maxHeldPerFree: 2 });
  const under: Ticket<number>[] = [];
  for (let i = 0; i < 50; i++) queue.enqueue(`early ${i}`, i);
  const served: string[] = [];
  for (let i = 0; served.length < 60; i++) {
    queue.enqueue(`late ${i}`, i);
    const next = queue.take()!;
    served.push(next.key);
    under.push(next);
    if (under.length === 2) queue.release(under.shift()!, 1);
  }
  assert.deepEqual(
    served.slice(0, 50),
    Array.from({ length: 50 }, (_, i) => `early ${i}`),
  );
});

test('an absent key accumulates no credit', () => {
  const queue = new FairQueue<number>({ slots: 1, maxHeldPerFree: 1 });
  for (let i = 0; i < 100; i++) queue.enqueue('steady', i);
  for (let i = 0; i < 50; i++) queue.release(queue.take()!);
  for (let i = 0; i < 50; i++) queue.enqueue('returned', i);
  const keys = Array.from({ length: 20 }, () => {
    const next = queue.take()!;
    queue.release(next);
    return next.key;
  });
  assert.ok(keys.filter((key) => key === 'steady').length >= 9, keys.join());
});

test('a cancelled request is not served, and a slot released twice counts once', () => {
  const queue = new FairQueue<string>({ slots: 2, maxHeldPerFree: 2 });
  const gone = queue.enqueue('a', 'gone');
  const kept = queue.enqueue('a', 'kept');
  assert.equal(queue.cancel(gone), true);
  assert.equal(queue.cancel(gone), false);
  assert.equal(queue.take(), kept);
  assert.equal(queue.cancel(kept), false);
  queue.release(kept);
  queue.release(kept);
  assert.deepEqual([queue.held, queue.waiting, queue.heldBy('a')], [0, 0, 0]);
});

test('ten keys of one owner get as much as one key of another', () => {
  const queue = new FairQueue<number>({ slots: 30, maxHeldPerFree: 2 });
  for (let i = 0; i < 100; i++) queue.enqueue(`noisy ${i % 10}`, i, 'mallory');
  assert.equal(takeAll(queue).length, 19);
  for (let i = 0; i < 100; i++) queue.enqueue('quiet', i);
  assert.deepEqual(
    takeAll(queue).map(({ key }) => key),
    Array(8).fill('quiet'),
  );
});

test('a key leaves the last slot of its owner to a sibling', () => {
  const queue = new FairQueue<number>({ slots: 30, maxHeldPerFree: 2 });
  for (let i = 0; i < 100; i++) queue.enqueue('noisy', i, 'alice');
  assert.equal(takeAll(queue).length, 19);
  queue.enqueue('quiet', 0, 'alice');
  assert.equal(queue.take()?.key, 'quiet');
});

test('the cost of an owner’s key puts its siblings behind others, and the key behind its siblings', () => {
  const queue = new FairQueue<number>({ slots: 1, maxHeldPerFree: 1 });
  const serve = (cost: number) => {
    const next = queue.take()!;
    queue.release(next, cost);
    return next.key;
  };
  queue.enqueue('dear', 0, 'alice');
  queue.enqueue('other', 0, 'bob');
  for (let i = 0; i < 2; i++) {
    for (const key of ['dear', 'cheap']) queue.enqueue(key, i, 'alice');
    queue.enqueue('other', i, 'bob');
  }
  assert.equal(serve(1000), 'dear');
  assert.deepEqual([serve(1), serve(1), serve(1)], ['other', 'other', 'other']);
  assert.deepEqual([serve(1), serve(1), serve(1)], ['cheap', 'cheap', 'dear']);
});

test('an idle key may return with another owner', () => {
  const queue = new FairQueue<number>({ slots: 3, maxHeldPerFree: 1 });
  queue.enqueue('bob', 0);
  queue.enqueue('shop', 0, 'alice');
  for (const ticket of takeAll(queue)) if (ticket.key === 'shop') queue.release(ticket);
  queue.enqueue('blog', 0, 'alice');
  queue.enqueue('shop', 0, 'carol');
  assert.deepEqual(
    takeAll(queue)
      .map(({ key }) => key)
      .sort(),
    ['blog', 'shop'],
  );
});

type Step = { do: 'come' | 'take' | 'leave' | 'cancel'; key: string; nth: number; cost: number };
const steps = fc.array(
  fc.record<Step>({
    do: fc.constantFrom('come', 'come', 'take', 'take', 'leave', 'cancel'),
    key: fc.constantFrom('a', 'b', 'c', 'd'),
    nth: fc.nat(20),
    cost: fc.nat(100),
  }),
  { maxLength: 200 },
);

test('for any sequence: nothing is lost, no slot is given twice, and the key with the fewest gets the next', () => {
  fc.assert(
    fc.property(
      steps,
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom(1, 2),
      (given, slots, maxHeldPerFree) => {
        const queue = new FairQueue<number>({ slots, maxHeldPerFree });
        const waiting: Ticket<number>[] = [];
        const held: Ticket<number>[] = [];
        const count = (list: Ticket<number>[], key: string) => list.filter((one) => one.key === key).length;
        for (const step of given) {
          if (step.do === 'come') waiting.push(queue.enqueue(step.key, waiting.length));
          const [gone] = step.do === 'leave' && held.length > 0 ? held.splice(step.nth % held.length, 1) : [];
          if (gone) queue.release(gone, step.cost);
          const [off] =
            step.do === 'cancel' && waiting.length > 0 ? waiting.splice(step.nth % waiting.length, 1) : [];
          if (off) assert.equal(queue.cancel(off), true);
          if (step.do === 'take') {
            const free = slots - held.length;
            const waitingKeys = [...new Set(waiting.map(({ key }) => key))];
            const least = Math.min(...waitingKeys.map((key) => count(held, key)));
            const ticket = queue.take();
            assert.equal(
              ticket === undefined,
              !(least < maxHeldPerFree * free),
              'a slot is given exactly where one may be',
            );
            if (!ticket) continue;
            assert.equal(count(held, ticket.key), least, 'the one that holds the fewest');
            const first = waiting.find(({ key }) => key === ticket.key);
            assert.equal(ticket, first, 'first come, first served within a key');
            waiting.splice(waiting.indexOf(ticket), 1);
            held.push(ticket);
          }
          assert.deepEqual([queue.held, queue.waiting], [held.length, waiting.length]);
          assert.ok(held.length <= slots);
        }
      },
    ),
  );
});

test('for any sequence: no owner gets more than a key would, and a sibling waits only for its own owner', () => {
  fc.assert(
    fc.property(
      steps,
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom(1, 2),
      (given, slots, maxHeldPerFree) => {
        const ownerOf = (key: string) => (key < 'c' ? 'alice' : key);
        const queue = new FairQueue<number>({ slots, maxHeldPerFree });
        const held: Ticket<number>[] = [];
        for (const step of given) {
          if (step.do === 'come') queue.enqueue(step.key, 0, ownerOf(step.key));
          const [gone] = step.do === 'leave' && held.length > 0 ? held.splice(step.nth % held.length, 1) : [];
          if (gone) queue.release(gone, step.cost);
          if (step.do !== 'take') continue;
          const ofOwner = (key: string) => held.filter((one) => ownerOf(one.key) === ownerOf(key)).length;
          const free = slots - held.length;
          const ticket = queue.take();
          if (ticket) {
            assert.ok(ofOwner(ticket.key) < maxHeldPerFree * free, 'as for one key');
            const before = queue.heldBy(ticket.key) - 1;
            assert.ok(
              before === 0 || ofOwner(ticket.key) + 1 < maxHeldPerFree * (free - 1),
              'it leaves a slot',
            );
            held.push(ticket);
          } else
            for (const key of ['a', 'b', 'c', 'd'])
              if (queue.waitingOf(key) > 0 && queue.heldBy(key) === 0)
                assert.ok(ofOwner(key) >= maxHeldPerFree * free, 'its owner has all it may have');
        }
        assert.equal(queue.held, held.length);
      },
    ),
  );
});
