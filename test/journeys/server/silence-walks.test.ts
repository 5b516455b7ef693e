// Some of the walks of `npm run simulate -- silence`: whatever stops, returns or cannot be checked in whatever order, what nobody knows
// is shown and told as unknown, and nothing else is.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { closeAfterTests } from '#test/harness/database.ts';
import { type Stage, startStage } from '#test/silence/stage.ts';
import { takeWalk } from '#test/silence/take-walk.ts';
import { wordsOf, writeWalk } from '#test/silence/walk.ts';

let stage: Stage;
before(async () => {
  stage = await startStage();
  closeAfterTests(() => Promise.resolve(stage[Symbol.asyncDispose]()));
});

for (const seed of [8, 15]) {
  const walk = writeWalk(seed, 6);
  test(`at every moment of walk ${seed}, what nobody knows is shown and told as unknown, and nothing else`, async () => {
    assert.deepEqual(await takeWalk(stage, walk), [], wordsOf(walk));
  });
}
