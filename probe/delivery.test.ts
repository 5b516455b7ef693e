import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Result } from '../src/probe-protocol/contract.ts';
import { type ProbeServer, probeServer } from '../test/harness/probe-server.ts';
import { serverClock } from './clock.ts';
import { type Delivery, startResultDelivery } from './delivery.ts';
import { type Call, type Link, type Outcome, openLink } from './link.ts';
import { openSpool, type Spool } from './spool.ts';

const result = (id: string, atMs: number, status: Result['status'] = 'up'): Result => ({
  monitor_id: id,
  checked_at_ms: atMs,
  status,
});

type World = { delivery: Delivery; said: string[]; dir: string; restart(): Promise<World> };

type Given = { dir?: string; spool?: Spool; call?: (call: Call, link: Link) => Promise<Outcome> };

async function world(t: TestContext, server: ProbeServer, given: Given = {}): Promise<World> {
  const dir = given.dir ?? (await mkdtemp(join(tmpdir(), 'delivery-')));
  const said: string[] = [];
  const log = (_: string, message: string) => void said.push(message);
  const clock = serverClock();
  const real = openLink({
    url: server.url,
    token: 'tok',
    log,
    localNowMs: clock.localNowMs,
    slowRetryMs: 20,
  });
  const { call } = given;
  const link: Link = call ? { ...real, call: (one) => call(one, real) } : real;
  const delivery = startResultDelivery({
    link,
    spool: given.spool ?? (await openSpool({ dir, log, nowMs: clock.localNowMs })),
    clock,
    probeId: 'p1',
    retry: { delayMs: (_, leastMs) => Math.min(leastMs, 20) + 1 },
    log,
    onClockMoved: () => undefined,
  });
  let running = true;
  const stop = async (graceMs: number) => {
    if (running) await delivery.stop(graceMs);
    running = false;
    link.close();
  };
  t.after(async () => {
    await stop(0);
    await rm(dir, { recursive: true, force: true });
  });
  return {
    delivery,
    said,
    dir,
    restart: async () => {
      await stop(50);
      return world(t, server, { dir });
    },
  };
}

const ids = (server: ProbeServer) =>
  server.stored.map(({ monitor_id, checked_at_ms }) => `${monitor_id}@${checked_at_ms}`);

test('the first result, every failure and a possible recovery are sent at once; a passing one waits for a batch', async (t) => {
  const server = await probeServer(t);
  const { delivery } = await world(t, server);
  // The second that a result may wait for others passes only when the test moves the clock.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const sends = async (item: Result) => {
    const before = server.posts.length;
    delivery.add(item);
    await server.until(() => server.posts.length > before);
  };
  await sends(result('a', 1));
  await sends(result('a', 2, 'down'));
  await sends(result('a', 3, 'down'));
  await sends(result('a', 4));
  await sends(result('a', 5));
  await sends(result('b', 5));
  delivery.add(result('b', 6));
  delivery.add(result('b', 7));
  t.mock.timers.tick(999);
  assert.equal(server.posts.length, 6, 'they wait for company');
  t.mock.timers.tick(1);
  await server.until(() => server.posts.length === 7);
  assert.deepEqual(server.posts, [1, 1, 1, 1, 1, 1, 2]);
});

test('a storm is batched: one post at a time, with at most 5,000 results', async (t) => {
  const server = await probeServer(t);
  let held: (() => void) | undefined;
  server.misbehave = (response, _, body) => {
    server.misbehave = undefined;
    const { results } = JSON.parse(body) as { results: Result[] };
    held = () => response.writeHead(200).end(JSON.stringify({ accepted: results.length, refused: [] }));
    return true;
  };
  const { delivery } = await world(t, server);
  delivery.add(result('first', 1, 'down'));
  await server.until(() => held !== undefined);
  for (let n = 0; n < 12_000; n += 1) delivery.add(result(`m${n}`, 1, 'down'));
  held?.();
  await server.until(() => server.stored.length === 12_000);
  assert.deepEqual(server.posts, [5_000, 5_000, 2_000]);
});

test('a post carries the credential of the probe', async (t) => {
  const server = await probeServer(t);
  const { delivery } = await world(t, server);
  delivery.add(result('a', 1, 'down'));
  await server.until(() => server.posts.length === 1);
  assert.deepEqual(server.requests[0], { path: '/probe/results', authorization: 'Bearer tok' });
});

