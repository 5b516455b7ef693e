// A backup holds the whole installation, and becomes one again (decisions, section 11).
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { readTables } from '../../src/backup/catalog.ts';
import { type RestoreOptions, restoreBackup } from '../../src/backup/restore.ts';
import { type BackupOptions, writeBackup } from '../../src/backup/write.ts';
import type { Monitor } from '../../src/monitors/contract.ts';
import { MIGRATIONS_DIR, migrate } from '../../src/platform/db/migrate.ts';
import { openPool } from '../../src/platform/db/pool.ts';
import { newId } from '../../src/platform/ids.ts';
import { openVault } from '../../src/platform/secrets.ts';
import { refuseOtherKey } from '../../src/refuse-other-key.ts';
import { PARTITIONED } from '../../src/retention.ts';
import { audit } from '../../src/watch.ts';
import { secretContext } from '../../src/webhooks/send.ts';
import { PASSWORD, SECRET_KEY, startAppOfFile, startNode, type TestApp } from '../harness/app.ts';
import { postgresProcesses } from '../harness/bundled-postgres.ts';
import { makeClient, signIn } from '../harness/client.ts';
import { silent } from '../harness/cluster.ts';
import { emptyDatabase, freshDatabase } from '../harness/database.ts';
import { ADMIN, startInstallation } from '../harness/installation.ts';
import { type LivedIn, liveIn, SECRETS } from '../harness/lived-in.ts';

let app: TestApp;
let lived: LivedIn;
let file: Buffer;
let rowsBefore: Record<string, string>;

before(async () => {
  app = await startAppOfFile();
  lived = await liveIn(app);
  // Nothing changes any more, so that what was backed up can be compared with what is there.
  await app.app.stop();
  file = await backup();
  rowsBefore = await everyRow(app.databaseUrl);
});

async function backup(options: Partial<BackupOptions> = {}): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  const usual = { url: app.databaseUrl, secretKey: SECRET_KEY, includeKey: true, version: '0.0.0' };
  await writeBackup({ ...usual, now: app.clock.now(), ...options }, sink);
  return Buffer.concat(chunks);
}

const restore = (url: string, options: Partial<RestoreOptions> = {}, bytes = file) =>
  restoreBackup({
    url,
    source: Readable.from([bytes]),
    secretKey: SECRET_KEY,
    saveKey: async () => assert.fail('there is a key already'),
    partitioned: PARTITIONED,
    ...options,
  });

/** A hash of the rows of every table. */
async function everyRow(url: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const hashes: Record<string, string> = {};
    for (const { name } of await readTables(client)) {
      const { rows } = await client.query(`SELECT t::text AS row FROM ${name} t ORDER BY 1`);
      const hash = createHash('sha256').update(JSON.stringify(rows)).digest('hex');
      hashes[name] = `${rows.length} rows ${hash}`;
    }
    return hashes;
  } finally {
    await client.end();
  }
}

/** All but the incarnation: probes that outlive a restore must not take one database for the other. */
function assertAsBefore(restored: Record<string, string>): void {
  assert.notEqual(restored.installation, rowsBefore.installation);
  assert.deepEqual({ ...restored, installation: '' }, { ...rowsBefore, installation: '' });
}

