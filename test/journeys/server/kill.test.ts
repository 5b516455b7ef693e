// kill -9 of the server and of all of PostgreSQL in the middle of ingest, with real processes and real time: nothing
// acknowledged is missing, nothing is counted twice, the open incident stays the only one, the spool fills the time
// between (issue: bad input and faults).
import { test } from 'node:test';
import { startUnderFire } from '#test/under-fire.ts';

test('kill -9 of the server during ingest loses and doubles nothing', async () => {
  await using scene = await startUnderFire();
  await scene.underFire();
  await scene.killServer();
  await scene.restart();
  await scene.assertNothingLost();
});

test('kill -9 of all of PostgreSQL during ingest loses and doubles nothing', async () => {
  await using scene = await startUnderFire();
  await scene.underFire();
  await scene.killPostgres();
  await scene.recovered();
  await scene.assertNothingLost();
});
