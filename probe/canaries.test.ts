import assert from 'node:assert/strict';
import net from 'node:net';
import { type TestContext, test } from 'node:test';
import { createResolver, type Resolver } from '../src/platform/outbound/resolve.ts';
import { dnsServer } from '../test/harness/dns-server.ts';
import { until } from '../test/harness/until.ts';
import { type Canaries, NAME_CLASSES, NO_ANSWER_CLASSES, startCanaries } from './canaries.ts';
import type { CheckOutcome } from './check-outcome.ts';

const SILENT: CheckOutcome = {
  status: 'down',
  failure_class: 'connect_timeout',
  cause_layer: 'target_connect',
  detail: 'No connection to 192.0.2.1:80 within the time limit',
  latency_ms: 5_000,
};

/** A canary that answers until the test stops it, and counts its callers. */
async function canary(t: TestContext) {
  const server = net.createServer((socket) => {
    asked += 1;
    socket.on('error', () => undefined).end();
  });
  let asked = 0;
  const listen = (port: number) =>
    new Promise<number>((resolve) =>
      server.listen(port, '127.0.0.1', () => resolve((server.address() as net.AddressInfo).port)),
    );
  const port = await listen(0);
  t.after(() => void server.close());
  return {
    name: `127.0.0.1:${port}`,
    asked: () => asked,
    die: () => new Promise((resolve) => server.close(resolve)),
    revive: () => listen(port),
  };
}

function started(t: TestContext): { canaries: Canaries; said: unknown[]; advance: (ms: number) => void } {
  let nowMs = 1_000_000;
  const said: unknown[] = [];
  const canaries = startCanaries({ log: (_, __, fields) => said.push(fields?.canary), nowMs: () => nowMs });
  t.after(() => canaries.stop());
  return { canaries, said, advance: (ms) => (nowMs += ms) };
}

test('if a canary answers, a silent target is at fault', async (t) => {
  const [gone, there] = [await canary(t), await canary(t)];
  await gone.die();
  const { canaries } = started(t);
  canaries.use([gone.name, there.name]);
  assert.deepEqual(await canaries.judge(SILENT), SILENT);
});

test('if no canary answers any more, this probe’s own network is at fault, and the finding is cached', async (t) => {
  const [one, two] = [await canary(t), await canary(t)];
  const { canaries, advance } = started(t);
  canaries.use([one.name, two.name]);
  await until(() => one.asked() > 0 && two.asked() > 0, 'a first look while all is well');
  await Promise.all([one.die(), two.die()]);
  advance(2_000);
  const judged = await canaries.judge(SILENT);
  assert.deepEqual(
    { ...judged, detail: '' },
    { ...SILENT, failure_class: 'probe_network', cause_layer: 'probe', detail: '' },
  );
  assert.match(
    judged.detail ?? '',
    /None of the canaries answered.*No connection to 192\.0\.2\.1:80 within the time limit/,
  );
  await one.revive();
  advance(2_000);
  assert.deepEqual(await canaries.judge(SILENT), SILENT, 'the network is back');
});

test('a canary that has never answered proves nothing, and is logged once', async (t) => {
  const wrong = await canary(t);
  await wrong.die();
  const { canaries, said, advance } = started(t);
  canaries.use([wrong.name]);
  for (let i = 0; i < 3; i++) {
    assert.deepEqual(await canaries.judge(SILENT), SILENT);
    advance(2_000);
  }
  assert.deepEqual(said, [wrong.name]);
});

test('a canary that has not answered for an hour no longer proves anything', async (t) => {
  const dying = await canary(t);
  const { canaries, said, advance } = started(t);
  canaries.use([dying.name]);
  await until(() => dying.asked() > 0, 'a first look');
  await dying.die();
  advance(3_599_000);
  assert.equal((await canaries.judge(SILENT)).failure_class, 'probe_network');
  assert.deepEqual(said, []);
  advance(2_000);
  assert.deepEqual(await canaries.judge(SILENT), SILENT);
  assert.deepEqual(said, [dying.name]);
});

