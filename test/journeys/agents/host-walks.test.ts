// Some of the walks of `npm run simulate -- hosts`: whatever an agent sends, repeats or does not send in whatever order, its host and its
// monitors are what a second reckoning of the rules says.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { closeAfterTests } from '#test/harness/database.ts';
import { type Stage, startStage, takeWalk } from '#test/hosts/take-walk.ts';
import { wordsOf, writeWalk } from '#test/hosts/walk.ts';

let stage: Stage;
before(async () => {
  stage = await startStage();
  closeAfterTests(() => Promise.resolve(stage[Symbol.asyncDispose]()));
});

for (const seed of [3, 4]) {
  const walk = writeWalk(seed, 15);
  test(`after every step of walk ${seed}, a host and its monitors are what the rules call for`, async () => {
    assert.deepEqual(await takeWalk(stage, walk), [], wordsOf(walk));
  });
}
