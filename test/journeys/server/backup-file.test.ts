// What lies in a backup file and what does not, and who can open it.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import pg from 'pg';
import { extract, pack as tarPack } from 'tar-stream';
import { readTables } from '#src/installation-backup/catalog.ts';
import { BACKED_UP, BLANKED, LEFT_OUT } from '#src/installation-backup/left-out.ts';
import type { RestoreOptions } from '#src/installation-backup/restore.ts';
import { openPool } from '#src/platform/db/pool.ts';
import { SECRET_KEY, type TestApp } from '#test/harness/app.ts';
import { type BackedUp, backedUp, ENCRYPTION, everyRow, keeper, tablesOf } from '#test/harness/backup.ts';
import { silent } from '#test/harness/cluster.ts';
import { emptyDatabase } from '#test/harness/database.ts';
import type { LivedIn } from '#test/harness/lived-in.ts';

const AGE = spawnSync('age', ['--version']).status === 0;

let backed: BackedUp;
let app: TestApp;
let lived: LivedIn;

before(async () => {
  backed = await backedUp();
  ({ app, lived } = backed);
});

test('a truncated or changed file is refused and leaves nothing', async () => {
  await using database = await emptyDatabase();
  const tar = gunzipSync(backed.file);
  const changed = Buffer.from(tar);
  changed.write('OLGA', changed.indexOf('olga'));
  const longer = Buffer.from(tar.toString('latin1').replace(/[^\n]*\tolga-[^\n]*\n/, ''), 'latin1');
  const wrong: [string, Buffer, RegExp][] = [
    ['cut off', backed.file.subarray(0, backed.file.length / 2), /no whole backup file|cut off/],
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
    await assert.rejects(backed.restore(database.url, {}, bytes), sentence, what);
    assert.equal(await tablesOf(database.url), 0, what);
  }
});

test('an encrypted backup opens only with its passphrase', async () => {
  await using database = await emptyDatabase();
  const locked = await backed.backup({
    encryption: ENCRYPTION,
    includeKey: true,
    earlierSecretKeys: ['one before it'],
  });
  assert.match(locked.toString('latin1'), /^age-encryption\.org\/v1\n-> scrypt /);
  const open = (passphrase: string | null, options: Partial<RestoreOptions> = {}, bytes = locked) =>
    backed.restore(database.url, { opening: { passphrase, identities: [] }, ...options }, bytes);
  await assert.rejects(open(null), /encrypted with a passphrase.*--passphrase-file.*Nothing was changed/s);
  await assert.rejects(open('wrong horse battery staple'), /passphrase is not the one.*Nothing was changed/s);
  const tampered = Buffer.from(locked);
  tampered[locked.length - 100] = (tampered.at(-100) ?? 0) ^ 1;
  const header = Buffer.from(locked);
  header[60] = 0x41 + ((header[60] ?? 0) % 20);
  for (const bytes of [locked.subarray(0, locked.length - 1000), locked.subarray(0, 100), tampered, header])
    await assert.rejects(open(ENCRYPTION.passphrase, {}, bytes), /Nothing was changed/);
  assert.equal(await tablesOf(database.url), 0);

  const { saved, saveKeys } = keeper();
  await open(ENCRYPTION.passphrase, { secretKeys: [], saveKeys });
  assert.deepEqual(saved, [SECRET_KEY, 'one before it']);
  backed.assertAsBefore(await everyRow(database.url));
});

test('a backup for recipients opens with the identity of any of them', async () => {
  await using database = await emptyDatabase();
  const identities = await Promise.all([generateIdentity(), generateIdentity(), generateIdentity()]);
  const [ours = '', theirs = '', nobodys = ''] = identities;
  const recipients = await Promise.all([ours, theirs].map(identityToRecipient));
  const locked = await backed.backup({ encryption: { recipients } });
  const open = (...given: string[]) =>
    backed.restore(
      database.url,
      { opening: { passphrase: ENCRYPTION.passphrase, identities: given } },
      locked,
    );
  await assert.rejects(open(), /encrypted for age recipients.*--identity FILE/s);
  await assert.rejects(open(nobodys), /for other recipients/);
  await assert.rejects(open('AGE-SECRET-KEY-1NONSENSE'), /no age identity/);
  assert.equal(await tablesOf(database.url), 0);
  await open(nobodys, theirs);
  backed.assertAsBefore(await everyRow(database.url));
});

test('recipients are validated before anything is written', async () => {
  const recipients = ['age1nonsense'];
  await assert.rejects(
    backed.backup({ encryption: { recipients } }),
    /"age1nonsense" is not an age recipient/,
  );
  const mistaken = [await generateIdentity()];
  await assert.rejects(backed.backup({ encryption: { recipients: mistaken } }), (error: Error) => {
    assert.doesNotMatch(error.message, new RegExp(mistaken[0] ?? ''));
    return /"AGE-SECRET-KEY-…" is not an age recipient/.test(error.message);
  });
  await assert.rejects(backed.backup({ encryption: { passphrase: 'short' } }), /fewer than 12 characters/);
  await assert.rejects(backed.backup({ includeKey: true }), /goes into an encrypted backup only/);
});

