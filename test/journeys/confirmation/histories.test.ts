// Random histories through the probes' endpoint agree with a recount; `npm run simulate` tells them by the thousand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '#test/harness/app.ts';
import { makeHistory, REGIONS } from '#test/simulation/histories.ts';
import { reportAll } from '#test/simulation/report.ts';

/** Among these are some that go wrong as soon as old results count, or windows are judged on arrival. */
const FIRST = 73;
const COUNT = 64;

test('random histories with late, duplicate and faulty results match a reference computation', async () => {
  await using app = await startTestApp({ env: { LOCAL_PROBE: 'off' } });
  for (const region of REGIONS) await app.region(region);
  const histories = Array.from({ length: COUNT }, (_, i) => makeHistory(i + FIRST));
  const { incidents, wrong } = await reportAll(app, histories);
  assert.ok(incidents > histories.length / 2, `only ${incidents} incidents`);
  assert.deepEqual(wrong, []);
});