async function ask(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

const tablesOf = (url: string) => everyRow(url).then((rows) => Object.keys(rows).length);

test('every row of every table is restored as it was', async () => {
  await using database = await emptyDatabase();
  const { rows, tables } = await restore(database.url);
  const restored = await everyRow(database.url);
  assertAsBefore(restored);
  assert.equal(tables, Object.keys(rowsBefore).length);
  assert.ok(rows > 50, `${rows} rows`);
  for (const table of ['checks', 'incidents', 'deliveries', 'activity', 'api_keys', 'invitations'])
    assert.doesNotMatch(restored[table] ?? '', /^(0 rows|$)/, `${table} was not filled`);
});

test('a restored installation serves: passwords, keys, secrets, numbers, waiting deliveries', async () => {
  await using database = await emptyDatabase();
  await restore(database.url);
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
  const { auth } = stored.config as { auth: { password: string } };
  assert.equal(
    opened.open(auth.password, `monitor ${lived.monitorId} config.auth.password`),
    SECRETS.auth.password,
  );

  // Stored jobs are not in the file: what waited is found and added again.
  app.clock.advance(3_600_000);
  const found = await audit({ db: node.db, clock: app.clock.now, log: silent });
  assert.ok(found > 0, 'the waiting delivery is not due');
});

test('a backup goes into a new installation only', async () => {
  const before = await everyRow(app.databaseUrl);
  await assert.rejects(restore(app.databaseUrl), /has people in it already/);
  assert.deepEqual(await everyRow(app.databaseUrl), before);

  // A server was started on it once, and nobody signed up.
  await using started = await freshDatabase();
  await ask(started.url, "INSERT INTO regions (slug, name, created_at) VALUES ('local', 'Local', now())");
  await restore(started.url);
  assertAsBefore(await everyRow(started.url));
});

test('an installation that a server runs on is refused', async () => {
  await using started = await freshDatabase();
  const server = openPool({ url: started.url, log: silent });
  await server.pool.query('SELECT 1');
  try {
    await assert.rejects(restore(started.url), /A Tocsin server is running/);
  } finally {
    await server.close();
  }
});

test('a file that is cut off or changed is refused and leaves nothing', async () => {
  await using database = await emptyDatabase();
  const tar = gunzipSync(file);
  const changed = Buffer.from(tar);
  changed.write('OLGA', changed.indexOf('olga'));
  const longer = Buffer.from(tar.toString('latin1').replace(/[^\n]*\tolga-[^\n]*\n/, ''), 'latin1');
  const wrong: [string, Buffer, RegExp][] = [
    ['cut off', file.subarray(0, file.length / 2), /no whole backup file|cut off/],
    [
      'without its end',
      gzipSync(tar.subarray(0, tar.indexOf('checksums.json'))),
      /checksums\.json is missing/,
    ],
    ['a changed row', gzipSync(changed), /checksum of its table/],
    ['shifted bytes', gzipSync(longer), /cannot be restored/],
    ['no backup at all', Buffer.from('something else'), /no whole backup file/],
    ['empty', Buffer.alloc(0), /no whole backup file|is missing/],
  ];
  for (const [what, bytes, sentence] of wrong) {
    await assert.rejects(restore(database.url, {}, bytes), sentence, what);
    assert.equal(await tablesOf(database.url), 0, what);
  }
});

test('another SECRET_KEY is refused; without one the key of the backup is taken', async () => {
  await using database = await emptyDatabase();
  await assert.rejects(
    restore(database.url, { secretKey: 'another key, which is long enough as well' }),
    /made under another SECRET_KEY/,
  );
  const without = await backup({ includeKey: false });
  await assert.rejects(restore(database.url, { secretKey: null }, without), /does not hold the SECRET_KEY/);
  assert.equal(await tablesOf(database.url), 0);

  const saved: string[] = [];
  await restore(database.url, {
    secretKey: null,
    saveKey: async (key) => {
      saved.push(key);
      return async () => undefined;
    },
  });
  assert.deepEqual(saved, [SECRET_KEY]);
});

test('a key that opens no stored secret is not the installation’s; one that opens some is', async () => {
  await using copy = await emptyDatabase();
  await restore(copy.url);
  const { db, close } = openPool({ url: copy.url, log: silent, size: 2 });
  try {
    const other = openVault('quite another key, long enough as well');
    await refuseOtherKey(db, openVault(SECRET_KEY));
    await assert.rejects(refuseOtherKey(db, other), /SECRET_KEY is not the one of this installation/);
    await db.deleteFrom('webhook_targets').execute();
    await assert.rejects(refuseOtherKey(db, other), /SECRET_KEY is not the one/, 'a monitor’s secrets alone');
    await refuseOtherKey(db, openVault(SECRET_KEY));
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
    await refuseOtherKey(db, other);
  } finally {
    await close();
  }
});

test('nobody takes what is written: the backup fails, and nothing else', async () => {
  const gone = new Writable({ write: (_chunk, _encoding, done) => done() });
  gone.destroy();
  const usual = { url: app.databaseUrl, secretKey: SECRET_KEY, includeKey: true, version: '0.0.0' };
  await assert.rejects(writeBackup({ ...usual, now: app.clock.now() }, gone));
});

test('a backup of an older version is restored and brought up to date; one of a newer is refused', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'tocsin-older-'));
  try {
    for (const name of readdirSync(MIGRATIONS_DIR).sort().slice(0, 8))
      copyFileSync(join(MIGRATIONS_DIR, name), join(dir, name));
    await using older = await emptyDatabase();
    await migrate(older.url, silent, dir);
    await ask(older.url, "INSERT INTO users (id, name, email) VALUES ('usr_1', 'Olga', 'olga@example.com')");
    const old = await backup({ url: older.url });

    await using database = await emptyDatabase();
    await restore(database.url, {}, old);
    assert.deepEqual(await migrate(database.url, silent), []);
    assert.match((await everyRow(database.url)).users ?? '', /^1 rows/);

    await using newer = await emptyDatabase();
    await assert.rejects(
      restore(newer.url, { migrationsDir: dir }),
      /made by a newer Tocsin \(0\.0\.0, schema 00/,
    );
    await using started = await freshDatabase();
    await assert.rejects(
      restore(started.url, {}, old),
      /of an older Tocsin .*no server has been started on/s,
    );
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test('without its key a backup does not tell it', async () => {
  const text = gunzipSync(await backup({ includeKey: false })).toString('latin1');
  assert.ok(!text.includes(SECRET_KEY));
  assert.ok(text.includes('secret_key_fingerprint'));
});

/** A `tocsin` process on a data directory; with `during` its standard input stays open. */
function tocsin(dataDir: string, words: string[], during?: (child: ChildProcess) => void) {
  return new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, '../../src/main.ts'), ...words], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    });
    const said = { out: '', err: '' };
    child.stdout.on('data', (chunk: Buffer) => {
      said.out += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      said.err += chunk.toString();
    });
    child.once('close', (code) => resolve({ code, ...said }));
    if (during) during(child);
    else child.stdin.end();
  });
}