test('the age command opens a backup', { skip: AGE ? false : 'there is no age command' }, async () => {
  const dir = mkdtempSync(join(tmpdir(), 'tocsin-age-'));
  try {
    const identity = await generateIdentity();
    writeFileSync(join(dir, 'identity'), `${identity}\n`);
    const locked = await backed.backup({ encryption: { recipients: [await identityToRecipient(identity)] } });
    writeFileSync(join(dir, 'backup'), locked);
    const plain = execFileSync('age', ['--decrypt', '-i', join(dir, 'identity'), join(dir, 'backup')]);
    await using database = await emptyDatabase();
    await backed.restore(database.url, {}, plain);
    backed.assertAsBefore(await everyRow(database.url));
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test('every table is either in a backup or left out of it', async () => {
  const client = new pg.Client({ connectionString: app.databaseUrl });
  await client.connect();
  try {
    const tables = await readTables(client);
    const listed = [...BACKED_UP, ...LEFT_OUT].sort();
    assert.deepEqual(
      tables.map(({ name }) => name).sort(),
      listed,
      'a new table goes into src/installation-backup/left-out.ts',
    );
    for (const [table, columns] of Object.entries(BLANKED))
      for (const column of columns)
        assert.ok(tables.find(({ name }) => name === table)?.columns.includes(column), `${table}.${column}`);
  } finally {
    await client.end();
  }
});

test('a backup contains no sessions, one-time values or failed sign-ins', async () => {
  await using copy = await emptyDatabase();
  await backed.restore(copy.url);
  const { db, close } = openPool({ url: copy.url, log: silent, size: 2 });
  try {
    await db
      .insertInto('verifications')
      .values({ id: 'v', identifier: 'i', value: 'one-time-value', expires_at: new Date() })
      .execute();
    await db
      .updateTable('installation')
      .set({ setup_token_hash: Buffer.from('setup-token') })
      .execute();
    await db
      .insertInto('sessions')
      .values({ id: 's', user_id: lived.owner.userId, token: 'session-token', expires_at: new Date() })
      .execute();
    const text = gunzipSync(await backed.backup({ url: copy.url })).toString('latin1');
    assert.ok(text.includes(lived.owner.email));
    const hex = Buffer.from('setup-token').toString('hex');
    for (const secret of ['one-time-value', hex, 'session-token', SECRET_KEY])
      assert.ok(!text.includes(secret), secret);
  } finally {
    await close();
  }
});

const copied = (value: unknown) => (value instanceof Date ? value.toISOString() : (value ?? '\\N'));

/** A plain backup as earlier versions made it: with the secret key in it, and with a session. */
async function asBefore(): Promise<{ bytes: Buffer; token: string }> {
  const token = 'a-session-of-an-earlier-version';
  const tar = tarPack();
  const chunks: Buffer[] = [];
  const gathered = (async () => {
    for await (const chunk of tar) chunks.push(chunk as Buffer);
  })();
  const entries = Readable.from([gunzipSync(backed.file)]).pipe(extract());
  const add = (name: string, content: Buffer) => tar.entry({ name }, content);
  let header: { tables: { name: string; columns: string[] }[] } = { tables: [] };
  let session = '';
  for await (const entry of entries) {
    const content = await buffer(entry);
    const { name } = entry.header;
    if (name === 'checksums.json') {
      const checksums = JSON.parse(content.toString());
      const sha256 = createHash('sha256').update(session).digest('hex');
      checksums.tables.sessions = { rows: 1, sha256 };
      add(name, Buffer.from(JSON.stringify(checksums)));
      continue;
    }
    // What a table refers to comes before it.
    const next = header.tables.findIndex((table) => name.startsWith(`tables/${table.name}/`));
    const at = header.tables.findIndex((table) => table.name === 'sessions');
    if (session === '' && next > at) {
      const row: Record<string, unknown> = { id: 'ses_1', user_id: lived.owner.userId, token };
      const dates = ['expires_at', 'created_at', 'updated_at'];
      const columns = header.tables[at]?.columns ?? [];
      session = `${columns.map((column) => copied(dates.includes(column) ? new Date('2100-01-01') : row[column])).join('\t')}\n`;
      add('tables/sessions/000001.copy', Buffer.from(session));
    }
    add(name, content);
    if (name === 'tocsin-backup.json') {
      header = JSON.parse(content.toString());
      add('secret-key', Buffer.from(`${SECRET_KEY}\n`));
    }
  }
  tar.finalize();
  await gathered;
  return { bytes: gzipSync(Buffer.concat(chunks)), token };
}

test('a backup of an earlier version restores with the key in it, but without its sessions', async () => {
  const { bytes, token } = await asBefore();
  assert.ok(gunzipSync(bytes).includes(token));
  await using database = await emptyDatabase();
  const { saved, saveKeys } = keeper();
  const { rows } = await backed.restore(database.url, { secretKeys: [], saveKeys }, bytes);
  assert.deepEqual(saved, [SECRET_KEY]);
  assert.ok(rows > 50);
  backed.assertAsBefore(await everyRow(database.url));
  const { db, close } = openPool({ url: database.url, log: silent, size: 1 });
  try {
    assert.deepEqual(await db.selectFrom('sessions').selectAll().execute(), []);
  } finally {
    await close();
  }
});
