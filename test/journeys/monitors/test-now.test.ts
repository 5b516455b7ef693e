// "Test now": a target checked once, at once, from one region; whoever asks is told everything it was judged by.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import { startProbe } from '#probe/start.ts';
import { startCheckNow } from '#src/check-now/check-now.ts';
import type { MonitorTestReport } from '#src/check-now/contract.ts';
import { TESTS_AT_A_TIME, TESTS_PER_MINUTE } from '#src/check-now/test-limits.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Database } from '#src/platform/work.ts';
import { storeCheckRequest } from '#src/probe-protocol/check-now.ts';
import { type Person, type Place, startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';
import { fingerprint } from '#test/harness/fingerprint.ts';
import { httpServer } from '#test/harness/listeners.ts';
import type { Probe } from '#test/harness/probe.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { until } from '#test/harness/until.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile({ env: { ALLOW_SINGLE_LABEL_HOSTS: 'off' } });
});

const pathOf = ({ projectId }: Place) => `/projects/${projectId}/monitor-tests`;
const tryNow = (body: object, place = app.home, person: Person = app.alice) =>
  person.send<MonitorTestReport>('POST', pathOf(place), body);
const http = (url: string, config: object = {}) => ({ type: 'http', config: { url, ...config } });

let regions = 0;
/** A region with a real probe in it. */
async function realProbe(t: TestContext): Promise<{ slug: string; probeId: string }> {
  regions += 1;
  const slug = `real-${regions}`;
  const { token } = await app.region(slug);
  const dataDir = await mkdtemp(join(tmpdir(), 'probe-'));
  const probe = await startProbe({ url: app.url, token, dataDir, log: () => undefined });
  t.after(async () => {
    await probe.stop();
    await rm(dataDir, { recursive: true });
  });
  const asked = () => app.db.selectFrom('probes').select('asked_at').where('probe_id', '=', probe.probeId);
  while (!(await asked().executeTakeFirst())) await new Promise((resolve) => setImmediate(resolve));
  return { slug, probeId: probe.probeId };
}

/** A region whose probe answers as the test says. */
async function madeUpProbe(): Promise<{ slug: string; probe: Probe }> {
  regions += 1;
  const slug = `made-up-${regions}`;
  const probe = await app.region(slug);
  await probe.assignments();
  return { slug, probe };
}

