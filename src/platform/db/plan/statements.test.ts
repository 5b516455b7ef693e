import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MIGRATIONS_DIR, readMigrations } from '../migrate.ts';
import { kindOf, statementsOf } from './statements.ts';

test('a semicolon ends a statement, except inside a comment, a string, a name or a function body', () => {
  const cases: [string, string[]][] = [
    ['', []],
    [' ;; -- nothing;\n/* ; */', []],
    ['SELECT 1', ['1: SELECT 1']],
    ['SELECT 1;\nSELECT 2;\n', ['1: SELECT 1', '2: SELECT 2']],
    [
      "-- why; so\n\nSELECT ';', '''; ', E'\\';', \";\"; SELECT 2",
      ["3: SELECT ';', '''; ', E'\\';', \";\"", '3: SELECT 2'],
    ],
    ['DO $$ BEGIN; END $$; SELECT 1', ['1: DO $$ BEGIN; END $$', '1: SELECT 1']],
    ['DO $a$ $$; $b$ ; $a$;SELECT $1', ['1: DO $a$ $$; $b$ ; $a$', '1: SELECT $1']],
    ['ALTER TABLE a -- of; it\n  ADD b int;', ['1: ALTER TABLE a -- of; it\n  ADD b int']],
  ];
  for (const [sql, expected] of cases)
    assert.deepEqual(
      statementsOf(sql).map(({ line, text }) => `${line}: ${text}`),
      expected,
      sql,
    );
});

test('every statement of our migrations starts with an SQL keyword', async () => {
  for (const { name, sql } of await readMigrations(MIGRATIONS_DIR))
    for (const statement of statementsOf(sql))
      assert.match(
        kindOf(statement),
        /^(ALTER|ANALYZE|COMMENT|CREATE|DELETE|DO|DROP|INSERT|SELECT|UPDATE|WITH)$/,
        `${name}, line ${statement.line}: ${statement.text.slice(0, 80)}`,
      );
});
