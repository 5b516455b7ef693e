// Tenants share a region, and an attacker has its token: neither the largest configs nor a stolen token stop the checks of
// others there.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { PAGE_BYTES } from '#src/probe-protocol/assignment-pages.ts';
import { type Clock, startTestApp, type TestApp } from '../harness/app.ts';
import { httpServer } from '../harness/listeners.ts';
import { makeMany } from '../harness/many-monitors.ts';
import { makeProbe, resultOf } from '../harness/probe.ts';
import { startProbeProcess } from '../harness/probe-process.ts';
import { assertRefused } from '../harness/refused.ts';
import { until } from '../harness/until.ts';
import { scaled } from './scale.ts';

const REAL: Clock = { now: () => new Date(), ms: () => Date.now(), advance: () => undefined };
const MEGABYTE = 1024 * 1024;
/** The server's memory, whatever the number of monitors: a few pages, as objects and as text. */
const MAX_GROWTH = 200 * MEGABYTE;

/** A target that counts the requests to each of its paths. */
async function target(t: TestContext): Promise<{ url: string; asked: Map<string, number> }> {
  const asked = new Map<string, number>();
  const port = await httpServer(t, (request, response) => {
    const path = request.url ?? '';
    asked.set(path, (asked.get(path) ?? 0) + 1);
    request.resume().on('end', () => response.end('ok'));
  });
  return { url: `http://127.0.0.1:${port}`, asked };
}

/** Runs `act`, and returns the peak growth of this process in bytes. The server is part of it. */
async function growthDuring(act: () => Promise<void>): Promise<number> {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  await act();
  clearInterval(timer);
  return most - before;
}

test('a region full of the largest configs is served in pages, and its checks continue after its probe was killed', async (t) => {
  await using app = await startTestApp({ clock: REAL });
  const { url, asked } = await target(t);
  const { token } = await app.region('large');
  const count = scaled(100, 262);
  const attacker = await app.place();
  const config = { url: `${url}/large`, method: 'POST', body: 'a'.repeat(65_000) };
  await makeMany(app, { count, region: 'large', place: attacker, config, intervalSeconds: 5 });
  const victim = { url: `${url}/victim` };
  await makeMany(app, { count: 1, region: 'large', place: app.home, config: victim, intervalSeconds: 1 });
  assert.ok(count * 65_000 > PAGE_BYTES, 'more than one page');

  const served = async () => {
    const probe = await startProbeProcess(t, { url: app.url, token });
    const before = { large: asked.get('/large') ?? 0, victim: asked.get('/victim') ?? 0 };
    await until(
      () => (asked.get('/large') ?? 0) > before.large && (asked.get('/victim') ?? 0) > before.victim,
      'checks of both',
      60_000,
    );
    await probe.end('SIGKILL');
  };
  await served();
  const growth = await growthDuring(async () => {
    for (let i = 0; i < scaled(1, 5); i++) await served();
  });
  assert.ok(growth < MAX_GROWTH, `the server grew by ${Math.round(growth / MEGABYTE)} MiB`);
  t.diagnostic(
    `${count} monitors, ${Math.round((count * 65_000) / MEGABYTE)} MiB: grew by ${Math.round(growth / MEGABYTE)} MiB`,
  );
});

/** A region with `count` monitors of a tenant, and its token's holder. */
async function stolen(app: TestApp, { slug = 'stolen', count = 6 } = {}) {
  const probe = await app.region(slug, { maxProbes: 3 });
  const config = { url: 'https://shop.example.com/', auth: { kind: 'bearer', token: 'top secret' } };
  const ids = await makeMany(app, {
    count,
    region: slug,
    place: await app.place(),
    config,
    intervalSeconds: 5,
  });
  return { probe, ids, honest: probe.named('honest') };
}

