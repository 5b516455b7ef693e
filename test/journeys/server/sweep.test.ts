import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { DAY_MS } from '#src/domain/durations.ts';
import { taskList } from '#src/jobs.ts';
import { openVault } from '#src/platform/secrets.ts';
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
  await sql`ALTER TABLE alarm_holds RENAME TO alarm_holds_elsewhere`.execute(db);
  const shownAt = { vault: openVault('x'.repeat(32)), baseUrl: 'http://127.0.0.1' };
  const { sweep } = taskList({ db, clock: () => now, log: silent, shownAt });
  await assert.rejects(sweep(), /alarm_holds/);
  assert.deepEqual(await db.selectFrom('troubles').select('no').execute(), []);
});
