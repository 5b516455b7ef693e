// Open views of the dashboard show within seconds what they show when they are loaded anew (`npm run simulate -- live` takes more).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { noBrowser } from '#test/harness/browser.ts';
import { startDashboardOfFile } from '#test/harness/dashboard.ts';
import { prepareStage, type Stage, takeWalk } from '#test/live/take-walk.ts';
import { type Walk, wordsOf } from '#test/live/walk.ts';

const skip = noBrowser();
let stage: Stage;
before(
  async () => {
    if (!skip) stage = await prepareStage(await startDashboardOfFile());
  },
  { timeout: 120_000 },
);

const WALKS: readonly Walk[] = [
  { beginning: 'maintained', views: ['the window'], steps: ['shop is deleted'] },
  { beginning: 'failing', views: ['overview'], steps: ['the group is deleted'] },
  { beginning: 'calm', views: ['overview', 'the shop'], steps: ['a change is announced', 'all are paused'] },
];

for (const walk of WALKS)
  test(`the views are current: ${wordsOf(walk)}`, { skip }, async () => {
    assert.deepEqual(await takeWalk(stage, walk), []);
  });