test('while the server answers 503, results are kept in order, and sent when it is back', async (t) => {
  const server = await probeServer(t);
  let refusals = 0;
  server.misbehave = (response) => {
    refusals += 1;
    response.writeHead(503, { 'retry-after': '1' }).end();
    return true;
  };
  const { delivery, said } = await world(t, server);
  for (let n = 1; n <= 3; n += 1) {
    delivery.add(result('a', n, 'down'));
    const before = refusals;
    await server.until(() => refusals > before);
  }
  server.misbehave = undefined;
  await server.until(() => server.stored.length === 3);
  assert.deepEqual(ids(server), ['a@1', 'a@2', 'a@3']);
  assert.equal(said.filter((line) => /cannot take requests now/.test(line)).length, 1, 'said once');
  assert.ok(said.includes('The server answers again'));
});

test('undelivered results of an earlier run are sent before new ones', async (t) => {
  const server = await probeServer(t);
  server.misbehave = (response) => {
    response.destroy();
    return true;
  };
  const first = await world(t, server);
  first.delivery.add(result('a', 1, 'down'));
  await server.until(() => server.requests.length > 0);
  const second = await first.restart();
  second.delivery.add(result('a', 2, 'down'));
  server.misbehave = undefined;
  await server.until(() => server.stored.length === 2);
  assert.deepEqual(ids(server), ['a@1', 'a@2']);
});

test('after a lost answer the post is repeated and counts once', async (t) => {
  const server = await probeServer(t);
  const lose = { left: 1 };
  server.misbehave = (response, _, body) => {
    if (lose.left === 0) return false;
    lose.left -= 1;
    server.stored.push(...(JSON.parse(body) as { results: Result[] }).results);
    response.destroy();
    return true;
  };
  const { delivery } = await world(t, server);
  delivery.add(result('a', 1, 'down'));
  await server.until(() => server.posts.length === 1);
  assert.equal(server.requests.length, 2);
});

test('refused and ignored results are dropped, the others of the post are not', async (t) => {
  const server = await probeServer(t);
  server.refuse = ({ monitor_id }) => (monitor_id === 'bad' ? 'in the future' : undefined);
  const { delivery, said } = await world(t, server);
  delivery.add(result('bad', 1, 'down'));
  delivery.add(result('good', 1, 'down'));
  await server.until(() => server.stored.length === 1);
  delivery.add(result('good', 2, 'down'));
  await server.until(() => server.stored.length === 2);
  assert.equal(
    server.posts.reduce((sum, size) => sum + size, 0),
    3,
    'nothing was sent twice',
  );
  assert.ok(said.includes('The server refused a result'));
});

test('a result for which the server refuses the whole post is found and dropped', async (t) => {
  const server = await probeServer(t);
  server.misbehave = (response, _, body) => {
    if (!body.includes('poison')) return false;
    response.writeHead(400).end('{"error":"invalid_request","message":"no"}');
    return true;
  };
  const { delivery, said } = await world(t, server);
  for (const id of ['a', 'b', 'poison', 'c']) delivery.add(result(id, 1, 'down'));
  await server.until(() => server.stored.length === 3);
  assert.deepEqual(ids(server), ['a@1', 'b@1', 'c@1']);
  assert.ok(said.some((line) => /does not accept a result/.test(line)));
});

const NOT_TOCSIN: [what: string, status: number, body: string][] = [
  ['a page that takes no posts', 405, '<html>Not Allowed</html>'],
  ['a firewall that takes the request for bad', 400, '{"message":"blocked"}'],
  ['a page that says 200 in JSON', 200, '{"status":"maintenance"}'],
  ['an answer of 200 that is null', 200, 'null'],
];
for (const [what, status, body] of NOT_TOCSIN)
  test(`results outlive ${what} in place of the server`, async (t) => {
    const server = await probeServer(t);
    server.misbehave = (response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
      return true;
    };
    const { delivery, said } = await world(t, server);
    delivery.add(result('a', 1, 'down'));
    delivery.add(result('b', 1, 'down'));
    await server.until(() => server.requests.length >= 3);
    server.misbehave = undefined;
    await server.until(() => server.stored.length === 2);
    assert.deepEqual(ids(server), ['a@1', 'b@1']);
    assert.equal(said.filter((line) => /No Tocsin server answers/.test(line)).length, 1);
  });

test('a post that a proxy finds too large is halved until it passes', async (t) => {
  const server = await probeServer(t);
  server.misbehave = (response, _, body) => {
    if ((JSON.parse(body) as { results: Result[] }).results.length <= 2) return false;
    response.writeHead(413).end('<html>Request Entity Too Large</html>');
    return true;
  };
  const { delivery } = await world(t, server);
  for (const id of ['a', 'b', 'c', 'd', 'e']) delivery.add(result(id, 1, 'down'));
  await server.until(() => server.stored.length === 5);
  assert.deepEqual(ids(server), ['a@1', 'b@1', 'c@1', 'd@1', 'e@1']);
});

