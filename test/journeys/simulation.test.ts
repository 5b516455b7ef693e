// A small scripted world through the real ingest; `npm run simulate` plays larger ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../harness/app.ts';
import { play } from '../simulation/run.ts';
import { script } from '../simulation/world.ts';

const HOUR_MS = 3_600_000;

test('in a scripted world of outages, loss, cut links and skewed clocks every incident is the script’s, to the second', async () => {
  await using app = await startTestApp({ env: { LOCAL_PROBE: 'off' } });
  const outcome = await play(app, script(7, 24, 4 * HOUR_MS));
  assert.deepEqual(outcome.wrong, []);
  assert.equal(outcome.found, outcome.expected);
  assert.ok(outcome.found > 10, `only ${outcome.found} incidents: the world is too quiet to prove anything`);
  assert.ok(outcome.late > 0, 'nothing arrived late');
});
