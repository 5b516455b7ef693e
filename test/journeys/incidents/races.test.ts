// Some of the walks of `npm run simulate -- races`: whatever several do to one organization at the same moment, nobody gets an error of the
// server, nothing stays open or silent, and everything recovers and fails again as ever.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { startAppOfFile } from '#test/harness/app.ts';
import { prepareStage, type Stage, takeWalk } from '#test/races/take-walk.ts';
import { type Walk, wordsOf } from '#test/races/walk.ts';

let stage: Pick<Stage, 'app' | 'anna'>;
before(async () => {
  stage = await prepareStage(await startAppOfFile());
});

const WALKS: readonly Walk[] = [
  // Both wake the job of the group, and end with the row of the organization.
  { beginning: 'maintained', steps: ['maintenance is deleted', 'the group forgets the shop'] },
  { beginning: 'calm', steps: ['shop is paused', 'shop fails'] },
  { beginning: 'failing', steps: ['the incident is acknowledged', 'shop is deleted', 'shop fails'] },
];

for (const walk of WALKS)
  test(`at the same moment, ${wordsOf(walk)}`, async () => {
    assert.deepEqual(await takeWalk(stage, walk), []);
  });
