import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { createLog } from '#src/platform/log.ts';
import { PARTITIONED } from '#src/retention.ts';
import { emptyDatabase } from '#test/harness/database.ts';
import { migrationsFolder } from '#test/harness/migrations-folder.ts';
import { MIGRATIONS_DIR, migrate, readMigrations } from '../migrate.ts';
import { type DryRun, dryRun } from './dry-run.ts';
import { planOf } from './estimate.ts';
import { makePlan } from './make-plan.ts';

const silent = createLog('silent');
/** Migrations up to this one were written before anybody upgraded with servers running. */
const FIRST_JUDGED = 56;

async function connected(url: string): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

const BASE = `
  CREATE TABLE people (id int PRIMARY KEY, name text, age int);
  CREATE TABLE pets (id int PRIMARY KEY, owner int);
  CREATE TABLE readings (at timestamptz NOT NULL, value int) PARTITION BY RANGE (at);`;

/** A statement; for each table that it touches: its lock, and the work that takes time. */
const STATEMENTS: [string, Record<string, string>][] = [
  ['ALTER TABLE people ADD COLUMN mail text', { people: 'ACCESS EXCLUSIVE' }],
  [
    "ALTER TABLE people ADD COLUMN born timestamptz NOT NULL DEFAULT '2026-01-01Z'",
    { people: 'ACCESS EXCLUSIVE' },
  ],
  [
    'ALTER TABLE people ADD COLUMN no int GENERATED ALWAYS AS IDENTITY',
    { people: 'ACCESS EXCLUSIVE rewrite' },
  ],
  ['ALTER TABLE people ALTER COLUMN age TYPE bigint', { people: 'ACCESS EXCLUSIVE rewrite' }],
  ['ALTER TABLE people ALTER COLUMN name SET NOT NULL', { people: 'ACCESS EXCLUSIVE scan' }],
  ['ALTER TABLE people ADD CHECK (age > 0)', { people: 'ACCESS EXCLUSIVE scan' }],
  ['ALTER TABLE people ADD CHECK (age > 0) NOT VALID', { people: 'ACCESS EXCLUSIVE' }],
  ['ALTER TABLE people DROP COLUMN age', { people: 'ACCESS EXCLUSIVE' }],
  ['CREATE INDEX people_name ON people (name)', { people: 'SHARE index' }],
  [
    'ALTER TABLE pets ADD FOREIGN KEY (owner) REFERENCES people (id)',
    { people: 'SHARE ROW EXCLUSIVE', pets: 'SHARE ROW EXCLUSIVE scan' },
  ],
  ['UPDATE people SET age = age + 1 WHERE id = 7', { people: 'ROW EXCLUSIVE change' }],
  [
    'CREATE TABLE names AS SELECT p.name FROM people p JOIN pets ON owner = p.id',
    { people: 'ACCESS SHARE change', pets: 'ACCESS SHARE change' },
  ],
  [
    'INSERT INTO pets SELECT id, id FROM people JOIN readings ON true',
    { people: 'ACCESS SHARE change', pets: 'ROW EXCLUSIVE', readings: 'ACCESS SHARE change' },
  ],
  ['DROP TABLE pets', { pets: 'ACCESS EXCLUSIVE' }],
  ['ALTER TABLE readings ALTER COLUMN value TYPE bigint', { readings: 'ACCESS EXCLUSIVE rewrite' }],
  ['CREATE INDEX ON readings (value)', { readings: 'SHARE index' }],
  ['CREATE TABLE apart (id int); CREATE INDEX ON apart (id); UPDATE apart SET id = 1', {}],
  ["CREATE FUNCTION of(int) RETURNS text LANGUAGE sql AS 'SELECT name FROM people WHERE id = $1'", {}],
  ['DO $$ BEGIN UPDATE people SET age = 1; END $$', { people: 'ROW EXCLUSIVE scan' }],
];

const inShort = ({ tables }: DryRun) =>
  Object.fromEntries(
    tables
      .map(({ table, lock, steps }) => [table, [lock, ...steps.map(({ work }) => work)].join(' ')] as const)
      .sort(([a], [b]) => a.localeCompare(b)),
  );

test('an empty copy shows what a statement locks, scans, indexes and rewrites', async () => {
  await using database = await emptyDatabase();
  await using client = await connected(database.url);
  const base = { version: 1, name: '0001_base.sql', sql: BASE, checksum: '', needs: null };
  for (const [sql, expected] of STATEMENTS) {
    const [findings = assert.fail()] = await dryRun(client, [base], [{ ...base, version: 2, sql }]);
    assert.deepEqual(inShort(findings), expected, sql);
    await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  }
});

test('a step is named by its line, and a table by its current name', async () => {
  await using database = await emptyDatabase();
  await using client = await connected(database.url);
  const base = { version: 1, name: '0001_base.sql', sql: BASE, checksum: '', needs: null };
  const sql = '-- Why.\nALTER TABLE people RENAME TO persons;\n\nCREATE INDEX ON persons (age);';
  const after = { ...base, version: 3, name: '0003_c.sql', sql: 'DELETE FROM persons' };
  const [first, second] = await dryRun(client, [base], [{ ...base, version: 2, sql }, after]);
  assert.deepEqual(first?.tables, [
    { table: 'people', lock: 'ACCESS EXCLUSIVE', steps: [{ line: 4, work: 'index' }] },
  ]);
  assert.deepEqual(second?.tables, [
    { table: 'people', lock: 'ROW EXCLUSIVE', steps: [{ line: 1, work: 'change' }] },
  ]);
});

