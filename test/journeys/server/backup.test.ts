// A backup holds the whole installation, and becomes one again (docs/self-hosting.md).
import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { revokeAllKeys } from '#src/cli/revoke-keys.ts';
import { LEFT_OUT } from '#src/installation-backup/left-out.ts';
import { writeBackup } from '#src/installation-backup/write.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { openConfig } from '#src/monitors/sealing.ts';
import { TYPES } from '#src/monitors/types.ts';
import { secretContext } from '#src/notifications/delivery/send.ts';
import { MIGRATIONS_DIR, migrate } from '#src/platform/db/migrate.ts';
import { openPool } from '#src/platform/db/pool.ts';
import { newId } from '#src/platform/ids.ts';
import { openVault } from '#src/platform/secrets.ts';
import { SYSTEM } from '#src/platform/work.ts';
import { checkSecretKey } from '#src/secret-key/check-secret-key.ts';
import { audit } from '#src/server/job-auditor.ts';
import { PASSWORD, SECRET_KEY, startNode, type TestApp } from '#test/harness/app.ts';
import { type BackedUp, backedUp, ENCRYPTION, everyRow, tablesOf } from '#test/harness/backup.ts';
import { makeClient, signIn } from '#test/harness/client.ts';
import { silent } from '#test/harness/cluster.ts';
import { emptyDatabase, freshDatabase } from '#test/harness/database.ts';
import { type LivedIn, SECRETS } from '#test/harness/lived-in.ts';

let backed: BackedUp;
let app: TestApp;
let lived: LivedIn;

before(async () => {
  backed = await backedUp();
  ({ app, lived } = backed);
});