test('thirty fake probes with a stolen token delay an honest one’s work for at most a minute', async () => {
  await using app = await startTestApp();
  // Enough that each of the three probes has a share: the minute of a probe without one at first would begin later.
  const { probe, ids, honest } = await stolen(app, { count: 40 });
  await honest.assignments();
  const ghosts = Array.from({ length: 30 }, (_, i) => probe.named(`ghost-${i}`));
  for (let seconds = 0; seconds <= 70; seconds += 10) {
    const letIn = (await Promise.all(ghosts.map((ghost) => ghost.ask()))).filter(
      ({ status }) => status === 200,
    );
    assert.equal(letIn.length, 2, 'as many as there were places left');
    const { monitors } = await honest.assignments();
    for (const { monitor_id } of monitors) await honest.says(monitor_id, 'up');
    app.clock.advance(10_000);
  }
  const { monitors } = await honest.assignments();
  assert.deepEqual(monitors.map(({ monitor_id }) => monitor_id).sort(), ids);
});

test('a flood of back-dated results is stopped, reaches nobody else, and an honest probe’s spool gets through', async () => {
  await using app = await startTestApp({ env: { RATE_LIMITS: 'on' } });
  const { probe, ids, honest } = await stolen(app);
  const other = await stolen(app, { slug: 'elsewhere' });
  const start = app.clock.ms() - 20 * 86_400_000;
  const posts = Array.from({ length: 6 }, (_, post) =>
    Array.from({ length: 5_000 }, (_, i) => resultOf(ids[0]!, start + (post * 5_000 + i) * 5_000, 'up')),
  );
  let accepted = 0;
  const kept: typeof posts = [];
  for (const results of posts) {
    const answer = await probe.post(results);
    if (answer.status === 200) accepted += answer.body.accepted;
    else {
      assertRefused(answer, { status: 429, error: 'rate_limited' });
      assert.ok(Number(answer.headers.get('retry-after')) >= 1);
      kept.push(results);
    }
  }
  assert.equal(accepted, 10_000);
  assert.equal((await other.honest.says(other.ids[0]!, 'up')).accepted, 1);
  // Sent again when there is room, as a probe does: nothing is lost.
  for (const results of kept) {
    app.clock.advance(50_000);
    const answer = await probe.post(results);
    assert.equal(answer.status, 200);
    accepted += answer.body.accepted;
  }
  assert.equal(accepted, 30_000);
  app.clock.advance(1_000);
  assert.equal((await honest.says(ids[1]!, 'up')).accepted, 1);
});

test('a token is invalid for another region, shows no secrets without a probe name, and is void once revoked', async () => {
  await using app = await startTestApp();
  const { probe, ids } = await stolen(app);
  const other = await stolen(app, { slug: 'elsewhere' });
  const { body } = await probe.post([resultOf(other.ids[0]!, app.clock.ms(), 'down')]);
  assert.deepEqual([body.accepted, body.ignored], [0, 1]);
  const headers = { authorization: `Bearer ${probe.token}` };
  const look = await app.visitor().send('GET', '/probe/assignments?wait=0', undefined, headers);
  const shown = JSON.stringify(look.body);
  assert.ok(ids.every((id) => shown.includes(id)) && !shown.includes('top secret'));
  assert.ok(!other.ids.some((id) => shown.includes(id)));
  const regions = await app.alice.ok<{ slug: string; probe_tokens: { id: string }[] }[]>(
    'GET',
    '/admin/regions',
  );
  const { slug, probe_tokens } = regions.find((region) => region.slug === 'stolen')!;
  await app.alice.ok('DELETE', `/admin/regions/${slug}/probe-tokens/${probe_tokens[0]!.id}`);
  for (const answer of [await probe.ask(), await probe.post([])])
    assertRefused(answer, { status: 401, error: 'unauthenticated' });
  assertRefused(await makeProbe(app.url, 'tcp_nonsense', app.clock).ask(), {
    status: 401,
    error: 'unauthenticated',
  });
});
