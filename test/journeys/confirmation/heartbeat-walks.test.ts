// Some of the walks of `npm run simulate -- heartbeats`: whatever a job sends or does not send in whatever order, its monitor has the checks
// and incidents that a second reckoning of the rules has.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { takeWalk } from '#test/heartbeats/take-walk.ts';
import { wordsOf, writeWalk } from '#test/heartbeats/walk.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

for (const seed of [3, 4]) {
  const walk = writeWalk(seed, 15);
  test(`after every step of walk ${seed}, a heartbeat has the checks and incidents that the rules call for`, async () => {
    assert.deepEqual(await takeWalk(app, walk), [], wordsOf(walk));
  });
}
