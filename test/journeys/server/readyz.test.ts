// What a load balancer and a supervisor ask.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { remembered } from '#src/server/remembered.ts';
import { startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';
import { startCutLine } from '#test/harness/cut-line.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

/** A server remembers for a second what it asked its database. */
const aSecondLater = () => app.clock.advance(1_000);

test('a server whose database has its schema is ready', async () => {
  const { status, body } = await app.visitor().send('GET', '/readyz');
  assert.equal(status, 200);
  assert.deepEqual(body, {
    ok: true,
    roles: ['api', 'ingest', 'jobs', 'pages'],
    database: true,
    migrations: true,
    jobs: true,
    reason: null,
    results: true,
    results_paused_since_unix: null,
    replica: null,
  });
});

test('while migrations are missing a server is not ready, and says which is the first', async (t) => {
  const { rows } = await sql<{ version: number; name: string; checksum: string }>`
    DELETE FROM schema_migrations WHERE version = (SELECT max(version) FROM schema_migrations)
    RETURNING version, name, checksum`.execute(app.db);
  const [row = assert.fail()] = rows;
  aSecondLater();
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
    new RegExp(`^The database lacks 1 of the migrations of this version; the first is ${row.name}\\. Stop`),
  );
});

test('migrations of a newer version do not matter: servers are replaced one by one', async (t) => {
  const version = 9_999;
  await sql`INSERT INTO schema_migrations (version, name, checksum) VALUES (${version}, '9999_later.sql', '')`.execute(
    app.db,
  );
  t.after(() => sql`DELETE FROM schema_migrations WHERE version = ${version}`.execute(app.db));
  aSecondLater();
  assert.equal((await app.visitor().send('GET', '/readyz')).status, 200);
  await sql`UPDATE schema_migrations SET needs = ${version - 1} WHERE version = ${version}`.execute(app.db);
  aSecondLater();
  const { status, body } = await app.visitor().send<{ reason: string }>('GET', '/readyz');
  assert.equal(status, 503, 'unless they take away what this one reads');
  assert.match(body.reason, /9999_later\.sql takes away what this version reads\. Replace/);
});

test('an outage of the database is reported within a second, and so is its end', async () => {
  const line = await startCutLine();
  try {
    await using own = await startTestApp({ throughUrl: line.urlThrough });
    const status = async () => (await own.visitor().send('GET', '/readyz')).status;
    assert.equal(await status(), 200);
    await line.cut();
    own.clock.advance(999);
    assert.equal(await status(), 200, 'the database was not asked again');
    own.clock.advance(1);
    assert.equal(await status(), 503);
    await line.mend();
    own.clock.advance(1_000);
    assert.equal(await status(), 200);
  } finally {
    await line.stop();
  }
});

test('a server that only serves status pages stays ready while the database is down, and shows the last ones', async () => {
  const line = await startCutLine();
  try {
    await using own = await startTestApp({ throughUrl: line.urlThrough, roles: ['pages'] });
    await line.cut();
    own.clock.advance(1_000);
    const { status, body } = await own
      .visitor()
      .send<{ database: boolean; reason: string | null }>('GET', '/readyz');
    assert.deepEqual([status, body.database, body.reason], [200, false, null]);
  } finally {
    await line.stop();
  }
});

test('any number of requests check the database once a second, including one still in progress', async () => {
  let nowMs = 10_000;
  let asked = 0;
  const ask = remembered(
    1_000,
    () => new Date(nowMs),
    async () => ++asked,
  );
  assert.deepEqual(await Promise.all([ask(), ask(), ask()]), [1, 1, 1]);
  nowMs += 999;
  assert.equal(await ask(), 1);
  nowMs += 1;
  assert.equal(await ask(), 2);
  nowMs -= 5_000;
  assert.equal(await ask(), 3, 'a clock that was set back');
});
