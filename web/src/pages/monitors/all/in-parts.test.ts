import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inParts } from './in-parts.ts';

test('what was done before a part failed is known, and nothing is sent after it', async () => {
  const sent: string[] = [];
  const lost = new Error('lost');
  const sendPart = async (left: readonly string[], before: number) => {
    sent.push(`${before}: ${left.join('')}`);
    if (before === 2) throw lost;
    return left.slice(0, 2).map((each) => each.toUpperCase());
  };
  assert.deepEqual(await inParts([...'abcde'], 2, sendPart), { answers: ['A', 'B'], failure: { why: lost } });
  assert.deepEqual(sent, ['0: abcde', '2: cde']);
  assert.deepEqual(await inParts([...'ab'], 2, sendPart), { answers: ['A', 'B'], failure: null });
  assert.deepEqual(await inParts([], 2, sendPart), { answers: [], failure: null });
});
