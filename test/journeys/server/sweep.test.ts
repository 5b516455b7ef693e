import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { DAY_MS } from '#src/domain/durations.ts';
import { taskList } from '#src/jobs.ts';
import { makePartition } from '#src/platform/db/partitions.ts';
import { openVault } from '#src/platform/secrets.ts';
import { CHECKS } from '#src/retention.ts';
import { keepPartitions } from '#src/server/job-auditor.ts';
import { silent } from '#test/harness/cluster.ts';
import { freshDatabase } from '#test/harness/database.ts';

test('a part of the nightly sweep that fails keeps no other from being swept, and the job fails', async () => {
  await using database = await freshDatabase();
  const { db } = database;
  const now = new Date();
  const old = new Date(now.getTime() - 40 * DAY_MS);
  await sql`INSERT INTO troubles (kind, subject, data, began_at, ended_at) VALUES ('disk_full', '', '{}', ${old}, ${old})`.execute(
    db,
  );
  await makePartition(db, CHECKS, new Date(now.getTime() - DAY_MS));
  await sql`ALTER TABLE alarm_holds RENAME TO alarm_holds_elsewhere`.execute(db);
  const shownAt = { vault: openVault('x'.repeat(32)), baseUrl: 'http://127.0.0.1' };
  const { sweep } = taskList({ db, clock: () => now, log: silent, shownAt });
  await assert.rejects(sweep(), /alarm_holds/);
  assert.deepEqual(await db.selectFrom('troubles').select('no').execute(), []);
});

test('a clock that is a year ahead for an hour of the night sweeps nothing, and a day later it does', async () => {
  await using database = await freshDatabase();
  const { db } = database;
  const ahead = new Date(Date.now() + 365 * DAY_MS);
  let now = ahead;
  const ended = new Date();
  await sql`INSERT INTO troubles (kind, subject, data, began_at, ended_at) VALUES ('disk_full', '', '{}', ${ended}, ${ended})`.execute(
    db,
  );
  const shownAt = { vault: openVault('x'.repeat(32)), baseUrl: 'http://127.0.0.1' };
  const { sweep } = taskList({ db, clock: () => now, log: silent, shownAt });
  await keepPartitions(db, now);
  await sweep();
  assert.equal((await db.selectFrom('troubles').select('no').execute()).length, 1);
  now = new Date(ahead.getTime() + DAY_MS);
  await keepPartitions(db, now);
  await sweep();
  assert.deepEqual(await db.selectFrom('troubles').select('no').execute(), []);
});
