// Some of the walks of `npm run simulate -- groups`: whatever becomes of members and groups in whatever order, each group has the status, the
// incidents and the uptime that a second reckoning of the rules has.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { takeWalk, WITHOUT_WORKERS } from '#test/groups/take-walk.ts';
import { wordsOf, writeWalk } from '#test/groups/walk.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile(WITHOUT_WORKERS);
});

for (const seed of [1, 2]) {
  const walk = writeWalk(seed, 12);
  test(`after every step of walk ${seed}, groups and their members are what the rules call for`, async () => {
    assert.deepEqual(await takeWalk(app, walk), [], wordsOf(walk));
  });
}
