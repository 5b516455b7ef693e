// A migration adds; what it takes away, the version before must no longer use (docs/rules/upgrades.md#what-a-migration-may-do).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MIGRATIONS_DIR, readMigrations } from '#src/platform/db/migrate.ts';
import { objectionsTo } from './harness/migration-rules.ts';

/** Those before were written while every upgrade stopped the server. */
const FIRST_JUDGED = 56;

test('a migration removes nothing that the previous version uses, or says since when nothing uses it', async () => {
  for (const { name, sql, version, needs } of (await readMigrations(MIGRATIONS_DIR)).slice(
    FIRST_JUDGED - 1,
  )) {
    if (needs === null) assert.deepEqual(objectionsTo(sql), [], `${name}; see docs/rules/upgrades.md`);
    else assert.ok(needs <= version, `${name}: its own version has to run beside it`);
    if (/^-- contracts/m.test(sql))
      assert.ok(needs !== null, `${name}: write "-- contracts: since 0056 why"`);
  }
});

test('additions are allowed', () => {
  const fine = [
    'CREATE TABLE a (id int NOT NULL, UNIQUE (id)); ALTER TABLE a ADD b int NOT NULL; DROP TABLE a',
    'ALTER TABLE users ADD COLUMN nick text',
    "ALTER TABLE users ADD COLUMN nick text NOT NULL DEFAULT 'a, b', ADD no int GENERATED ALWAYS AS IDENTITY",
    "ALTER TABLE users ADD COLUMN nick text CHECK (nick <> '') -- NOT NULL later\n",
    'ALTER TABLE users ALTER COLUMN nick DROP NOT NULL, ALTER nick SET DEFAULT 1',
    'CREATE INDEX users_nick ON users (nick)',
    'ALTER TABLE troubles DROP CONSTRAINT troubles_kind_check',
    'CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ DROP TABLE users; $$',
    'DROP INDEX users_nick',
  ];
  for (const sql of fine) assert.deepEqual(objectionsTo(sql), [], sql);
});

test('removing, renaming, narrowing and new constraints are not', () => {
  const refused: [string, RegExp][] = [
    ['SELECT 1;\nDROP TABLE users', /line 2: drops users/],
    ['DROP FUNCTION IF EXISTS note(int)', /drops note/],
    ['TRUNCATE users', /empties users/],
    ['ALTER TABLE users RENAME TO people', /gives a name away/],
    ['ALTER TABLE users RENAME COLUMN a TO b', /gives a name away/],
    ['ALTER TABLE ONLY users DROP COLUMN nick', /drops what/],
    ['ALTER TABLE users ADD a int, DROP nick', /drops what .*: DROP nick/],
    ['ALTER TABLE users ADD a int NOT NULL', /without a default/],
    ['ALTER TABLE users ALTER COLUMN a SET NOT NULL', /may leave out/],
    ['ALTER TABLE users ALTER a TYPE bigint', /another type/],
    ['ALTER TABLE users ALTER a DROP DEFAULT', /when it inserts/],
    ['ALTER TABLE users ADD CONSTRAINT c CHECK (a > 0)', /may refuse rows/],
    ['ALTER TABLE users ADD UNIQUE (a)', /may refuse rows/],
    ['ALTER TABLE users DROP CONSTRAINT users_pkey', /ON CONFLICT/],
    ['CREATE UNIQUE INDEX u ON users (lower(a))', /may refuse rows of users/],
  ];
  for (const [sql, expected] of refused) assert.match(objectionsTo(sql).join(), expected, sql);
});
