// HEARTBEAT_OUT_URL: another installation watches this one.
import assert from 'node:assert/strict';
import { before, beforeEach, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { registry } from '#src/platform/metrics.ts';
import { sendHeartbeat, startHeartbeatOut } from '#src/server/heartbeat-out.ts';
import { startAppOfFile, startNode, type TestApp } from '#test/harness/app.ts';
import { silent } from '#test/harness/cluster.ts';
import { freshDatabase } from '#test/harness/database.ts';
import { closedPort, httpServer } from '#test/harness/listeners.ts';
import { makeProbe } from '#test/harness/probe.ts';
import { until } from '#test/harness/until.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});
beforeEach(async () => {
  await sql`DELETE FROM delivery_queue`.execute(app.db);
  await sql`UPDATE webhook_targets SET failing_since = NULL`.execute(app.db);
  app.clock.advance(600_000);
  await app.probe().ask();
});

/** A receiver of heartbeats: the method and path of every call. */
async function receiver(t: TestContext, status = 200) {
  const calls: string[] = [];
  const port = await httpServer(t, (request, response) => {
    calls.push(`${request.method} ${request.url}`);
    response.writeHead(status).end('OK');
  });
  return { calls, url: `http://127.0.0.1:${port}/heartbeat/a-token/` };
}

const beat = (url: string, resultsPaused = false) =>
  sendHeartbeat({
    url,
    db: app.db,
    clock: app.clock.now,
    log: silent,
    disk: { resultsPaused: () => resultsPaused },
  });

/** A delivery that fell due so many seconds ago, to a target of the first organization. */
async function waiting(
  secondsAgo: number,
  more: { failing?: boolean; sending?: boolean } = {},
): Promise<void> {
  const { id } = await app.alice.ok<{ id: string }>('POST', `/organizations/${app.home.orgId}/webhooks`, {
    name: `Hook ${Math.random()}`,
    kind: 'webhook',
    url: `http://127.0.0.1:${await closedPort()}/`,
    events: ['opened'],
  });
  const due = new Date(app.clock.ms() - secondsAgo * 1000);
  await sql`INSERT INTO delivery_queue (seq, delivery_id, created_at, event_id, org_id, target_id, lane, urgency, next_attempt_at)
    VALUES (nextval('delivery_seq'), ${`dlv_${id}`}, ${due}, 'evt_x', ${app.home.orgId}, ${id}, ${id}, 0, ${due})`.execute(
    app.db,
  );
  if (more.sending)
    await sql`UPDATE delivery_queue SET leased_until = ${new Date(app.clock.ms() + 10_000)} WHERE target_id = ${id}`.execute(
      app.db,
    );
  if (more.failing)
    await sql`UPDATE webhook_targets SET failing_since = ${due} WHERE id = ${id}`.execute(app.db);
}

test('while checks are made and nothing waits, the exact URL is called with GET', async (t) => {
  const { calls, url } = await receiver(t);
  assert.deepEqual(await beat(url), { kind: 'called' });
  assert.deepEqual(calls, ['GET /heartbeat/a-token/']);
});

test('it is not called while no region is online', async (t) => {
  const { calls, url } = await receiver(t);
  app.clock.advance(60_000);
  assert.deepEqual(await beat(url), { kind: 'not_well', reason: 'no region is online: nothing is checked' });
  assert.deepEqual(calls, []);
});

test('it is not called while results are not stored', async (t) => {
  const { calls, url } = await receiver(t);
  const { kind } = await beat(url, true);
  assert.deepEqual([kind, calls], ['not_well', []]);
});

test('it is not called while a delivery has waited unattempted for over a minute, but is for less', async (t) => {
  const { calls, url } = await receiver(t);
  await waiting(50);
  assert.equal((await beat(url)).kind, 'called');
  await waiting(61);
  assert.equal((await beat(url)).kind, 'not_well');
  assert.equal(calls.length, 1);
});

test('a failing target does not count, however long its deliveries wait', async (t) => {
  const { url } = await receiver(t);
  await waiting(3_600, { failing: true });
  assert.equal((await beat(url)).kind, 'called');
});

test('an organization that is being served does not prevent it, however much more of it waits', async (t) => {
  const { url } = await receiver(t);
  await waiting(3_600);
  assert.equal((await beat(url)).kind, 'not_well');
  await waiting(0, { sending: true });
  assert.equal((await beat(url)).kind, 'called');
});

test('a receiver’s refusal is reported, and the reason never contains the address', async (t) => {
  const { url } = await receiver(t, 500);
  assert.deepEqual(await beat(url), { kind: 'in_vain', reason: 'it answered with status 500' });
  const gone = await beat(`http://127.0.0.1:${await closedPort()}/heartbeat/a-token`);
  assert.equal(gone.kind, 'in_vain');
  assert.doesNotMatch(JSON.stringify(gone), /a-token/);
});

test('a server calls within 10 s of its start, as soon as a probe is online', async (t) => {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await freshDatabase());
  const { calls, url } = await receiver(t);
  const env = {
    ADMIN_EMAIL: 'a@example.com',
    ADMIN_PASSWORD: 'a long enough password',
    HEARTBEAT_OUT_URL: url,
  };
  const { app: started } = await startNode(stack, database.url, { elapsedMs: () => performance.now() }, env);
  const startedAt = performance.now();
  await makeProbe(started.address, started.localProbeToken ?? '', { ms: Date.now }).ask();
  await until(() => calls.length > 0, 'the first call', 60_000);
  t.diagnostic(`called after ${Math.round(performance.now() - startedAt)} ms`);
  assert.deepEqual(calls, ['GET /heartbeat/a-token/']);
});

test('an address that has never answered has a time since when it does not, for the alert', async () => {
  const beats = startHeartbeatOut({
    url: `http://127.0.0.1:${await closedPort()}/`,
    db: app.db,
    clock: app.clock.now,
    log: silent,
    disk: { resultsPaused: () => false },
  });
  await beats.stop();
  const text = await registry.getSingleMetricAsString('tocsin_heartbeat_out_begun_timestamp_seconds');
  assert.equal(Number(/^tocsin_\w+ (\S+)$/m.exec(text)?.[1]), app.clock.ms() / 1000);
});

test('a stop ends a call that nobody answers', async (t) => {
  const called = Promise.withResolvers<void>();
  const port = await httpServer(t, () => called.resolve());
  const stopping = new AbortController();
  const options = {
    url: `http://127.0.0.1:${port}/`,
    db: app.db,
    clock: app.clock.now,
    log: silent,
    disk: { resultsPaused: () => false },
  };
  const calling = sendHeartbeat(options, stopping.signal);
  await called.promise;
  stopping.abort();
  const outcome = await calling;
  assert.match(outcome.kind === 'called' ? '' : outcome.reason, /called off/);
});
