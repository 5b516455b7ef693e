// Some of the walks of `npm run simulate -- heartbeats`: whatever a job sends or does not send in whatever order, its monitor has the checks
// and incidents that a second reckoning of the rules has.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { closeAfterTests } from '#test/harness/database.ts';
import { type Stage, startStage, takeWalk } from '#test/heartbeats/take-walk.ts';
import { wordsOf, writeWalk } from '#test/heartbeats/walk.ts';

let stage: Stage;
before(async () => {
  stage = await startStage();
  closeAfterTests(() => Promise.resolve(stage[Symbol.asyncDispose]()));
});

for (const seed of [3, 4]) {
  const walk = writeWalk(seed, 15);
  test(`after every step of walk ${seed}, a heartbeat has the checks and incidents that the rules call for`, async () => {
    assert.deepEqual(await takeWalk(stage, walk), [], wordsOf(walk));
  });
}