test('one round of canaries serves many checks that fail at once', async (t) => {
  const one = await canary(t);
  const { canaries, advance } = started(t);
  canaries.use([one.name]);
  await until(() => one.asked() > 0, 'a first look');
  advance(2_000);
  const before = one.asked();
  await Promise.all(Array.from({ length: 50 }, () => canaries.judge(SILENT)));
  await canaries.judge(SILENT);
  await until(() => one.asked() > before, 'the look');
  assert.equal(one.asked(), before + 1);
  advance(2_000);
  await canaries.judge(SILENT);
  await until(() => one.asked() === before + 2, 'a new look');
});

const KEPT: [string, CheckOutcome][] = [
  ['a passing check', { status: 'up', latency_ms: 3 }],
  ['a slow one', { status: 'degraded', failure_class: 'slow', cause_layer: 'target_http' }],
  ['a refusal, which is an answer', { ...SILENT, failure_class: 'connect_refused' }],
  ['a name that does not exist', { ...SILENT, failure_class: 'dns_nxdomain', cause_layer: 'target_dns' }],
  ['a wrong status', { ...SILENT, failure_class: 'http_status', cause_layer: 'target_http' }],
  ['a failure of the probe itself', { ...SILENT, cause_layer: 'probe' }],
];
for (const [what, outcome] of KEPT)
  test(`${what} does not contact the canaries`, async (t) => {
    const one = await canary(t);
    const { canaries, advance } = started(t);
    canaries.use([one.name]);
    await until(() => one.asked() > 0, 'a first look');
    await one.die();
    advance(2_000);
    assert.deepEqual(await canaries.judge(outcome), outcome);
  });

for (const failure_class of new Set([...NO_ANSWER_CLASSES, ...NAME_CLASSES]))
  test(`${failure_class} counts as no answer`, async (t) => {
    const one = await canary(t);
    const { canaries, advance } = started(t);
    canaries.use([one.name]);
    await until(() => one.asked() > 0, 'a first look');
    await one.die();
    advance(2_000);
    assert.equal((await canaries.judge({ ...SILENT, failure_class })).cause_layer, 'probe');
  });

test('without canaries nothing changes, and removed ones no longer count', async (t) => {
  const one = await canary(t);
  const { canaries, advance } = started(t);
  assert.deepEqual(await canaries.judge(SILENT), SILENT);
  canaries.use([one.name]);
  await until(() => one.asked() > 0, 'a first look');
  await one.die();
  advance(2_000);
  canaries.use([]);
  assert.deepEqual(await canaries.judge(SILENT), SILENT);
});

/** As if the region names none: `fallback` is the only list. */
function withFallback(t: TestContext, fallback: readonly string[]) {
  let nowMs = 1_000_000;
  const said: unknown[] = [];
  const canaries = startCanaries({
    fallback,
    log: (_, __, fields) => said.push(fields?.canary),
    nowMs: () => nowMs,
  });
  t.after(() => canaries.stop());
  return { canaries, said, advance: (ms: number) => (nowMs += ms) };
}

test('the fallback is not contacted while nothing fails', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const one = await canary(t);
  const { canaries } = withFallback(t, [one.name]);
  canaries.use([]);
  await canaries.judge({ status: 'up', latency_ms: 3 });
  t.mock.timers.tick(3_600_000);
  // A test that had begun would have come before this one of the region's own list.
  const own = await canary(t);
  canaries.use([own.name]);
  await until(() => own.asked() > 0, 'the region’s own are asked at once');
  assert.equal(one.asked(), 0);
});

test('the fallback proves a cut-off network only if it has answered during an earlier failure', async (t) => {
  const one = await canary(t);
  const { canaries, advance } = withFallback(t, [one.name]);
  const refused: CheckOutcome = { ...SILENT, failure_class: 'connect_refused' };
  assert.deepEqual(await canaries.judge(refused), refused);
  await until(() => one.asked() > 0, 'it is learned that it answers');
  await one.die();
  advance(300_000);
  assert.equal((await canaries.judge(SILENT)).failure_class, 'probe_network');
});

test('without internet access the fallback never answers: alarms continue, and nobody is warned about it', async (t) => {
  const one = await canary(t);
  await one.die();
  const { canaries, said, advance } = withFallback(t, [one.name]);
  for (let i = 0; i < 3; i++) {
    assert.deepEqual(await canaries.judge(SILENT), SILENT);
    advance(2_000);
  }
  assert.deepEqual(said, []);
});

