// Some of the walks of `npm run simulate -- on-call`: whatever is changed in whatever order while alarms ring, those on duty, those who would
// be notified, and every mail and push are what a second reckoning of the rules says.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { closeAfterTests } from '#test/harness/database.ts';
import { type Stage, startStage } from '#test/on-call/stage.ts';
import { takeWalk } from '#test/on-call/take-walk.ts';
import { wordsOf, writeWalk } from '#test/on-call/walk.ts';

let stage: Stage;
before(async () => {
  stage = await startStage();
  closeAfterTests(async () => stage[Symbol.asyncDispose]());
});

for (const seed of [1, 3]) {
  const walk = writeWalk(seed, 15);
  test(`after every step of walk ${seed}, those whom an alarm reaches are those whom the rules call for`, async () => {
    assert.deepEqual(await takeWalk(stage, walk), [], wordsOf(walk));
  });
}