async function ask(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

test('every row of every table is restored as it was', async () => {
  await using database = await emptyDatabase();
  const { rows, tables } = await backed.restore(database.url);
  const restored = await everyRow(database.url);
  backed.assertAsBefore(restored);
  assert.equal(tables, Object.keys(backed.rowsBefore).length + LEFT_OUT.length);
  assert.ok(rows > 50, `${rows} rows`);
  for (const table of ['checks', 'incidents', 'deliveries', 'activity', 'api_keys', 'invitations'])
    assert.doesNotMatch(restored[table] ?? '', /^(0 rows|$)/, `${table} was not filled`);
});

test('a restored installation works: passwords, keys, secrets, numbers, waiting deliveries', async () => {
  await using database = await emptyDatabase();
  await backed.restore(database.url);
  await using stack = new AsyncDisposableStack();
  const node = await startNode(stack, database.url, app.clock, { LOCAL_PROBE: 'on' });
  const owner = makeClient(node.app.address);
  await signIn(owner, lived.owner.email, PASSWORD);

  const monitor = await makeClient(node.app.address).send<Monitor>(
    'GET',
    `/monitors/${lived.monitorId}`,
    undefined,
    { authorization: `Bearer ${lived.key}` },
  );
  assert.equal(monitor.status, 200);
  assert.equal(monitor.body.last_status, 'failed');

  const { no } = await node.db
    .selectFrom('monitors')
    .select((eb) => eb.fn.max('no').as('no'))
    .executeTakeFirstOrThrow();
  const body = { name: 'New', type: 'http', config: { url: 'https://new.example.com/' } };
  const made = await owner.ok<Monitor>('POST', `/projects/${lived.projectId}/monitors`, body);
  const row = await node.db
    .selectFrom('monitors')
    .select('no')
    .where('id', '=', made.id)
    .executeTakeFirstOrThrow();
  assert.ok(row.no > (no ?? 0), `${row.no} after ${no}`);

  const opened = openVault(SECRET_KEY);
  const target = await node.db
    .selectFrom('webhook_targets')
    .selectAll()
    .where('kind', '=', 'webhook')
    .executeTakeFirstOrThrow();
  assert.equal(opened.open(target.secret_sealed ?? '', `webhook ${target.id} secret`), lived.webhookSecret);
  const stored = await node.db
    .selectFrom('monitors')
    .select('config')
    .where('id', '=', lived.monitorId)
    .executeTakeFirstOrThrow();
  const http = TYPES.get('http');
  assert.ok(http);
  const { auth } = openConfig(http, stored.config as Record<string, unknown>, lived.monitorId, opened);
  assert.equal((auth as { password: string }).password, SECRETS.auth.password);

  // Stored jobs are not in the file: what waited is found and added again.
  app.clock.advance(3_600_000);
  const found = await audit({ db: node.db, clock: app.clock.now, log: silent });
  assert.ok(found > 0, 'the waiting delivery is not due');
});

test('a backup can only be restored into a new installation', async () => {
  const before = await everyRow(app.databaseUrl);
  await assert.rejects(backed.restore(app.databaseUrl), /has people in it already/);
  assert.deepEqual(await everyRow(app.databaseUrl), before);

  // A server was started on it once, and nobody signed up.
  await using started = await freshDatabase();
  await ask(started.url, "INSERT INTO regions (slug, name, created_at) VALUES ('local', 'Local', now())");
  await backed.restore(started.url);
  backed.assertAsBefore(await everyRow(started.url));
});

test('an installation with a running server is refused', async () => {
  await using started = await freshDatabase();
  const server = openPool({ url: started.url, log: silent });
  await server.pool.query('SELECT 1');
  try {
    await assert.rejects(backed.restore(started.url), /A Tocsin server is running/);
  } finally {
    await server.close();
  }
});

test('another SECRET_KEY is refused; without one the key of the backup is used', async () => {
  await using database = await emptyDatabase();
  await assert.rejects(
    backed.restore(database.url, { secretKeys: ['another key, which is long enough as well'] }),
    /made under another SECRET_KEY/,
  );
  await assert.rejects(backed.restore(database.url, { secretKeys: [] }), /does not hold the SECRET_KEY/);
  assert.equal(await tablesOf(database.url), 0);

  // Where the key was replaced since, the one of then is among those before it.
  await backed.restore(database.url, {
    secretKeys: ['another key, which is long enough as well', SECRET_KEY],
  });
});

test('what was being removed of deleted monitors and hosts is not restored', async () => {
  await using copy = await emptyDatabase();
  await using database = await emptyDatabase();
  await backed.restore(copy.url);
  await ask(
    copy.url,
    `INSERT INTO reported_times (bucket, monitor_no, rule_since, times)
       SELECT date_trunc('day', max(checked_at)), max(monitor_no), now(), '{}' FROM checks;
     DELETE FROM monitors; DELETE FROM agents`,
  );
  const before = await everyRow(copy.url);
  await backed.restore(database.url, {}, await backed.backup({ url: copy.url }));
  const after = await everyRow(database.url);
  for (const table of [
    ...['checks', 'check_responses', 'reported_times'],
    ...['agent_readings', 'agent_buckets_10m', 'agent_buckets_12h'],
  ]) {
    assert.doesNotMatch(before[table] ?? '', /^0 rows/, `${table} was not filled`);
    assert.match(after[table] ?? '', /^0 rows/, table);
  }
});

test('restored rights are counted, and every key and token can be revoked', async () => {
  await using database = await emptyDatabase();
  const { back } = await backed.restore(database.url);
  assert.ok(
    back.people >= 3 && back.members >= 3 && back.keys >= 1 && back.tokens >= 1,
    JSON.stringify(back),
  );
  const { db, close } = openPool({ url: database.url, log: silent, size: 2 });
  try {
    const revoked = await revokeAllKeys(db, app.clock.now(), SYSTEM);
    assert.deepEqual(revoked, { keys: back.keys, tokens: back.tokens });
    for (const table of ['api_keys', 'probe_tokens'] as const)
      assert.deepEqual(await db.selectFrom(table).selectAll().execute(), []);
    const { rows } =
      await sql`SELECT FROM activity WHERE action = 'api_key.revoke' AND org_id = ${lived.orgId}`.execute(db);
    assert.equal(rows.length, 1);
  } finally {
    await close();
  }
});

test('a key that opens no stored secret is not the installation’s; one that opens some is', async () => {
  await using copy = await emptyDatabase();
  await backed.restore(copy.url);
  const { db, close } = openPool({ url: copy.url, log: silent, size: 2 });
  try {
    const other = openVault('quite another key, long enough as well');
    await checkSecretKey(db, openVault(SECRET_KEY));
    await assert.rejects(checkSecretKey(db, other), /SECRET_KEY is not the one of this installation/);
    await db.deleteFrom('webhook_targets').execute();
    await assert.rejects(checkSecretKey(db, other), /SECRET_KEY is not the one/, 'a monitor’s secrets alone');
    await checkSecretKey(db, openVault(SECRET_KEY));
    // Who has lost a key enters the secrets anew, one after the other.
    const { id: org_id } = await db.selectFrom('organizations').select('id').executeTakeFirstOrThrow();
    const target = { id: newId('wht'), org_id, name: 'New', kind: 'webhook', url: 'https://x.example.com' };
    const secret_sealed = other.seal('whsec_new', secretContext(target.id));
    const more = {
      events: ['opened'],
      active: true,
      secret_sealed,
      secret_hint: '••••',
      created_at: new Date(),
    };
    await db
      .insertInto('webhook_targets')
      .values({ ...target, ...more })
      .execute();
    await checkSecretKey(db, other);
  } finally {
    await close();
  }
});

test('if nobody reads the output the backup fails, and nothing else', async () => {
  const gone = new Writable({ write: (_chunk, _encoding, done) => done() });
  gone.destroy();
  await assert.rejects(writeBackup(backed.plain(), gone));
  const fresh = new Writable({ write: (_chunk, _encoding, done) => done(new Error('the disk is full')) });
  await assert.rejects(writeBackup({ ...backed.plain(), encryption: ENCRYPTION }, fresh), /disk is full/);
});

/** A folder with the first migrations only; whoever asks removes it. */
function olderMigrations(): string {
  const dir = mkdtempSync(join(tmpdir(), 'tocsin-older-'));
  for (const name of readdirSync(MIGRATIONS_DIR).sort().slice(0, 8))
    copyFileSync(join(MIGRATIONS_DIR, name), join(dir, name));
  return dir;
}

test('a backup of an older version is restored and updated; one of a newer version is refused', async () => {
  const dir = olderMigrations();
  try {
    await using older = await emptyDatabase();
    await migrate(older.url, silent, { dir });
    await ask(older.url, "INSERT INTO users (id, name, email) VALUES ('usr_1', 'Olga', 'olga@example.com')");
    const old = await backed.backup({ url: older.url });

    await using database = await emptyDatabase();
    await backed.restore(database.url, {}, old);
    assert.deepEqual(await migrate(database.url, silent), []);
    assert.match((await everyRow(database.url)).users ?? '', /^1 rows/);

    await using newer = await emptyDatabase();
    await assert.rejects(
      backed.restore(newer.url, { migrationsDir: dir }),
      /made by a newer Tocsin \(0\.0\.0, schema 00/,
    );
    await using started = await freshDatabase();
    await assert.rejects(
      backed.restore(started.url, {}, old),
      /of an older Tocsin .*no server has been started on/s,
    );
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test('a database that only an older version was started on takes a backup of this one', async () => {
  const dir = olderMigrations();
  try {
    await using older = await emptyDatabase();
    await migrate(older.url, silent, { dir });
    await backed.restore(older.url);
    backed.assertAsBefore(await everyRow(older.url));
  } finally {
    rmSync(dir, { recursive: true });
  }
});
