// Reads from a real streaming replica: how recent it must be, which changes it must have, and how its failures are handled.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { Database } from '#src/platform/work.ts';
import { silent } from '#test/harness/cluster.ts';
import { closeAfterTests, freshDatabase } from '#test/harness/database.ts';
import { type Replicated, startReplicated } from '#test/harness/replica.ts';
import { until } from '#test/harness/until.ts';
import { type DatabasePool, openPool } from '../pool.ts';
import { makeReads, type Reads } from './reads.ts';
import { type Replica, startReplica } from './replica.ts';

const ORG = 'org_1';
const BOUND_MS = 5_000;
/** The time between looks, by the clock of the test. */
const STEP_MS = 100;

const stack = new AsyncDisposableStack();
let servers: Replicated;
let primary: DatabasePool;
let nowMs = 0;
before(async () => {
  closeAfterTests(() => stack.disposeAsync());
  servers = stack.use(await startReplicated());
  primary = openPool({ url: servers.url, log: silent, size: 3 });
  stack.defer(() => primary.close());
  await servers.onPrimary('CREATE TABLE noted (n int); INSERT INTO noted VALUES (0)');
});

type Scene = AsyncDisposable & {
  replica: Replica;
  reads: Reads;
  query: () => Promise<void>;
  /** Resolves with a query that finds everything on the replica: writes that nobody waits for reach the log with a delay. */
  near: () => Promise<void>;
};

async function scene(url = servers.replicaUrl): Promise<Scene> {
  const options = { url, primary: primary.db, log: silent, maxLagMs: BOUND_MS, timers: false };
  const replica = await startReplica({ ...options, elapsedMs: () => nowMs });
  const query = async () => {
    nowMs += STEP_MS;
    await replica.query();
  };
  return {
    ...{ replica, query },
    reads: makeReads(primary.db, replica, () => nowMs),
    near: () =>
      until(async () => {
        await servers.caughtUp();
        await query();
        return replica.asOfMs() === nowMs;
      }, 'the replica has everything'),
    [Symbol.asyncDispose]: () => replica.stop(),
  };
}

/** The server that answers, and the newest number that it has. */
async function from(db: Database): Promise<{ standby: boolean; n: number }> {
  const { rows } = await sql<{
    standby: boolean;
    n: number;
  }>`SELECT pg_is_in_recovery() AS standby, max(n) AS n FROM noted`.execute(db);
  return rows[0] ?? assert.fail();
}
const standbyReads = async ({ reads }: Scene, id = ORG) => (await reads.read([id], from)).standby;

test('a replica that has caught up serves reads', async () => {
  await using near = await scene();
  await near.near();
  assert.equal(near.replica.state(), 'in_use');
  assert.equal(await standbyReads(near), true);
  assert.equal(near.replica.lagSeconds(), 0);
});

test('a replica that lags beyond the limit is skipped until it has caught up', async () => {
  await using behind = await scene();
  await behind.near();
  nowMs += 2 * BOUND_MS;
  await behind.near();
  assert.equal(await standbyReads(behind), true, 'it lags behind the log, and not behind the time');
  await servers.onReplica('SELECT pg_wal_replay_pause()');
  try {
    await servers.onPrimary('INSERT INTO noted VALUES (1)');
    for (let ms = 0; ms < BOUND_MS; ms += STEP_MS) await behind.query();
    assert.equal(behind.replica.state(), 'in_use', 'as old as the bound allows');
    assert.deepEqual(await behind.reads.read([ORG], from), { standby: true, n: 0 });
    await behind.query();
    assert.equal(behind.replica.state(), 'behind');
    assert.deepEqual(await behind.reads.read([ORG], from), { standby: false, n: 1 });
  } finally {
    await servers.onReplica('SELECT pg_wal_replay_resume()');
  }
  await behind.near();
  assert.deepEqual(await behind.reads.read([ORG], from), { standby: true, n: 1 });
});

test('after a write its author reads the primary until the replica has caught up; others read the replica', async () => {
  await using written = await scene();
  await written.near();
  await servers.onReplica('SELECT pg_wal_replay_pause()');
  try {
    await servers.onPrimary('INSERT INTO noted VALUES (2)');
    written.reads.changed(ORG);
    assert.deepEqual(await written.reads.read([ORG], from), { standby: false, n: 2 });
    assert.equal(await standbyReads(written, 'org_2'), true);
    await written.query();
    assert.equal(await standbyReads(written), false, 'it has not replayed it');
  } finally {
    await servers.onReplica('SELECT pg_wal_replay_resume()');
  }
  await written.near();
  assert.deepEqual(await written.reads.read([ORG], from), { standby: true, n: 2 });
});

