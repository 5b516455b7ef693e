// Some of the walks of `npm run simulate -- maintenance`: whatever is planned, moved, cancelled and deleted in whatever order, the checks, the
// incidents and the uptime of a monitor are what a second reckoning of the rules says.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { takeWalk } from '#test/maintenance/take-walk.ts';
import { wordsOf, writeWalk } from '#test/maintenance/walk.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

for (const seed of [1, 7]) {
  const walk = writeWalk(seed, 15);
  test(`after every step of walk ${seed}, a monitor in maintenance is what the rules call for`, async () => {
    assert.deepEqual(await takeWalk(app, walk), [], wordsOf(walk));
  });
}
