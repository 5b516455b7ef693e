// The commands that open a database, on one whose schema is not theirs; `tocsin migrate --plan`.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { freshDatabase } from '#test/harness/database.ts';
import { programPath } from '#test/harness/program.ts';
import { planWords } from './plan-words.ts';

const dir = mkdtempSync(join(tmpdir(), 'tocsin-migrate-'));
after(() => rmSync(dir, { recursive: true }));

function tocsin(words: string, url: string): Promise<{ code: number; out: string; err: string }> {
  const env = {
    PATH: process.env.PATH,
    CANARIES: 'none',
    DATA_DIR: dir,
    DATABASE_URL: url,
    SECRET_KEY: 'k'.repeat(32),
    PORT: '0',
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [programPath(), ...words.split(' ')], { env }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });
}

test('every command that opens the database refuses a newer one, and says what to do', async () => {
  await using database = await freshDatabase();
  assert.deepEqual(await tocsin('migrate --plan', database.url), {
    code: 0,
    out: 'The database is up to date: no migration is outstanding.\n',
    err: '',
  });
  await database.pool.query(
    `INSERT INTO schema_migrations (version, name, checksum) VALUES (9999, '9999_later.sql', '')`,
  );
  for (const words of ['serve --roles jobs', 'migrate', 'migrate --plan', 'plan', 'doctor']) {
    const { code, out, err } = await tocsin(words, database.url);
    assert.equal(code, 1, words);
    assert.match(
      out + err,
      /newer version of Tocsin \(it has 9999_later\.sql, .* Start that version or a later one/,
      words,
    );
  }
});

test('a plan in words names the locks, whom they block, and for how long', () => {
  const people = { table: 'people', rows: 1_204_000, bytes: 1.8e9 };
  const words = planWords({
    from: '0055_a.sql',
    migrations: [
      { name: '0056_b.sql', tables: [], seconds: 0 },
      {
        name: '0057_c.sql',
        tables: [
          { ...people, lock: 'SHARE', blocked: 'writes', steps: [{ line: 3, work: 'index', seconds: 45 }] },
          {
            table: 'pets',
            rows: 1,
            bytes: 8192,
            lock: 'ACCESS EXCLUSIVE',
            blocked: 'reads and writes',
            steps: [],
          },
        ],
        seconds: 45,
      },
    ],
    seconds: 45,
    held: [
      { table: 'people', lock: 'SHARE', blocked: 'writes', seconds: 45 },
      { table: 'pets', lock: 'ACCESS EXCLUSIVE', blocked: 'reads and writes', seconds: 4_500 },
    ],
  });
  assert.equal(
    words,
    `2 migrations outstanding, after 0055_a.sql:

0056_b.sql
  locks no table that is there: an instant

0057_c.sql
  people (1,204,000 rows, 1.8 GB): SHARE, others read it, and wait to write
    line 3 builds an index over it: about 45 seconds
  pets (1 row, 8.2 kB): ACCESS EXCLUSIVE, nobody else reads or writes it
    changes the catalogue alone: an instant

All of it takes about 45 seconds, in one transaction: each lock is held until its end.
  people: others read it, and wait to write for about 45 seconds
  pets: nobody else reads or writes it for about 75 minutes
The times are rough; they are those of an ordinary disk. Nothing was changed.
`,
  );
  assert.match(
    planWords({ from: null, migrations: [], seconds: 0, held: [] }),
    /no migration is outstanding/,
  );
});
