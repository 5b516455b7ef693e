import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { freshDatabase } from '#test/harness/database.ts';
import { isDatabaseAway, isPassing } from './away.ts';

test('a database that does not answer a statement in time is away', async () => {
  await using database = await freshDatabase();
  const client = new pg.Client({ ...database.connection, query_timeout: 20 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await assert.rejects(
      client.query('SELECT pg_sleep(5)'),
      (error) => isDatabaseAway(error) && isPassing(error),
    );
  } finally {
    await client.end();
  }
});

test('a database whose name or address cannot be reached is away, as while its container is replaced', () => {
  for (const code of ['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ECONNABORTED'])
    assert.ok(isDatabaseAway(Object.assign(new Error('connect'), { code })), code);
  for (const code of ['23505', '22003', 'ERR_INVALID_ARG_TYPE'])
    assert.ok(!isPassing(Object.assign(new Error('wrong'), { code })), code);
});
