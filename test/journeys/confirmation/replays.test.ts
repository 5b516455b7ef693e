// What a replay of the policy in force comes to, beside the incidents that there were; `npm run simulate` does it by the thousand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '#test/harness/app.ts';
import { makeHistory, REGIONS } from '#test/simulation/histories.ts';
import { replayAll } from '#test/simulation/replays.ts';
import { reportAll } from '#test/simulation/report.ts';

const FIRST = 300;
const COUNT = 40;

test('replays of random histories, with windows and probe faults, match the actual incidents', async () => {
  await using app = await startTestApp({ env: { LOCAL_PROBE: 'off' } });
  for (const region of REGIONS) await app.region(region);
  const histories = Array.from({ length: COUNT }, (_, i) => makeHistory(i + FIRST, { inTime: true }));
  const { monitors, wrong } = await reportAll(app, histories);
  assert.deepEqual(wrong, []);
  const replays = await replayAll(app, monitors);
  assert.ok(replays.alarms > COUNT / 2, `only ${replays.alarms} incidents`);
  assert.deepEqual(replays.wrong, []);
});
