// A server that reads charts, lists and pages from a real streaming replica (docs/self-hosting.md#reads-from-a-replica).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { checkReplica } from '#src/doctor/replica.ts';
import { OPERATIONS } from '#src/operations.ts';
import { openPool } from '#src/platform/db/pool.ts';
import { makeReads } from '#src/platform/db/replica/reads.ts';
import type { Database } from '#src/platform/work.ts';
import type { StatusPage } from '#src/status-pages/contract.ts';
import { startAppOn, type TestApp } from '#test/harness/app.ts';
import { silent } from '#test/harness/cluster.ts';
import { closeAfterTests } from '#test/harness/database.ts';
import { SAMPLES } from '#test/harness/operation-samples.ts';
import { type Replicated, startReplicated } from '#test/harness/replica.ts';
import { makeScene, type Scene } from '#test/harness/scene.ts';
import { settings } from '#test/harness/status-page.ts';
import { until } from '#test/harness/until.ts';

/** What is shown and decides nothing. */
const SHOWN = [
  'getMonitorSeries',
  'listMonitorFigures',
  'getMonitorAnnotations',
  'getMonitorHoursOfWeek',
  'getReport',
  'listChecks',
  'getCheck',
  'listRecentChecks',
  'listRegionStatuses',
  'replayPolicy',
  'listActivity',
  'listIncidents',
  'listMonitorIncidents',
  'listIncidentTimeline',
  'listWebhookDeliveries',
  'listAgentCurves',
  'getAgentSeries',
  'listAgentEvents',
];

const stack = new AsyncDisposableStack();
let servers: Replicated;
let app: TestApp;
let scene: Scene;
before(async () => {
  closeAfterTests(() => stack.disposeAsync());
  servers = stack.use(await startReplicated());
  const { db, close } = openPool({ url: servers.url, log: silent, size: 3 });
  stack.defer(() => close());
  // A machine that stalls is behind for a while, and nothing follows from that here.
  const env = { DATABASE_READ_URL: servers.replicaUrl, DATABASE_READ_MAX_LAG_SECONDS: '300' };
  app = await startAppOn(stack, servers.url, db, { env });
  scene = await makeScene(app, app.alice);
});

type Counts = Record<string, number>;
async function counts(): Promise<Counts> {
  const { body } = await app.visitor().send<string>('GET', '/metrics');
  const lines = [...body.matchAll(/^tocsin_replica_reads_total\{outcome="(\w+)"\} (\d+)$/gm)];
  return Object.fromEntries(lines.map(([, outcome = '', count]) => [outcome, Number(count)]));
}
/** Resolves once the server reads from the replica what `ask` asks for. */
const readsTheReplica = (ask: () => Promise<unknown>) =>
  until(async () => {
    await servers.caughtUp();
    const was = await counts();
    await ask();
    return ((await counts()).replica ?? 0) > (was.replica ?? 0);
  }, 'the replica answers');

const pathOf = (id: string): string => {
  const { path } = OPERATIONS.find((operation) => operation.id === id) ?? assert.fail(id);
  const query = SAMPLES[id]?.query === undefined ? '' : `?${SAMPLES[id].query}`;
  return `${path.replace(/\{(\w+)\}/g, (_, name: keyof typeof scene.ids) => scene.ids[name])}${query}`;
};
const activity = () => app.alice.ok<{ action: string }[]>('GET', `${pathOf('listActivity')}?limit=1`);

/** While the replica stands still. */
async function whileItLags(act: () => Promise<void>): Promise<void> {
  await servers.onReplica('SELECT pg_wal_replay_pause()');
  try {
    await act();
  } finally {
    await servers.onReplica('SELECT pg_wal_replay_resume()');
  }
}

test('everything that may come from the replica does, and is the same there', async () => {
  for (const id of SHOWN) {
    const { method } = OPERATIONS.find((operation) => operation.id === id) ?? assert.fail(id);
    await readsTheReplica(() => app.alice.ok(method, pathOf(id), SAMPLES[id]?.body?.(scene)));
  }
  const was = await counts();
  for (const id of ['getMonitor', 'listMonitors', 'listMyOrganizations', 'listApiKeys', 'getIncident'])
    await app.alice.ok('GET', pathOf(id));
  assert.deepEqual(await counts(), was, 'and nothing else');
  const ready = await app.visitor().ok<{ replica: string }>('GET', '/readyz');
  assert.equal(ready.replica, 'in_use');
  const { body } = await app.visitor().send<string>('GET', '/metrics');
  assert.match(body, /^tocsin_replica_in_use 1$/m);
  assert.match(body, /^tocsin_replica_lag_seconds \d/m);
});

