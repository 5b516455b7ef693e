import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { freshDatabase } from '#test/harness/database.ts';
import { describeTables } from '#test/harness/describe-tables.ts';

test('tables.ts matches the migrations (else: npm run generate:tables)', async () => {
  await using database = await freshDatabase();
  const written = await readFile(join(import.meta.dirname, 'tables.ts'), 'utf8');
  assert.equal(written, await describeTables(database.pool));
});
