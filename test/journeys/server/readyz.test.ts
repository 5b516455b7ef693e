// What a load balancer and a supervisor ask.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

test('a server whose database has its schema is ready', async () => {
  const { status, body } = await app.visitor().send('GET', '/readyz');
  assert.equal(status, 200);
  assert.deepEqual(body, {
    ok: true,
    database: true,
    migrations: true,
    jobs: true,
    reason: null,
    results: true,
    results_paused_since_unix: null,
  });
});

test('while migrations are missing a server is not ready, and says which is the first', async (t) => {
  const { rows } = await sql<{ version: number; name: string; checksum: string }>`
    DELETE FROM schema_migrations WHERE version = (SELECT max(version) FROM schema_migrations)
    RETURNING version, name, checksum`.execute(app.db);
  const [row = assert.fail()] = rows;
  t.after(() =>
    sql`INSERT INTO schema_migrations (version, name, checksum)
      VALUES (${row.version}, ${row.name}, ${row.checksum})`.execute(app.db),
  );
  const { status, body } = await app
    .visitor()
    .send<{ migrations: boolean; reason: string }>('GET', '/readyz');
  assert.deepEqual([status, body.migrations], [503, false]);
  assert.match(
    body.reason,
    new RegExp(`^The database lacks 1 of the migrations of this version, the first is ${row.name}\\. Stop`),
  );
});

test('migrations of a newer version are no trouble: servers are replaced one by one', async (t) => {
  const version = 9_999;
  await sql`INSERT INTO schema_migrations (version, name, checksum) VALUES (${version}, '9999_later.sql', '')`.execute(
    app.db,
  );
  t.after(() => sql`DELETE FROM schema_migrations WHERE version = ${version}`.execute(app.db));
  assert.equal((await app.visitor().send('GET', '/readyz')).status, 200);
});
