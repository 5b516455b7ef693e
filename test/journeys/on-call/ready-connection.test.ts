// An alarm after a calm night: the connections that ran the last one are gone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { makeReady } from '#src/platform/db/keep-ready.ts';
import { makeAlarmScene } from '#test/harness/alarm-scene.ts';
import { startAppOfFile } from '#test/harness/app.ts';

test('a new connection can plan every statement of an alarm ahead of time', async () => {
  const app = await startAppOfFile();
  const scene = await makeAlarmScene(app);
  const monitor = await scene.create({ name: 'Shop' });
  await scene.say(monitor, 'down', 'down', 'up', 'up');
  // Every idle connection.
  const pids = sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'idle' AND application_name = 'tocsin'`;
  await pids.execute(app.db);
  await sql`SELECT 1`.execute(app.db);
  const { missing, refused } = await makeReady(app.db);
  assert.equal(refused, 0);
  assert.ok(missing > 30, `${missing}`);
});