test('a refused token is reported once and retried; nothing is lost meanwhile', async (t) => {
  const server = await probeServer(t);
  server.misbehave = (response) => {
    response.writeHead(401).end('{"error":"unauthenticated","message":"no"}');
    return true;
  };
  const { delivery, said } = await world(t, server);
  delivery.add(result('a', 1, 'down'));
  await server.until(() => server.requests.length >= 3);
  assert.equal(said.filter((line) => /refuses this probe's token/.test(line)).length, 1);
  server.misbehave = undefined;
  await server.until(() => server.stored.length === 1);
});

test('a stop posts the buffered results, and spools them if the server does not answer', async (t) => {
  const server = await probeServer(t);
  const first = await world(t, server);
  first.delivery.add(result('a', 1));
  await server.until(() => server.stored.length === 1);
  first.delivery.add(result('a', 2));
  const second = await first.restart();
  assert.deepEqual(
    ids(server),
    ['a@1', 'a@2'],
    'posted at the stop, without the second it could have waited',
  );
  server.misbehave = () => true; // never answers
  second.delivery.add(result('a', 3, 'down'));
  await server.until(() => server.requests.length === 3);
  const third = await second.restart();
  server.misbehave = undefined;
  await server.until(() => server.stored.length === 3);
  assert.deepEqual(ids(server), ['a@1', 'a@2', 'a@3']);
  assert.ok(third);
});

test('what the spool could not read is tried again without a new result', async (t) => {
  const server = await probeServer(t);
  let left = [result('a', 1, 'down')];
  let isDue = false;
  const spool: Spool = {
    get empty() {
      return !isDue || left.length === 0;
    },
    get againAtMs() {
      return left.length === 0 ? undefined : performance.timeOrigin + performance.now() + 60_000;
    },
    append: async () => undefined,
    oldest: async () => ({
      results: left,
      async done() {
        left = [];
      },
      putBack: () => undefined,
    }),
  };
  t.mock.timers.enable({ apis: ['setTimeout'] });
  await world(t, server, { spool });
  isDue = true;
  t.mock.timers.tick(60_000);
  await server.until(() => server.stored.length === 1);
  assert.deepEqual(ids(server), ['a@1']);
});

/** A link in which this probe itself fails on posts with these words; all others are posted. */
const failsOn =
  (words: RegExp): NonNullable<Given['call']> =>
  (call, link) => {
    if (words.test(call.body ?? '')) throw new TypeError('no such thing');
    return link.call(call);
  };

test('a result on which this probe itself fails is found and dropped, and the others are sent', async (t) => {
  const server = await probeServer(t);
  const { delivery, said } = await world(t, server, { call: failsOn(/poison/) });
  for (const id of ['a', 'b', 'poison', 'c']) delivery.add(result(id, 1, 'down'));
  await server.until(() => server.stored.length === 3);
  delivery.add(result('d', 1, 'down'));
  await server.until(() => server.stored.length === 4);
  assert.deepEqual(ids(server), ['a@1', 'b@1', 'c@1', 'd@1']);
  assert.equal(said.filter((line) => /cannot be posted are dropped: a defect/.test(line)).length, 1);
});

test('results that this probe fails to post are kept, and sent in order once it no longer does', async (t) => {
  const server = await probeServer(t);
  let fails = 3;
  const { delivery, said } = await world(t, server, {
    call(call, link) {
      if (fails === 0) return link.call(call);
      fails -= 1;
      throw new TypeError('no such thing');
    },
  });
  delivery.add(result('a', 1, 'down'));
  delivery.add(result('b', 1, 'down'));
  await server.until(() => server.stored.length === 2);
  assert.deepEqual(ids(server), ['a@1', 'b@1']);
  assert.equal(
    said.filter((line) => /defect in this probe; they are kept/.test(line)).length,
    1,
    'said once',
  );
});

test('a strange answer of the server ends no delivery, and what it answers for is not sent again', async (t) => {
  const server = await probeServer(t);
  let strange = 0;
  server.misbehave = (response) => {
    strange += 1;
    server.misbehave = undefined;
    response.writeHead(200).end('{"accepted":1,"refused":[null]}');
    return true;
  };
  const { delivery } = await world(t, server);
  delivery.add(result('a', 1, 'down'));
  await server.until(() => strange === 1);
  delivery.add(result('b', 1, 'down'));
  await server.until(() => server.stored.length === 1);
  assert.deepEqual(ids(server), ['b@1']);
});