test('the commands work beside a running server and without one, and leave no database running', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'tocsin-backup-'));
  const copy = join(dir, 'data');
  const path = join(dir, 'all.tocsin');
  const installation = await startInstallation({ env: { LOCAL_PROBE: 'off' } });
  const { dataDir } = installation;
  try {
    const made = await tocsin(dataDir, ['backup', path]);
    assert.match(
      made.err,
      /^Backed up [0-9,]+ rows of \d+ tables to .*all\.tocsin\.\nIt holds the secret key/,
    );
    assert.deepEqual([made.code, made.out, statSync(path).mode & 0o777], [0, '', 0o600]);
    assert.match((await tocsin(dataDir, ['backup', path])).err, /is there already.*--force/);
    assert.match((await tocsin(dataDir, ['plan', 'set', 'example', 'free'])).out, /now has the plan free/);
    const exported = join(dir, 'example');
    const left = await tocsin(dataDir, ['export', '--organization', 'example', '--to', exported]);
    assert.deepEqual(
      [left.code, statSync(join(exported, 'organization.jsonl')).mode & 0o777],
      [0, 0o600],
      left.err,
    );
    assert.match((await tocsin(dataDir, ['import', exported])).err, /The organization is here already/);
    assert.match((await tocsin(dataDir, ['import', dataDir])).err, /There is no organization\.jsonl in/);
    const reset = await tocsin(dataDir, ['user', 'reset-password', ADMIN.email]);
    assert.match(reset.out, /^http:\S+\n$/);
    const refused = await tocsin(dataDir, ['restore', path]);
    assert.deepEqual([refused.code, /Another Tocsin server/.test(refused.err)], [1, true], refused.err);
    await installation.interrupt();

    const listed = await tocsin(dataDir, ['plan']);
    assert.match(listed.out, /^example +free +org_\S+ +Example$/m, listed.err);
    assert.deepEqual(await postgresProcesses(dataDir), []);

    // Ctrl-C while it waits for its input.
    const stopped = await tocsin(join(dir, 'other'), ['restore', '-'], async (child) => {
      while ((await postgresProcesses(join(dir, 'other'))).length === 0) await pause(50);
      child.kill('SIGINT');
    });
    assert.deepEqual([stopped.code, stopped.err], [1, 'Interrupted; nothing was done.\n']);
    assert.deepEqual(await postgresProcesses(join(dir, 'other')), []);

    const restored = await tocsin(copy, ['restore', path]);
    assert.equal(restored.code, 0, restored.err);
    assert.equal(
      readFileSync(join(copy, 'secret-key'), 'utf8'),
      readFileSync(join(dataDir, 'secret-key'), 'utf8'),
    );
    const again = await startInstallation({ dataDir: copy, env: { LOCAL_PROBE: 'off' } });
    try {
      const organizations = await (await again.admin()).ok<{ slug: string }[]>('GET', '/me/organizations');
      assert.deepEqual(
        organizations.map(({ slug }) => slug),
        ['example'],
      );
    } finally {
      await again.interrupt();
    }
  } finally {
    await installation.remove();
    rmSync(dir, { recursive: true });
  }
});
