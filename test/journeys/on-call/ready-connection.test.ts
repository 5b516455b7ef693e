// An alarm after a calm night: the connections that ran the last one may be gone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { makeReady } from '#src/platform/db/keep-ready.ts';
import { openPool } from '#src/platform/db/pool.ts';
import { makeAlarmScene } from '#test/harness/alarm-scene.ts';
import { startAppOfFile } from '#test/harness/app.ts';
import { silent } from '#test/harness/cluster.ts';

test('a new connection can plan every statement of an alarm ahead of time', async () => {
  const app = await startAppOfFile();
  const scene = await makeAlarmScene(app);
  const monitor = await scene.create({ name: 'Shop' });
  await scene.say(monitor, 'down', 'down', 'up', 'up');
  // A pool of its own has run none of its statements.
  const other = openPool({ url: app.databaseUrl, log: silent, size: 1 });
  await sql`SELECT 1`.execute(other.db);
  const { missing, refused } = await makeReady(other.db);
  await other.close();
  assert.equal(refused, 0);
  assert.ok(missing > 30, `${missing}`);
});
