// The disk of the database runs full: results wait at the probes, what cannot be sent again goes on, and nothing is made up.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { watchTurn } from '#src/heartbeats/loop.ts';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { WebhookTarget } from '#src/notifications/contract.ts';
import { createLog } from '#src/platform/log.ts';
import { makeEnsureDays } from '#src/series/days.ts';
import { PASSWORD, startTestApp, type TestApp } from '#test/harness/app.ts';
import { makeClient, signIn } from '#test/harness/client.ts';
import { silent } from '#test/harness/cluster.ts';
import { every, makeHeartbeat } from '#test/harness/heartbeat.ts';
import { type Probe, resultOf } from '#test/harness/probe.ts';
import { startReceiver } from '#test/harness/receiver.ts';
import { until } from '#test/harness/until.ts';

const MIB = 1024 * 1024;
const ENOUGH = 5000 * MIB;
const TOO_LITTLE = 100 * MIB;

/** An application on a disk of 10 GiB that is as full as the test says. */
async function onDisk(env: Record<string, string> = {}) {
  let freeBytes = ENOUGH;
  const errors: string[] = [];
  const log = createLog('error', false, (line) => errors.push((JSON.parse(line) as { msg: string }).msg));
  const readDisk = async () => ({ freeBytes, totalBytes: 10_240 * MIB });
  const app = await startTestApp({ env, log, readDisk });
  const takesResults = async () =>
    (await app.visitor().ok<{ ok: boolean; results: boolean }>('GET', '/readyz')).results;
  const leave = async (bytes: number) => {
    freeBytes = bytes;
    await until(async () => (await takesResults()) === bytes > TOO_LITTLE, 'the guard has looked');
  };
  return { app, errors, leave, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

const create = (app: TestApp, fields: object = {}) =>
  app.alice.ok<Monitor>('POST', `/projects/${app.home.projectId}/monitors`, {
    name: 'Shop',
    type: 'http',
    config: { url: 'https://shop.example.com/' },
    interval_seconds: 10,
    ...fields,
  });
const incidentsOf = (app: TestApp, { id }: Monitor) =>
  app.alice.ok<IncidentSummary[]>('GET', `/monitors/${id}/incidents`);
const gauge = async (app: TestApp, name: string) =>
  new RegExp(`^${name} (\\S+)$`, 'm').exec(await app.visitor().ok<string>('GET', '/metrics'))?.[1];

test('with little space left results are refused until there is enough again; alarms, pings and sign-in continue', async (t) => {
  await using disk = await onDisk();
  const { app, errors } = disk;
  const receiver = await startReceiver();
  t.after(() => receiver.stop());
  const hook = { name: 'Hook', kind: 'webhook', url: receiver.url, events: ['opened', 'acknowledged'] };
  const { secret } = await app.alice.ok<WebhookTarget & { secret: string }>(
    'POST',
    `/organizations/${app.home.orgId}/webhooks`,
    hook,
  );
  receiver.trust(secret);
  const monitor = await create(app);
  const probe = app.probe();
  for (let i = 0; i < 3; i++) {
    app.clock.advance(10_000);
    await probe.says(monitor.id, 'down');
  }
  const [incident] = await incidentsOf(app, monitor);
  assert.equal(incident?.status, 'open');
  const beat = await makeHeartbeat(app, app.home.projectId, { schedule: every(60) });
  assert.deepEqual(
    [await gauge(app, 'tocsin_results_paused'), await gauge(app, 'tocsin_disk_free_bytes')],
    ['0', String(ENOUGH)],
  );

  await disk.leave(TOO_LITTLE);
  const kept = resultOf(monitor.id, app.clock.ms() + 1_000, 'down');
  const answer = await fetch(`${app.url}/probe/results`, {
    method: 'POST',
    headers: { authorization: `Bearer ${probe.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ probe_id: 'probe-1', results: [kept] }),
  });
  assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '10']);
  assert.equal(((await answer.json()) as { error: string }).error, 'unavailable');
  assert.deepEqual(
    [await gauge(app, 'tocsin_results_paused'), await gauge(app, 'tocsin_disk_free_bytes')],
    ['1', String(TOO_LITTLE)],
  );
  const { results_paused_since_unix: since, ...ready } = await app
    .visitor()
    .ok<Record<string, unknown>>('GET', '/readyz');
  assert.deepEqual(ready, {
    ok: true,
    roles: ['api', 'ingest', 'jobs', 'pages'],
    database: true,
    migrations: true,
    jobs: true,
    reason: null,
    replica: null,
    results: false,
  });
  const ageSeconds = app.clock.ms() / 1000 - Number(since);
  assert.ok(ageSeconds >= 0 && ageSeconds < 60, `paused since ${ageSeconds} s`);
  await beat.ping('', { method: 'POST', body: 'a long text' });
  const [ping] = await beat.checks();
  assert.deepEqual([ping?.status, ping?.detail], ['up', null]);
  await signIn(makeClient(app.url), app.alice.email, PASSWORD);
  await app.alice.ok('POST', `/organizations/${app.home.orgId}/incidents/${incident.id}/ack`);
  await receiver.next(({ event }) => event === 'acknowledged');

  await disk.leave(ENOUGH);
  assert.deepEqual((await probe.post([kept])).body.accepted, 1);
  assert.equal(errors.length, 2, errors.join('\n'));
  assert.match(errors[0]!, /full, or nearly/);
  assert.match(errors[1]!, /has space again/);
});

test('probes whose results are refused stay online, and the first to report again is not the whole quorum', async () => {
  await using disk = await onDisk({ LOCAL_PROBE: 'off' });
  const { app } = disk;
  const probes: Record<string, Probe> = {};
  for (const slug of ['a', 'b', 'c']) probes[slug] = await app.region(slug);
  const monitor = await create(app, { regions: ['a', 'b', 'c'], policy: { alarm_quorum_mode: 'all' } });
  const sees = (slug: string, atMs: number) => resultOf(monitor.id, atMs, slug === 'c' ? 'up' : 'down');
  const round = async (status: number) => {
    app.clock.advance(10_000);
    for (const [slug, probe] of Object.entries(probes)) {
      await probe.assignments();
      assert.equal((await probe.post([sees(slug, app.clock.ms())])).status, status);
    }
  };
  for (let i = 0; i < 3; i++) await round(200);
  await disk.leave(TOO_LITTLE);
  const fromMs = app.clock.ms();
  for (let i = 0; i < 30; i++) await round(503);
  assert.deepEqual(await incidentsOf(app, monitor), []);
  const regions = await app.alice.ok<{ slug: string; online: boolean }[]>('GET', '/regions');
  assert.deepEqual(
    regions.filter(({ online }) => !online),
    [],
  );

  await disk.leave(ENOUGH);
  for (const [slug, probe] of Object.entries(probes)) {
    const backlog = Array.from({ length: 30 }, (_, i) => sees(slug, fromMs + (i + 1) * 10_000));
    assert.equal((await probe.post(backlog)).body.accepted, 30);
    assert.deepEqual(await incidentsOf(app, monitor), []);
  }
});

test('a database that reports a full disk gets no large writes for a while, wherever it runs', async () => {
  await using app = await startTestApp();
  const monitor = await create(app);
  const probe = app.probe();
  const beat = await makeHeartbeat(app, app.home.projectId, { schedule: every(60) });
  await sql`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`.execute(
    app.db,
  );
  await sql`CREATE TRIGGER full_disk BEFORE INSERT ON checks FOR EACH ROW EXECUTE FUNCTION full_disk()`.execute(
    app.db,
  );
  const results = [resultOf(monitor.id, app.clock.ms(), 'up')];
  assert.equal((await fetch(beat.url())).status, 503);
  assert.equal(await gauge(app, 'tocsin_results_paused'), '1');
  assert.equal(await gauge(app, 'tocsin_disk_free_bytes'), undefined);
  await sql`DROP TRIGGER full_disk ON checks`.execute(app.db);
  assert.equal((await probe.post(results)).status, 503);
  await beat.ping();
});

test('a heartbeat whose pings could not be stored does not fail for it', async () => {
  await using app = await startTestApp();
  const beat = await makeHeartbeat(app, app.home.projectId, { schedule: every(60), grace_seconds: 5 });
  let isFull = false;
  const { db, clock } = app;
  const disk = { databaseFull: () => isFull };
  const runFor = async (seconds: number) => {
    for (let i = 0; i < seconds; i++) {
      clock.advance(1_000);
      await watchTurn({ db, ensureDays: makeEnsureDays(db), clock: clock.now, log: silent, disk });
    }
  };
  await runFor(1);
  await beat.ping();
  await runFor(50);
  isFull = true;
  await runFor(60);
  isFull = false;
  await runFor(50);
  assert.deepEqual(
    (await beat.checks()).map(({ status }) => status),
    ['up'],
  );
  await beat.ping();
  await runFor(66);
  assert.equal((await beat.checks())[0]?.status, 'down');
});
