// Some of the walks of `npm run simulate -- hosts`: whatever an agent sends, repeats or does not send in whatever order, its host and its
// monitors are what a second reckoning of the rules says.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { takeWalk } from '#test/hosts/take-walk.ts';
import { wordsOf, writeWalk } from '#test/hosts/walk.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

for (const seed of [3, 4]) {
  const walk = writeWalk(seed, 15);
  test(`after every step of walk ${seed}, a host and its monitors are what the rules call for`, async () => {
    assert.deepEqual(await takeWalk(app, walk), [], wordsOf(walk));
  });
}