test('the author of a change reads it at once, through this server and another, even if the replica lags', async () => {
  await using other = new AsyncDisposableStack();
  const { url, [Symbol.asyncDispose]: stop } = await app.another();
  other.defer(() => Promise.resolve(stop()));
  await readsTheReplica(activity);
  await whileItLags(async () => {
    await app.alice.ok('PATCH', pathOf('renameOrganization'), { name: 'Renamed' });
    assert.equal((await activity())[0]?.action, 'organization.rename');
    // The other server learns of it by a notification, which is on its way when the writer is answered.
    await until(async () => {
      const answer = await fetch(`${url}${pathOf('listActivity')}?limit=1`, {
        headers: { cookie: app.alice.cookie() },
      });
      return ((await answer.json()) as { action: string }[])[0]?.action === 'organization.rename';
    }, 'the other server shows it');
  });
});

test('a status page shows its owner’s last change, even if the replica lags', async () => {
  const page = () => app.visitor().send<string>('GET', `/status/${scene.ids.slug}`);
  await page();
  await readsTheReplica(activity);
  await whileItLags(async () => {
    const pages = await app.alice.ok<StatusPage[]>('GET', pathOf('listStatusPages'));
    const shown = pages.find(({ slug }) => slug === scene.ids.slug) ?? assert.fail();
    await app.alice.ok('PATCH', `/status-pages/${shown.id}`, settings(shown, { name: 'How we really are' }));
    assert.match((await page()).body, /How we really are/);
  });
});

test('the doctor reports whether a replica is near, behind, down, writable or of another database', async () => {
  const found = async (databaseReadUrl: string | null) =>
    (await checkReplica(app.db, { databaseReadUrl, databaseReadMaxLagSeconds: 1 })).map(({ code }) => code);
  assert.deepEqual(await found(null), []);
  await until(async () => {
    await servers.caughtUp();
    return (await found(servers.replicaUrl))[0] === 'replica_near';
  }, 'it is near');
  await whileItLags(async () => {
    await servers.onPrimary("SELECT pg_logical_emit_message(true, 'test', '')");
    assert.deepEqual(await found(servers.replicaUrl), ['replica_behind']);
  });
  assert.deepEqual(await found('postgres://tocsin@127.0.0.1:1/nothing'), ['replica_away']);
  assert.deepEqual(await found(servers.url), ['replica_not_a_replica']);
  const beside = servers.replicaUrl.replace(/\/[^/]*$/, '/postgres');
  assert.deepEqual(await found(beside), ['replica_other_database']);
});

test('a read that the replica cancels because of a conflict with the primary is answered by the primary', async () => {
  await using pools = new AsyncDisposableStack();
  const [primary, replica] = [servers.url, servers.replicaUrl].map((url) => {
    const pool = openPool({ url, log: silent, size: 1 });
    pools.defer(() => pool.close());
    return pool.db;
  }) as [Database, Database];
  const lost: Error[] = [];
  const reads = makeReads(
    primary,
    { db: replica, state: () => 'in_use', asOfMs: () => 1, lost: (error) => void lost.push(error) },
    () => 0,
  );
  await servers.onReplica('ALTER SYSTEM SET max_standby_streaming_delay = 0');
  await servers.onReplica('SELECT pg_reload_conf()');
  const failures: unknown[] = [];
  const read = reads.read([], async (db) => {
    const { rows } = await sql<{ isReplica: boolean }>`
      SELECT pg_is_in_recovery() AS "isReplica", CASE WHEN pg_is_in_recovery() THEN pg_sleep(60)::text END
      FROM packing_state`
      .execute(db)
      .catch((error: unknown) => {
        failures.push((error as { code: unknown }).code);
        throw error;
      });
    return rows;
  });
  const reading =
    "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND query LIKE '%packing_state%'";
  await until(async () => (await servers.onReplica(reading)).length > 0, 'it reads');
  await servers.onPrimary('BEGIN; LOCK TABLE packing_state IN ACCESS EXCLUSIVE MODE; COMMIT');
  assert.deepEqual(
    (await read).map(({ isReplica }) => isReplica),
    [false],
  );
  assert.deepEqual(failures, ['40001']);
  assert.deepEqual(lost, [], 'the replica is still there');
  await servers.onReplica('ALTER SYSTEM RESET max_standby_streaming_delay');
  await servers.onReplica('SELECT pg_reload_conf()');
});
