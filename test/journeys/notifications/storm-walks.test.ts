// Some of the walks of `npm run simulate -- storms`: whatever fails, is held, acknowledged or deleted in whatever order, what needs
// somebody rings and has an open page, and nothing else does.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { closeAfterTests } from '#test/harness/database.ts';
import { type Stage, startStage, takeWalk } from '#test/storms/take-walk.ts';
import { wordsOf, writeWalk } from '#test/storms/walk.ts';

let stage: Stage;
before(async () => {
  stage = await startStage();
  closeAfterTests(() => Promise.resolve(stage[Symbol.asyncDispose]()));
});

// In both servers die and are late while they send, deliveries are replayed, and subscriptions and filters change. The first has
// people on call and servers that are late with mails, and in the second one dies with them.
for (const seed of [250, 828]) {
  const walk = writeWalk(seed, 25);
  test(`at every moment of walk ${seed}, what needs somebody rings and is paged, and nothing else`, async () => {
    assert.deepEqual(await takeWalk(stage, walk), [], wordsOf(walk));
  });
}