test('after missed notifications everybody reads the primary until the next probe', async () => {
  await using missed = await scene();
  await missed.near();
  missed.reads.changed(null);
  assert.equal(await standbyReads(missed), false);
  await missed.near();
  assert.equal(await standbyReads(missed), true);
});

test('the primary answers whatever the replica refuses, cancels or does not find', async () => {
  await using refused = await scene();
  await refused.near();
  const answers = await refused.reads.read([ORG], async (db) => {
    const answer = await from(db);
    if (answer.standby) await sql`INSERT INTO noted VALUES (3)`.execute(db);
    return answer;
  });
  assert.equal(answers.standby, false);
  const cancelled = refused.reads.read([ORG], async (db) => {
    const answer = await from(db);
    // PostgreSQL's message if a row that the query needs is vacuumed on the primary.
    if (answer.standby)
      throw Object.assign(new Error('canceling statement due to conflict with recovery'), { code: '40001' });
    return answer;
  });
  assert.equal((await cancelled).standby, false);
  assert.equal(await standbyReads(refused), true, 'and it is still read from');
});

test('a replica whose connections break is skipped until it answers a probe', async () => {
  await using broken = await scene();
  await broken.near();
  const answer = await broken.reads.read([ORG], async (db) => {
    const [first] = await Promise.all([from(db)]);
    if (first.standby)
      await sql`SELECT pg_terminate_backend(pg_backend_pid())`.execute(db).then(() => from(db));
    return first;
  });
  assert.equal(answer.standby, false);
  assert.equal(broken.replica.state(), 'away');
  assert.equal(await standbyReads(broken), false);
  await broken.near();
  assert.equal(await standbyReads(broken), true);
});

test('a hanging replica costs its readers a moment, not their time limit', async () => {
  // With the real timers.
  const options = { url: servers.replicaUrl, primary: primary.db, log: silent, maxLagMs: 60_000 };
  const replica = await startReplica({ ...options, elapsedMs: () => performance.now() });
  await using _stopped = { [Symbol.asyncDispose]: () => replica.stop() };
  const reads = makeReads(primary.db, replica, () => performance.now());
  await until(async () => {
    await servers.caughtUp();
    return (await reads.read([ORG], from)).standby;
  }, 'it is read from');
  await servers.freeze();
  try {
    assert.equal((await reads.read([ORG], from)).standby, false, 'answered, by the primary');
    assert.equal(replica.state(), 'away');
  } finally {
    await servers.thaw();
  }
});

test('a writable server is not used as a replica', async () => {
  await using direct = await scene(servers.url);
  assert.equal(direct.replica.state(), 'not_a_replica');
  let asked: Database | undefined;
  await direct.reads.read([ORG], async (db) => {
    asked = db;
  });
  assert.equal(asked, primary.db);
});

test('another database is refused at the start with a sentence', async () => {
  await using other = await freshDatabase({ poolSize: 1 });
  await assert.rejects(
    scene(other.url),
    /DATABASE_READ_URL points to a different database than DATABASE_URL\. Point it/,
  );
  const sibling = servers.replicaUrl.replace(/\/[^/]*$/, '/postgres');
  await assert.rejects(
    scene(sibling),
    /points to a different database/,
    'one beside it in the same cluster too',
  );
});

test('a replica that is down at the start is found later', async () => {
  await using late = await scene('postgres://tocsin@127.0.0.1:1/replicated');
  assert.equal(late.replica.state(), 'away');
  assert.equal(await standbyReads(late), false);
});

test('probing needs no privilege that an ordinary user lacks', async () => {
  await servers.onPrimary(
    `CREATE ROLE plain LOGIN; GRANT USAGE ON SCHEMA public TO plain; GRANT SELECT ON noted TO plain`,
  );
  await servers.caughtUp();
  const asPlain = (url: string) => url.replace('tocsin@', 'plain@');
  const pool = openPool({ url: asPlain(servers.url), log: silent, size: 1 });
  await using _closed = { [Symbol.asyncDispose]: () => pool.close() };
  const options = { url: asPlain(servers.replicaUrl), primary: pool.db, log: silent, maxLagMs: BOUND_MS };
  const replica = await startReplica({ ...options, elapsedMs: () => nowMs, timers: false });
  assert.ok(['in_use', 'behind'].includes(replica.state()), replica.state());
  await replica.stop();
});