test('a plan estimates times from the sizes of the tables, and each lock until the last migration ends', () => {
  const size = { rows: 4_000_000, bytes: 4e9, indexBytes: 1e9 };
  const sizes = new Map([
    ['people', size],
    ['pets', { rows: 3, bytes: 8192, indexBytes: 16_384 }],
  ]);
  const { migrations, seconds, held } = planOf(
    [
      {
        name: 'a',
        tables: [{ table: 'pets', lock: 'ACCESS EXCLUSIVE', steps: [{ line: 1, work: 'rewrite' }] }],
      },
      {
        name: 'b',
        tables: [
          {
            table: 'people',
            lock: 'ACCESS EXCLUSIVE',
            steps: [
              { line: 1, work: 'rewrite' },
              { line: 2, work: 'scan' },
            ],
          },
        ],
      },
      {
        name: 'c',
        tables: [
          { table: 'people', lock: 'SHARE', steps: [{ line: 1, work: 'index' }] },
          { table: 'later', lock: 'SHARE', steps: [] },
        ],
      },
      {
        name: 'd',
        tables: [
          { table: 'people', lock: 'ROW EXCLUSIVE', steps: [{ line: 1, work: 'change' }] },
          { table: 'cats', lock: 'ROW EXCLUSIVE', steps: [] },
        ],
      },
    ],
    sizes,
  );
  assert.deepEqual(
    migrations.map((each) => each.seconds),
    [0, 200 + 27, 100, 200],
  );
  assert.equal(seconds, 527);
  assert.deepEqual(held, [
    { table: 'people', lock: 'ACCESS EXCLUSIVE', blocked: 'reads and writes', seconds: 527 },
    { table: 'pets', lock: 'ACCESS EXCLUSIVE', blocked: 'reads and writes', seconds: 527 },
    { table: 'later', lock: 'SHARE', blocked: 'writes', seconds: 300 },
  ]);
});

test('a plan reads sizes from the database, changes nothing in it, and leaves no database behind', async () => {
  await using database = await emptyDatabase();
  await using files = await migrationsFolder({ '0001_base.sql': BASE });
  await migrate(database.url, silent, { dir: files.path });
  await using client = await connected(database.url);
  await client.query(`
    CREATE TABLE readings_2026 PARTITION OF readings FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
    INSERT INTO readings SELECT '2026-02-01', n FROM generate_series(1, 5000) AS n;
    ANALYZE readings_2026`);
  await files.add('0002_wider.sql', 'ALTER TABLE readings ALTER COLUMN value TYPE bigint');
  const plan = await makePlan(database.url, files.path);
  assert.equal(plan.from, '0001_base.sql');
  const [readings] = plan.migrations[0]?.tables ?? [];
  assert.equal(readings?.rows, 5000);
  assert.ok((readings?.bytes ?? 0) > 100_000, `${readings?.bytes} bytes`);
  assert.deepEqual((await client.query('SELECT version FROM schema_migrations')).rows, [{ version: 1 }]);
  const { rows } = await client.query(`SELECT datname FROM pg_database WHERE datname LIKE 'tocsin_plan%'`);
  assert.deepEqual(rows, []);
});

test('a plan for an up-to-date or an empty database needs no copy', async () => {
  await using database = await emptyDatabase();
  await using files = await migrationsFolder({ '0001_base.sql': BASE });
  const empty = await makePlan(database.url, files.path);
  assert.deepEqual([empty.from, empty.migrations.length], [null, 1]);
  await migrate(database.url, silent, { dir: files.path });
  const { from, migrations } = await makePlan(database.url, files.path);
  assert.deepEqual([from, migrations], ['0001_base.sql', []]);
});

test('if a pending migration fails on the copy, or the role cannot create one, the plan says so', async () => {
  await using database = await emptyDatabase();
  await using files = await migrationsFolder({ '0001_base.sql': BASE });
  await migrate(database.url, silent, { dir: files.path });
  await files.add('0002_wrong.sql', '\nALTER TABLE peopel ADD COLUMN mail text');
  await assert.rejects(
    makePlan(database.url, files.path),
    /0002_wrong\.sql fails on an empty copy .*"peopel" does not exist \(statement in line 2\).*Nothing was changed/,
  );
  await files.add('0002_wrong.sql', 'UPDATE people SET mail = 1');
  await assert.rejects(
    makePlan(database.url, files.path),
    /0002_wrong\.sql fails .*"mail" .* does not exist/,
  );
  await using client = await connected(database.url);
  const role = `plain_${process.pid}`;
  await client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'p'; GRANT SELECT ON schema_migrations TO ${role}`);
  try {
    const asRole = database.url.replace('tocsin@', `${role}:p@`).replace(/tocsin:[^@]*@/, `${role}:p@`);
    await assert.rejects(
      makePlan(asRole, files.path),
      new RegExp(`ALTER ROLE "?${role}"? CREATEDB .*Nothing was changed`),
    );
  } finally {
    await client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  }
});

test('no migration scans or rewrites a table that grows without limit, unless it says why it may', async () => {
  const all = await readMigrations(MIGRATIONS_DIR);
  await using database = await emptyDatabase();
  await using client = await connected(database.url);
  const judged = all.slice(FIRST_JUDGED - 1);
  const findings = await dryRun(client, all.slice(0, FIRST_JUDGED - 1), judged);
  const large = new Set(PARTITIONED.map(({ table }) => table));
  for (const { name, tables } of findings)
    for (const { table, steps } of tables)
      if (!/^-- locks: \S/m.test(judged.find((migration) => migration.name === name)?.sql ?? ''))
        assert.deepEqual(large.has(table) ? steps : [], [], `${name}: ${table} (see docs/rules/upgrades.md)`);
});
