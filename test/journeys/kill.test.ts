// kill -9 of the server and of all of PostgreSQL in the middle of ingest, with real processes and real time: nothing
// acknowledged is missing, nothing is counted twice, the open incident stays the only one, the spool fills the time
// between (issue: bad input and faults).
import { test } from 'node:test';
import { startSiege } from '../siege.ts';

test('kill -9 of the server in the middle of ingest loses and doubles nothing', async () => {
  await using siege = await startSiege();
  await siege.underFire();
  await siege.killServer();
  await siege.restart();
  await siege.assertNothingLost();
});

test('kill -9 of all of PostgreSQL in the middle of ingest loses and doubles nothing', async () => {
  await using siege = await startSiege();
  await siege.underFire();
  await siege.killPostgres();
  await siege.recovered();
  await siege.assertNothingLost();
});
