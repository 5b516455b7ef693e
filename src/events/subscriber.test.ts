import assert from 'node:assert/strict';
import { test } from 'node:test';
import { laggingSubscribers, noteLag, type Subscriber } from './subscriber.ts';

const MIB = 1024 * 1024;
const reader = (writableLength: number) =>
  ({ response: { writableLength, destroyed: false }, beatsBehind: 0 }) as unknown as Subscriber;

test('a reader with more pending than allowed is disconnected, and nobody else', () => {
  const [well, slow, deaf] = [reader(0), reader(MIB / 2), reader(MIB + 1)];
  assert.deepEqual([...laggingSubscribers([well, slow, deaf])], [deaf]);
});

test('many readers slightly behind are disconnected, furthest behind first, until the total fits', () => {
  const slow = Array.from({ length: 100 }, () => reader(0.9 * MIB));
  const well = reader(1000);
  const cut = laggingSubscribers([well, ...slow]);
  assert.ok(!cut.has(well));
  assert.equal(100 - cut.size, Math.floor(64 / 0.9));
});

test('a reader who is behind at every check does not read, however little is pending', () => {
  const deaf = reader(10);
  for (let look = 1; look <= 4; look++) {
    assert.equal(laggingSubscribers([deaf]).size, 0);
    noteLag(deaf);
  }
  assert.deepEqual([...laggingSubscribers([deaf])], [deaf]);
  (deaf.response as { writableLength: number }).writableLength = 0;
  noteLag(deaf);
  assert.equal(laggingSubscribers([deaf]).size, 0, 'it has read on');
});
