import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type pg from 'pg';
import { silent } from '#test/harness/cluster.ts';
import { closeAfterTests, freshDatabase } from '#test/harness/database.ts';
import { until } from '#test/harness/until.ts';
import { askingFor } from './asker.ts';
import { type DatabasePool, openPool } from './pool.ts';
import { inTransaction } from './transaction.ts';

const stack = new AsyncDisposableStack();
let database: DatabasePool;
before(async () => {
  closeAfterTests(() => stack.disposeAsync());
  const { url } = stack.use(await freshDatabase());
  database = openPool({ url, log: silent, size: 10 });
  stack.defer(() => database.close());
});

/** Asks for a connection for a tenant and keeps it. */
function hold(tenant: string) {
  const held: { client: pg.PoolClient | null } = { client: null };
  const asked = askingFor({ tenant: { id: tenant, owner: null } }, () => database.pool.connect()).then(
    (client) => {
      held.client = client;
    },
  );
  return { asked, has: () => held.client !== null, letGo: () => held.client?.release() };
}

test('one tenant gets half of the connections, and another gets one at once', async () => {
  const greedy = Array.from({ length: 30 }, () => hold('greedy'));
  await until(() => greedy.filter(({ has }) => has()).length === 4, 'half of eight');
  const quiet = hold('quiet');
  await quiet.asked;
  assert.equal(greedy.filter(({ has }) => has()).length, 4);
  // The system does not wait for anybody's turn.
  const system = await database.pool.connect();
  system.release();
  quiet.letGo();
  for (const each of greedy) {
    await each.asked;
    each.letGo();
  }
});

test('requests inside a transaction do not queue', async () => {
  await askingFor({ tenant: { id: 'nested', owner: null } }, () =>
    Promise.all(
      Array.from({ length: 4 }, () =>
        inTransaction(database.db, async () => {
          const client = await database.pool.connect();
          client.release();
        }),
      ),
    ),
  );
});

test('a tenant with too many waiting requests is refused, and the pool stays intact', async () => {
  const all = Array.from({ length: 120 }, () => hold('greedy'));
  const settled = all.map(({ asked }) =>
    asked.then(
      () => 'got',
      (error: { code: string }) => error.code,
    ),
  );
  await until(() => all.filter(({ has }) => has()).length === 4, 'four of them');
  assert.equal(await settled.at(-1), 'rate_limited');
  for (const [no, each] of all.entries()) if ((await settled[no]) === 'got') each.letGo();
  const again = hold('greedy');
  await again.asked;
  again.letGo();
});