test('a region’s own canaries replace the fallback, and removing them restores it', async (t) => {
  const [own, other] = [await canary(t), await canary(t)];
  const { canaries, advance } = withFallback(t, [other.name]);
  canaries.use([own.name]);
  await until(() => own.asked() > 0, 'a first look');
  await own.die();
  advance(2_000);
  assert.equal((await canaries.judge(SILENT)).failure_class, 'probe_network');
  assert.equal(other.asked(), 0);
  canaries.use([]);
  assert.deepEqual(await canaries.judge(SILENT), SILENT, 'the other one answers');
  assert.equal(other.asked(), 1);
});

/** A probe with these name servers; its only canary answers all the time. */
async function withNames(t: TestContext, rcode: () => number) {
  let nowMs = 1_000_000;
  const { port, asked } = await dnsServer(t, () => ({
    rcode: rcode(),
    answers: rcode() === 0 ? [{ type: 'NS', name: '.', data: 'a.root.test' }] : [],
  }));
  const resolver = createResolver({ servers: [`127.0.0.1:${port}`] });
  t.after(resolver.cancel);
  const there = await canary(t);
  const canaries = startCanaries({ resolver, log: () => undefined, nowMs: () => nowMs });
  t.after(() => canaries.stop());
  const advance = (ms: number) => (nowMs += ms);
  return { canaries, advance, asked, begin: () => canaries.use([there.name]) };
}

const UNNAMED: CheckOutcome = { ...SILENT, failure_class: 'dns_servfail', cause_layer: 'target_dns' };

const [NOERROR, SERVFAIL, REFUSED] = [0, 2, 5];
for (const [failure_class, rcode] of [
  ['dns_refused', REFUSED],
  ['dns_servfail', SERVFAIL],
] as const)
  test(`if the name servers of this probe answer everything with ${failure_class}, it is not the fault of the target`, async (t) => {
    let said: number = NOERROR;
    const { canaries, advance, asked, begin } = await withNames(t, () => said);
    const outcome = { ...UNNAMED, failure_class };
    begin();
    await until(() => asked.length > 0, 'a first look while all is well');
    advance(2_000);
    assert.deepEqual(await canaries.judge(outcome), outcome, 'they know the root');
    said = rcode;
    advance(2_000);
    const judged = await canaries.judge(outcome);
    assert.deepEqual([judged.failure_class, judged.cause_layer], ['probe_network', 'probe']);
    assert.match(
      judged.detail ?? '',
      /^The name servers of this probe do not resolve anything any more\. It found: No /,
    );
    assert.deepEqual(await canaries.judge(outcome, 'dns'), outcome, 'a monitor of these name servers');
    assert.deepEqual(await canaries.judge(SILENT), SILENT, 'it had the address');
    advance(3_600_000);
    assert.deepEqual(await canaries.judge(outcome), outcome, 'too long ago');
  });

test('name servers that have never known the root prove nothing', async (t) => {
  const { canaries, advance, asked, begin } = await withNames(t, () => REFUSED);
  begin();
  await until(() => asked.length > 0, 'a first look');
  advance(2_000);
  assert.deepEqual(await canaries.judge(UNNAMED), UNNAMED);
});

test('without canaries the name servers are not tried either', async (t) => {
  const { canaries, asked } = await withNames(t, () => NOERROR);
  assert.deepEqual(await canaries.judge(UNNAMED), UNNAMED);
  assert.deepEqual(asked, []);
});

test('a look at the name servers that fails by a defect of this probe is logged, and proves nothing', async (t) => {
  const there = await canary(t);
  const said: string[] = [];
  const resolver: Resolver = Object.assign(() => Promise.reject(new Error('not asked for')), {
    knowsRoot: () => Promise.reject(new TypeError('no such thing')),
  });
  const canaries = startCanaries({
    ...{ resolver, nowMs: () => 1_000_000 },
    log: (_, message) => void said.push(message),
  });
  t.after(() => canaries.stop());
  canaries.use([there.name]);
  const outcome = { ...UNNAMED, failure_class: 'dns_refused' };
  assert.deepEqual(await canaries.judge(outcome), outcome);
  assert.deepEqual(said, ['The canaries or name servers could not be tried: a defect in this probe']);
});