type Assigned = Awaited<ReturnType<Probe['assignments']>>;
/** Waits for a test to be handed out. */
async function handedOut(probe: Probe): Promise<Assigned['tests'][number]> {
  let assigned = await probe.assignments();
  while (assigned.tests.length === 0)
    assigned = await probe.assignments({ since: assigned.revision, epoch: assigned.epoch, wait: 25 });
  return assigned.tests[0]!;
}
const report = (probe: Probe, probe_id: string, test_id: string, at = app.url) =>
  fetch(`${at}/probe/test-results`, {
    method: 'POST',
    headers: { authorization: `Bearer ${probe.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ probe_id, test_id, observed: { status: 'up', latency_ms: 3 }, judgements: [] }),
  }).then((response) => response.json() as Promise<{ accepted: boolean }>);

test('a real probe checks a target at once and returns every assertion, and nothing is stored', async (t) => {
  const { slug, probeId } = await realProbe(t);
  let asked = 0;
  const target = await httpServer(t, (_, response) => {
    asked += 1;
    response.writeHead(503).end('out of order');
  });
  const before = await fingerprint(app.db);
  const answer = await tryNow({ ...http(`http://127.0.0.1:${target}/`), region: slug });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const { judgements, timings_ms, latency_ms, ...body } = answer.body;
  assert.deepEqual(
    [body.region, body.probe_id, body.status, body.failure_class, body.response_code, asked],
    [slug, probeId, 'down', 'http_status', 503, 1],
  );
  assert.ok((latency_ms ?? -1) >= 0 && (timings_ms?.connect ?? -1) >= 0);
  assert.ok(
    judgements.some(({ ok, actual }) => !ok && actual.includes('503')),
    JSON.stringify(judgements),
  );
  assert.deepEqual(await fingerprint(app.db), before);
  assert.deepEqual(await app.db.selectFrom('test_runs').select('id').execute(), []);
});

test('the stored secrets of a masked monitor are used, and no other project’s', async (t) => {
  const { slug } = await realProbe(t);
  let sent: string | undefined;
  const target = await httpServer(t, (request, response) => {
    sent = request.headers.authorization;
    response.end('ok');
  });
  const auth = (token: string) => ({ auth: { kind: 'bearer', token } });
  const stored = await app.alice.ok<Monitor>('POST', `/projects/${app.home.projectId}/monitors`, {
    name: 'With a secret',
    ...http(`http://127.0.0.1:${target}/`, auth('open sesame')),
    regions: [slug],
  });
  const body = { ...http(`http://127.0.0.1:${target}/`, auth('••••')), region: slug, monitor_id: stored.id };
  assert.equal((await tryNow(body)).body.status, 'up');
  assert.equal(sent, 'Bearer open sesame');
  const elsewhere = await app.place();
  const foreign = await tryNow(body, elsewhere);
  assertRefused(foreign, { status: 400, error: 'invalid_request', field: 'monitor_id' });
  const unknown = await tryNow({ ...body, monitor_id: null });
  assertRefused(unknown, { status: 400, error: 'invalid_request', field: 'config.auth.token' });
});

test('an invalid config is refused like a write, with its field', async () => {
  const { slug } = await madeUpProbe();
  const silent = 'silent-region';
  await app.region(silent);
  const internal = 'internal-region';
  await app.region(internal, { internal: true });
  const good = { ...http('https://shop.example.com/'), region: slug };
  const cases: [object, object][] = [
    [{ type: 'telepathy' }, { error: 'unknown_type', field: 'type' }],
    [
      { type: 'heartbeat', config: {} },
      { error: 'invalid_request', field: 'type' },
    ],
    [
      { type: 'group', config: {} },
      { error: 'invalid_request', field: 'type' },
    ],
    [
      http('https://localhost/'),
      { error: 'invalid_target', field: 'config.url', reason: 'needs_two_labels' },
    ],
    [http('https://shop.example.com/', { colour: 1 }), { error: 'invalid_request', field: 'config.colour' }],
    [http('http://169.254.169.254/'), { error: 'invalid_target', field: 'config.url' }],
    [{ region: 'nowhere' }, { error: 'unknown_region', field: 'region' }],
    [{ region: '' }, { error: 'unknown_region', field: 'region' }],
    [{ region: internal }, { error: 'internal_region', field: 'region' }],
    [{ region: silent }, { error: 'invalid_request', field: 'region' }],
    [{ monitor_id: 'mon_nonsense' }, { error: 'invalid_request', field: 'monitor_id' }],
    [{ colour: 'red' }, { error: 'invalid_request', field: 'colour' }],
  ];
  for (const [fields, refusal] of cases)
    assertRefused(
      await tryNow({ ...good, ...fields }),
      { status: 400, ...refusal } as Parameters<typeof assertRefused>[1],
      JSON.stringify(fields),
    );
  assert.deepEqual(await app.db.selectFrom('test_runs').select('id').execute(), []);
});

test('a test goes to one of the probes, and only that one may answer it', async () => {
  const { slug, probe } = await madeUpProbe();
  const [one, two] = [probe.named('one'), probe.named('two')];
  const answered = tryNow({ ...http('https://shop.example.com/', { timeout_ms: 4_000 }), region: slug });
  const { test_id, organization_id, type, config } = await handedOut(one);
  assert.equal(organization_id, app.home.orgId);
  assert.deepEqual([type, (config as { timeout_ms: number }).timeout_ms], ['http', 4_000]);
  assert.deepEqual((await two.assignments()).tests, []);
  assert.equal((await report(probe, 'two', test_id)).accepted, false);
  assert.equal((await report(app.probe(), 'one', test_id)).accepted, false, 'of another region');
  assert.equal((await report(probe, 'one', test_id)).accepted, true);
  const { body } = await answered;
  assert.deepEqual([body.probe_id, body.status, body.latency_ms], ['one', 'up', 3]);
  assert.equal((await report(probe, 'one', test_id)).accepted, false, 'nobody waits any more');
});

test('the result may arrive through another server', async () => {
  const { slug, probe } = await madeUpProbe();
  await using other = await app.another();
  const answered = tryNow({ ...http('https://shop.example.com/'), region: slug });
  const { test_id } = await handedOut(probe);
  assert.equal((await report(probe, 'probe-1', test_id, other.url)).accepted, true);
  assert.equal((await answered).status, 200);
});

/** Asks for a test of half a second on this database, without a server between. */
function askDirectly(db: Database, slug: string, response: ServerResponse): Promise<unknown> {
  const listener = {
    listen: () => undefined,
    askTime: async () => 0,
    drop: () => undefined,
    stop: async () => undefined,
  };
  const { vault } = app;
  const checkNow = startCheckNow(db, {
    vault,
    allowSingleLabel: false,
    listener,
    limited: false,
    graceMs: 0,
  });
  const call = {
    params: { project_id: app.home.projectId },
    resource: { orgId: app.home.orgId },
    body: { ...http('https://shop.example.com/', { timeout_ms: 500 }), region: slug },
    within: null,
    now: app.clock.now(),
    reply: { raw: response },
  };
  return checkNow.test(call as never);
}
const newResponse = () => new ServerResponse(new IncomingMessage(new Socket()));

test('if no probe answers in time the answer says so, and nothing keeps waiting', async () => {
  const { slug } = await madeUpProbe();
  await assert.rejects(askDirectly(app.db, slug, newResponse()), {
    code: 'unavailable',
    message: /No probe of the region/,
  });
  assert.deepEqual(await app.db.selectFrom('test_runs').select('id').execute(), []);
});

test('nothing is checked for a caller who disconnected while the test was being admitted', async () => {
  const { slug } = await madeUpProbe();
  const written: string[] = [];
  const db = app.db.withPlugin({
    transformQuery({ node }) {
      if (node.kind === 'InsertQueryNode') written.push(node.kind);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await assert.rejects(askDirectly(db, slug, newResponse().destroy()), { code: 'unavailable' });
  assert.deepEqual(written, []);
});

test('nothing waits for a caller who has disconnected', async () => {
  const { slug, probe } = await madeUpProbe();
  const abort = new AbortController();
  const gone = fetch(app.url + pathOf(app.home), {
    method: 'POST',
    headers: { cookie: app.alice.cookie(), 'content-type': 'application/json' },
    body: JSON.stringify({ ...http('https://shop.example.com/'), region: slug }),
    signal: abort.signal,
  });
  const { test_id } = await handedOut(probe);
  abort.abort();
  await assert.rejects(gone);
  const waiting = () => app.db.selectFrom('test_runs').select('id').where('id', '=', test_id).execute();
  while ((await waiting()).length > 0) await new Promise((resolve) => setImmediate(resolve));
});

test('each organization has thirty tests a minute', async () => {
  await using own = await startTestApp({ env: { RATE_LIMITS: 'on' } });
  const probe = own.probe();
  let busy = true;
  await probe.assignments();
  const working = (async () => {
    let assigned = await probe.assignments();
    while (busy) {
      for (const { test_id } of assigned.tests) await report(probe, 'probe-1', test_id, own.url);
      assigned = await probe.assignments({ since: assigned.revision, epoch: assigned.epoch, wait: 0 });
    }
  })();
  const other = await own.place();
  const body = http('https://shop.example.com/');
  for (let i = 0; i < TESTS_PER_MINUTE; i++)
    assert.equal((await own.alice.send('POST', pathOf(own.home), body)).status, 200);
  const refused = await own.alice.send('POST', pathOf(own.home), body);
  assertRefused(refused, { status: 429, error: 'rate_limited' });
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  assert.equal((await own.alice.send('POST', pathOf(other), body)).status, 200);
  busy = false;
  await working;
});

test('each organization has five tests at a time', async () => {
  await using own = await startTestApp({ env: { RATE_LIMITS: 'on' } });
  await own.probe().assignments();
  const other = await own.place();
  const abort = new AbortController();
  const body = JSON.stringify(http('https://shop.example.com/'));
  const headers = { cookie: own.alice.cookie(), 'content-type': 'application/json' };
  const ask = (place: typeof other) =>
    fetch(own.url + pathOf(place), { method: 'POST', headers, body, signal: abort.signal });
  const stored = () => own.db.selectFrom('test_runs').select('id').execute();
  const waiting = Array.from({ length: TESTS_AT_A_TIME }, () => ask(own.home).catch(() => undefined));
  await until(async () => (await stored()).length === TESTS_AT_A_TIME, 'they are under way');
  assert.equal((await ask(own.home)).status, 429);
  waiting.push(ask(other).catch(() => undefined));
  await until(async () => (await stored()).length === TESTS_AT_A_TIME + 1, 'that of another one too');
  abort.abort();
  await Promise.all(waiting);
  await until(async () => (await stored()).length === 0, 'nobody waits any more');
});

test('a test that takes its longest timeout is not taken for one of a server that died', async () => {
  const { no } = await app.db
    .selectFrom('regions')
    .select('no')
    .where('slug', '=', 'local')
    .executeTakeFirstOrThrow();
  const store = (seconds: number) =>
    storeCheckRequest(app.db, app.vault, {
      ...{ orgId: app.home.orgId, regionNo: no, type: 'http', config: {} },
      now: new Date(app.clock.ms() + seconds * 1000),
    });
  const stored = async (id: string) =>
    (await app.db.selectFrom('test_runs').select('id').where('id', '=', id).execute()).length === 1;
  const slow = await store(0);
  await store(310);
  assert.equal(await stored(slow), true);
  await store(601);
  assert.equal(await stored(slow), false);
});
