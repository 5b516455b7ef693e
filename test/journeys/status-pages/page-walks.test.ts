// Some of the walks of `npm run simulate -- pages`: whatever becomes of monitors, incidents, maintenance, pages and subscriptions in whatever
// order, visitors see and subscribers get what a second reckoning of the rules has.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { closeAfterTests } from '#test/harness/database.ts';
import { type Stage, startStage } from '#test/pages/stage.ts';
import { takeWalk } from '#test/pages/take-walk.ts';
import { wordsOf, writeWalk } from '#test/pages/walk.ts';

let stage: Stage;
before(async () => {
  stage = await startStage();
  closeAfterTests(() => Promise.resolve(stage[Symbol.asyncDispose]()));
});

for (const seed of [4, 8]) {
  const walk = writeWalk(seed, 10);
  test(`after every step of walk ${seed}, pages show and mails say what the rules call for`, async () => {
    assert.deepEqual(await takeWalk(stage, walk), [], wordsOf(walk));
  });
}
