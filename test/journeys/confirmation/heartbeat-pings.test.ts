// What a ping may look like, and what it costs (docs/rules/monitor-types.md#pings).
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { before, test } from 'node:test';
import { recordPing } from '#src/heartbeats/ping.ts';
import { PINGS_PER_MINUTE } from '#src/heartbeats/ping-limit.ts';
import { type Place, startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';
import { every, jump, makeHeartbeat, type Pinged } from '#test/harness/heartbeat.ts';

let app: TestApp;
let place: Place;
let beat: Pinged;
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
  beat = await makeHeartbeat(app, place.projectId, { schedule: every(3600) });
});

const counted = async (of: Pinged = beat) => (await of.checks()).length;

test('GET, HEAD and POST are all pings, with or without a body of any type', async () => {
  const inits: RequestInit[] = [
    { method: 'GET' },
    { method: 'HEAD' },
    { method: 'POST' },
    { method: 'POST', body: '{"not json', headers: { 'content-type': 'application/json' } },
    { method: 'POST', body: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    { method: 'POST', body: new Uint8Array([0, 255, 0, 65]), headers: { 'content-type': 'image/png' } },
    { method: 'POST', body: 'x', headers: { 'content-type': 'nonsense' } },
    { method: 'POST', body: 'x', headers: { origin: 'https://elsewhere.example' } },
  ];
  for (const init of inits) {
    const before = await counted();
    await beat.ping('', init);
    assert.equal(await counted(), before + 1, JSON.stringify(init));
  }
});

test('a body without a content type is accepted, without NUL', async () => {
  const { hostname, port, pathname } = new URL(beat.url());
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST ${pathname} HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\nconnection: close\r\n\r\na\0b\0c`,
  );
  const [answer] = await once(socket, 'data');
  assert.match(String(answer), /^HTTP\/1.1 200 /);
  socket.destroy();
  assert.equal((await beat.checks())[0]?.detail, 'abc');
});

test('a ping with a far too large body still counts', async () => {
  const before = await counted();
  await beat.ping('', { method: 'POST', body: 'y'.repeat(900_000) });
  assert.equal(await counted(), before + 1);
  assert.equal((await beat.checks())[0]?.detail?.length, 10 * 1024);
});

test('an endless body is answered once enough of it was read', async () => {
  const before = await counted();
  const { hostname, port, pathname } = new URL(beat.url());
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(`POST ${pathname} HTTP/1.1\r\nhost: x\r\ncontent-length: 100000000\r\n\r\n`);
  socket.write('z'.repeat(1_200_000));
  const [answer] = await once(socket, 'data');
  assert.match(String(answer), /^HTTP\/1.1 200 .*connection: close/is);
  socket.destroy();
  assert.equal(await counted(), before + 1);
});

test('the stored part of a body does not end within a character', async () => {
  await beat.ping('', { method: 'POST', body: `${'x'.repeat(10 * 1024 - 1)}€€€` });
  assert.equal((await beat.checks())[0]?.detail, 'x'.repeat(10 * 1024 - 1));
});

test('an unknown token, and a request that is no ping, are 404', async () => {
  const unknown = beat.url().replace(/[^/]+$/, 'AAAAAAAAAAAAAAAAAAAAAAAAAAA');
  for (const url of [
    unknown,
    `${unknown}/fail`,
    beat.url('/stop'),
    beat.url('/1.5'),
    beat.url('/99999999999'),
    beat.url('/1/2'),
  ]) {
    const answer = await fetch(url);
    assert.equal(answer.status, 404, url);
    assert.equal(((await answer.json()) as { error: string }).error, 'not_found');
  }
  assert.equal((await fetch(beat.url(), { method: 'PUT' })).status, 404);
});

test('a rid that is too long, or a second one, is refused', async () => {
  for (const query of [`?rid=${'r'.repeat(65)}`, '?rid=a&rid=b', '?rid=%00']) {
    const answer = await fetch(beat.url(query));
    assert.equal(answer.status, 400);
    assert.equal(((await answer.json()) as { field: string }).field, 'rid');
  }
});

test('only the newest twenty runs are stored', async () => {
  const own = await makeHeartbeat(app, place.projectId, { schedule: every(3600) });
  for (let i = 0; i < 25; i++) {
    app.clock.advance(1000);
    await own.ping(`/start?rid=${i}`);
  }
  const { runs } = await own.status();
  assert.deepEqual([runs.length, runs[0]?.rid, runs.at(-1)?.rid], [20, '24', '5']);
});

test('twenty pings at once are twenty checks, and leave the monitor as it is', async () => {
  const own = await makeHeartbeat(app, place.projectId, { schedule: every(3600) });
  await Promise.all(Array.from({ length: 20 }, () => own.ping()));
  const checks = await own.checks();
  assert.deepEqual([checks.length, (await own.read()).last_status], [20, 'passed']);
});

test('twenty failures and successes at once end in the state of the last one', async () => {
  const own = await makeHeartbeat(app, place.projectId, { schedule: every(3600) });
  await Promise.all(Array.from({ length: 20 }, (_, i) => own.ping(i % 2 === 0 ? '/fail' : '')));
  const checks = await own.checks();
  assert.deepEqual(checks.length, 20);
  const { rows } = await (await import('kysely')).sql<{ unread_from: Date | null; last_ok: boolean }>`
    SELECT h.unread_from, h.last_ok FROM heartbeats h JOIN monitors m ON m.no = h.monitor_no
    WHERE m.id = ${own.monitor.id}`.execute(app.db);
  assert.equal(rows[0]?.unread_from, null, 'every result was evaluated');
  assert.equal(checks[0]?.status, rows[0]?.last_ok ? 'up' : 'down');
});

test('a ping of a steady monitor takes one statement', async () => {
  await beat.ping();
  const statements: string[] = [];
  const counting = app.db.withPlugin({
    transformQuery: ({ node }) => {
      statements.push(node.kind);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  app.clock.advance(1000);
  const token = new URL(beat.url()).pathname.split('/').at(-1) ?? '';
  const signal = { kind: 'ended', ok: true, code: null } as const;
  const received = await recordPing(counting, { token, rid: '', signal, body: null }, app.clock.now());
  assert.equal(received?.needsEvaluation, false);
  assert.equal(statements.length, 1);
  assert.equal((await beat.checks())[0]?.checked_at_unix, Math.floor(app.clock.ms() / 1000));
});

test('pings of a switched-off monitor are answered and not stored', async () => {
  const own = await makeHeartbeat(app, place.projectId, { schedule: every(60) });
  await own.ping();
  await app.alice.ok('PATCH', `/monitors/${own.monitor.id}`, { enabled: false });
  await own.ping('/fail');
  await jump(app, 600);
  assert.equal(await counted(own), 1);
  await app.alice.ok('PATCH', `/monitors/${own.monitor.id}`, { enabled: true });
  await jump(app, 30);
  assert.deepEqual([await counted(own), await own.incidents()], [1, []]);
});

test('a heartbeat that is switched on again waits a whole period before silence counts', async () => {
  const own = await makeHeartbeat(app, place.projectId, { schedule: every(60), grace_seconds: 0 });
  await own.ping();
  await app.alice.ok('PATCH', `/monitors/${own.monitor.id}`, { enabled: false });
  app.clock.advance(86_400_000);
  await app.alice.ok('PATCH', `/monitors/${own.monitor.id}`, { enabled: true });
  const at = Math.floor(app.clock.ms() / 1000);
  assert.equal((await own.status()).due_at_unix, at + 60);
});

test('a shorter schedule is measured from when it was set', async () => {
  const own = await makeHeartbeat(app, place.projectId, { schedule: every(86_400) });
  await own.ping();
  await jump(app, 7200);
  await app.alice.ok('PATCH', `/monitors/${own.monitor.id}`, { config: { schedule: every(3600) } });
  const at = Math.floor(app.clock.ms() / 1000);
  await jump(app, 1);
  assert.deepEqual([(await own.status()).due_at_unix, await own.incidents()], [at + 3600, []]);
  assert.equal((await own.read()).last_status, 'passed');
});

test('the address survives edits, and is deleted with the monitor', async () => {
  const own = await makeHeartbeat(app, place.projectId, { schedule: every(60) });
  await app.alice.ok('PATCH', `/monitors/${own.monitor.id}`, {
    config: { grace_seconds: 5 },
    name: own.monitor.name,
  });
  assert.deepEqual((await own.read()).config, { ...(own.monitor.config as object), grace_seconds: 5 });
  await own.ping();
  await app.alice.ok('DELETE', `/monitors/${own.monitor.id}`);
  assert.equal((await fetch(own.url())).status, 404);
});

test('other monitors have no heartbeat', async () => {
  const body = { name: 'No heartbeat', type: 'http', config: { url: 'https://shop.example.com/' } };
  const { id } = await app.alice.ok<{ id: string }>('POST', `/projects/${place.projectId}/monitors`, body);
  const { status, body: refusal } = await app.alice.send<{ error: string }>(
    'GET',
    `/monitors/${id}/heartbeat`,
  );
  assert.deepEqual([status, refusal.error], [404, 'not_found']);
});

test('a runaway loop is rate-limited', async () => {
  await using limited = await startTestApp({ env: { RATE_LIMITS: 'on' } });
  const own = await makeHeartbeat(limited, limited.home.projectId, { schedule: every(60) });
  for (let i = 0; i < PINGS_PER_MINUTE; i++) await own.ping();
  const answer = await fetch(own.url());
  assert.equal(answer.status, 429);
  assert.ok(Number(answer.headers.get('retry-after')) > 0);
});
