// A database that is there and does not answer: nobody waits for it, and it is found again by itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import type { Monitor } from '#src/monitors/contract.ts';
import { makeClock, PASSWORD, startNode, startTestApp } from '#test/harness/app.ts';
import { kill } from '#test/harness/bundled-postgres.ts';
import { makeClient, signIn } from '#test/harness/client.ts';
import { databaseUrl, startTestCluster, TEMPLATE } from '#test/harness/cluster.ts';
import { startCutLine } from '#test/harness/cut-line.ts';
import { openEventStream } from '#test/harness/event-stream.ts';
import { until } from '#test/harness/until.ts';

const TICK_MS = 10;
/** A tick that comes so late is held up; less is how timers are. */
const HELD_UP_MS = 20;
/** How late the server's look at the database may come; one that is later is left to the next, 250 ms after it. */
const LOOK_MS = 250;

/** Begins to count the time in which this process, the server in it too, is kept from running; milliseconds. */
function countHeldUp(): { sinceThen: () => number; stop: () => void } {
  let lastMs = performance.now();
  let heldUpMs = 0;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const lateMs = nowMs - lastMs - TICK_MS;
    lastMs = nowMs;
    if (lateMs > HELD_UP_MS) heldUpMs += lateMs + (lateMs > LOOK_MS / 2 ? LOOK_MS : 0);
  }, TICK_MS);
  return { sinceThen: () => heldUpMs, stop: () => clearInterval(timer) };
}

const ADMIN = { ADMIN_EMAIL: 'alice@example.com', ADMIN_PASSWORD: PASSWORD, ADMIN_ORGANIZATION: 'Example' };

test('a request to a suspended database is soon 503, the next ones at once, and everything works when it continues', async () => {
  await using stack = new AsyncDisposableStack();
  const cluster = await startTestCluster();
  stack.defer(() => cluster.stop());
  const admin = new pg.Client({ connectionString: cluster.url });
  await admin.connect();
  await admin.query(`CREATE DATABASE hangs TEMPLATE ${TEMPLATE}`);
  await admin.end();
  const node = await startNode(stack, databaseUrl(cluster.url, 'hangs'), makeClock(), ADMIN);
  const alice = makeClient(node.app.address);
  await signIn(alice, ADMIN.ADMIN_EMAIL, PASSWORD);
  assert.equal((await alice.send('GET', '/me')).status, 200);

  const stopped = await cluster.processes();
  assert.ok(stopped.length > 3);
  const goOn = () => {
    for (const pid of stopped.toReversed()) kill(pid, 'SIGCONT');
  };
  stack.defer(goOn);
  const heldUp = countHeldUp();
  stack.defer(heldUp.stop);
  for (const pid of stopped) kill(pid, 'SIGSTOP');
  const ask = async (path: string) => {
    const before = heldUp.sinceThen();
    const startedAt = performance.now();
    const response = await fetch(`${node.app.address}${path}`, { headers: { cookie: alice.cookie() } });
    const { error } = (await response.json()) as { error: string };
    const tookMs = performance.now() - startedAt - (heldUp.sinceThen() - before);
    return { status: response.status, error, retryAfter: response.headers.get('retry-after'), tookMs };
  };
  const first = await Promise.all(['/me', '/me/organizations', '/admin/regions'].map(ask));
  for (const { tookMs, ...answer } of first) {
    assert.deepEqual(answer, { status: 503, error: 'unavailable', retryAfter: '2' });
    // By the time that the server had: what a loaded machine kept from it is none of its own.
    assert.ok(tookMs < 2_000, `${tookMs} ms`);
  }
  // Known by now: nothing is asked of it.
  const second = await Promise.all(Array.from({ length: 30 }, () => ask('/me')));
  assert.deepEqual([...new Set(second.map(({ status }) => status))], [503]);
  assert.ok(Math.min(...second.map(({ tookMs }) => tookMs)) < 1_000);

  goOn();
  await until(async () => (await alice.send('GET', '/me')).status === 200, 'it is there again', 10_000);
});

test('a listening connection that no longer receives is detected, and the missed events are read', async () => {
  await using stack = new AsyncDisposableStack();
  const line = await startCutLine();
  stack.defer(() => line.stop());
  const app = stack.use(await startTestApp({ throughUrl: line.urlThrough }));
  const there = stack.use(await app.another());
  const { orgId, projectId } = app.home;
  const stream = await openEventStream(`${app.url}/organizations/${orgId}/events`, app.alice.cookie());
  stack.defer(() => stream.stop());
  assert.equal(line.swallow('tocsin listen'), 1);
  const elsewhere = makeClient(there.url);
  await signIn(elsewhere, app.alice.email, PASSWORD);
  const body = { name: 'Made elsewhere', type: 'http', config: { url: 'https://shop.example.com/' } };
  const { id } = await elsewhere.ok<Monitor>('POST', `/projects/${projectId}/monitors`, body);
  await stream.next((event) => event.data.monitor_id === id);
});
