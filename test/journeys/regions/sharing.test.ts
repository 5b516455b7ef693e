// Any number of probes share a region's work (docs/rules/regions-and-probes.md#sharing): who has what when one comes, stops
// or dies.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Assignments } from '#src/probe-protocol/contract.ts';
import type { AdministeredRegion } from '#src/regions/contract.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { type Probe, resultOf } from '#test/harness/probe.ts';
import { until } from '#test/harness/until.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

let made = 0;
/** A region of its own with monitors in it. */
async function ownRegion(monitors: number): Promise<{ slug: string; probe: Probe; ids: string[] }> {
  made += 1;
  const slug = `shared-${made}`;
  const probe = await app.region(slug);
  const { projectId } = await app.place();
  const ids: string[] = [];
  for (let i = 0; i < monitors; i++) {
    const config = { url: 'https://shop.example.com/' };
    const body = { name: `Monitor ${i}`, type: 'http', config, regions: [slug] };
    ids.push((await app.alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, body)).id);
  }
  return { slug, probe, ids: ids.sort() };
}
/** So many that each of two probes has a share of them. */
const MANY = 40;
const idsOf = ({ monitors }: Assignments) => monitors.map(({ monitor_id }) => monitor_id).sort();
const known = ({ revision, epoch }: Assignments) => ({ since: revision, epoch });

test('two probes share all monitors without overlap', async () => {
  const { slug, probe, ids } = await ownRegion(MANY);
  const [one, two] = [probe.named('one'), probe.named('two')];
  const alone = await one.assignments();
  assert.deepEqual(idsOf(alone), ids);
  const second = await two.assignments();
  const first = await one.assignments({ ...known(alone), wait: 0 });
  assert.equal(first.full, true);
  assert.equal(first.epoch, second.epoch);
  assert.ok(first.monitors.length > 0 && second.monitors.length > 0);
  assert.deepEqual([...idsOf(first), ...idsOf(second)].sort(), ids);
  const region = (await app.alice.ok<AdministeredRegion[]>('GET', '/admin/regions')).find(
    (r) => r.slug === slug,
  );
  assert.deepEqual(region?.probes.map(({ probe_id, monitors }) => [probe_id, monitors]).sort(), [
    ['one', first.monitors.length],
    ['two', second.monitors.length],
  ]);
});

test('a new probe takes its share from a waiting one at once', async () => {
  const { probe, ids } = await ownRegion(8);
  const [one, two] = [probe.named('one'), probe.named('two')];
  const alone = await one.assignments();
  const waiting = one.assignments({ ...known(alone), wait: 25 });
  const second = await two.assignments();
  const first = await waiting;
  assert.equal(first.full, true);
  assert.deepEqual([...idsOf(first), ...idsOf(second)].sort(), ids);
});

test('a probe that stops hands its share over at once', async () => {
  const { probe, ids } = await ownRegion(MANY);
  const [one, two] = [probe.named('one'), probe.named('two')];
  await two.assignments();
  const waiting = one.assignments({ ...known(await one.assignments()), wait: 25 });
  assert.equal(await two.leave(), true);
  assert.deepEqual(idsOf(await waiting), ids);
  assert.equal(await two.leave(), false);
  assert.equal((await two.assignments()).monitors.length < MANY, true, 'it is back when it asks again');
});

test('the waiting request of a probe that has left does not bring it back', async () => {
  const { probe, ids } = await ownRegion(8);
  const [one, two] = [probe.named('one'), probe.named('two')];
  const assigned = await two.assignments();
  app.clock.advance(1);
  const waiting = two.assignments({ ...known(assigned), wait: 25 });
  await until(async () => (await askedAt('two')) === app.clock.ms(), 'its request');
  await two.leave();
  assert.deepEqual(idsOf(await waiting), []);
  assert.deepEqual(idsOf(await one.assignments()), ids);
});

test('another probe has the share of a dead one within 30 s of its last contact', async () => {
  const { probe, ids } = await ownRegion(8);
  const [one, two] = [probe.named('one'), probe.named('two')];
  await two.assignments();
  const first = await one.assignments();
  app.clock.advance(14_000);
  const still = await one.assignments({ ...known(first), wait: 0 });
  assert.equal(still.full, false, 'it may just be slow');
  app.clock.advance(1);
  const waiting = one.assignments({ ...known(first), wait: 25 });
  await until(async () => (await askedAt('one')) === app.clock.ms(), 'the request of the other one');
  app.clock.advance(5_000);
  // Nobody tells the waiting request: it looks by itself.
  assert.deepEqual(idsOf(await waiting), ids);
});

test('a waiting probe is alive as long as its connection is open', async () => {
  const { probe } = await ownRegion(8);
  const [one, two] = [probe.named('one'), probe.named('two')];
  const first = await one.assignments();
  const second = await two.assignments();
  const abort = new AbortController();
  const path = `${app.url}/probe/assignments?probe_id=two&since=${second.revision}&epoch=${second.epoch}&wait=60`;
  const hanging = fetch(path, { headers: { authorization: `Bearer ${probe.token}` }, signal: abort.signal });
  app.clock.advance(14_000);
  await until(async () => (await askedAt('two')) === app.clock.ms(), 'a sign of life while it waits');
  const afterwards = await one.assignments({ ...known(first), wait: 0 });
  assert.equal(afterwards.epoch, second.epoch);
  abort.abort();
  await assert.rejects(hanging);
  app.clock.advance(15_000);
  assert.equal((await one.assignments({ ...known(afterwards), wait: 0 })).monitors.length, 8);
});

test('a request without a name gets everything but secrets, has no share and does not count as alive', async () => {
  const { slug, probe, ids } = await ownRegion(6);
  const nameless = async (query: string) => {
    const path = `/probe/assignments?${query}`;
    const headers = { authorization: `Bearer ${probe.token}` };
    return app.visitor().send<Assignments>('GET', path, undefined, headers);
  };
  const config = { url: 'https://shop.example.com/', auth: { kind: 'bearer', token: 'top secret' } };
  await app.alice.ok('PATCH', `/monitors/${ids[0]}`, { config });
  assert.ok(!JSON.stringify((await nameless('wait=0')).body).includes('top secret'));
  const online = async () =>
    (await app.alice.ok<AdministeredRegion[]>('GET', '/admin/regions')).find((r) => r.slug === slug)?.online;
  assert.equal(await online(), false);
  const first = await probe.named('one').assignments();
  assert.equal(await online(), true);
  assert.ok(JSON.stringify(first).includes('top secret'));
  const all = (await nameless('wait=0')).body;
  assert.deepEqual(idsOf(all), ids);
  assert.deepEqual(idsOf(first), ids);
  assert.equal((await probe.named('one').assignments({ ...known(first), wait: 0 })).full, false);
  await probe.named('two').assignments();
  const again = await nameless(`since=${all.revision}&epoch=${all.epoch}&wait=0`);
  assert.deepEqual([again.body.full, again.body.monitors], [false, []]);
});

test('only the probe that has a monitor gets its changes', async () => {
  const { probe, ids } = await ownRegion(8);
  const [one, two] = [probe.named('one'), probe.named('two')];
  await one.assignments();
  const second = await two.assignments();
  const first = await one.assignments();
  const [mine = ''] = idsOf(first);
  assert.ok(ids.includes(mine));
  await app.alice.ok('PATCH', `/monitors/${mine}`, { interval_seconds: 30 });
  assert.deepEqual(idsOf(await one.assignments({ ...known(first), wait: 0 })), [mine]);
  const others = await two.assignments({ ...known(second), wait: 0 });
  assert.deepEqual([others.full, others.monitors, others.removed], [false, [], []]);
  assert.ok(others.revision > second.revision);
});

test('a probe that survives a restore fetches everything again', async () => {
  const { probe, ids } = await ownRegion(3);
  const before = await probe.assignments();
  assert.equal((await probe.assignments({ ...known(before), wait: 0 })).full, false);
  await sql`UPDATE installation SET incarnation = gen_random_uuid()::text`.execute(app.db);
  const after = await probe.assignments({ ...known(before), wait: 25 });
  assert.deepEqual([after.full, idsOf(after)], [true, ids]);
});

test('a moment checked by two probes counts once', async () => {
  const { probe, ids } = await ownRegion(1);
  const [one, two] = [probe.named('one'), probe.named('two')];
  const result = resultOf(ids[0] ?? '', app.clock.ms(), 'down');
  const answers = [await one.post([result]), await two.post([{ ...result, latency_ms: 7 }])];
  assert.deepEqual(
    answers.map(({ body }) => [body.accepted, body.duplicates]),
    [
      [1, 0],
      [0, 1],
    ],
  );
});

/** When a probe of this name, of the region made last, was last taken for alive. */
async function askedAt(probeId: string): Promise<number | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    SELECT asked_at AS at FROM probes WHERE probe_id = ${probeId} ORDER BY region_no DESC LIMIT 1`.execute(
    app.db,
  );
  return rows[0]?.at?.getTime();
}

test('a waiting probe is told the first change at once, and the following ones together', async () => {
  const { slug, probe } = await ownRegion(1);
  const one = probe.named('one');
  const { projectId } = await app.place();
  const add = async (name: string) => {
    const body = { name, type: 'http', config: { url: 'https://shop.example.com/' }, regions: [slug] };
    return app.alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, body);
  };
  const before = await one.assignments();
  const first = one.assignments({ ...known(before), wait: 25 });
  // Before it is answered: a busy machine may hear of the answer late.
  const beganMs = performance.now();
  const added = await add('First');
  assert.deepEqual(idsOf(await first), [added.id]);
  const second = one.assignments({ ...known(await first), wait: 25 });
  const later = await add('Second');
  assert.deepEqual(idsOf(await second), [later.id]);
  // Timers may run a little early.
  assert.ok(performance.now() - beganMs > 95, 'it waits for more');
});

test('a region with more probes than are listed shows the shares that they have', async () => {
  const { slug, probe } = await ownRegion(MANY);
  await probe.named('p-0').assignments();
  const rest = Array.from({ length: 199 }, (_, i) => `p-${i + 1}`);
  await sql`INSERT INTO probes (region_no, probe_id, token_id, admission, first_seen_at, last_seen_at, asked_at)
    SELECT region_no, name, token_id, admission, first_seen_at, last_seen_at - make_interval(secs => 1), asked_at
    FROM probes, unnest(${rest}::text[]) AS name WHERE probe_id = 'p-0'`.execute(app.db);
  const { monitors } = await probe.named('p-0').assignments();
  const regions = await app.alice.ok<AdministeredRegion[]>('GET', '/admin/regions');
  const region = regions.find((each) => each.slug === slug);
  assert.equal(region?.probes.length, 100);
  assert.equal(region.probes.find(({ probe_id }) => probe_id === 'p-0')?.monitors, monitors.length);
  const shown = region.probes.reduce((sum, each) => sum + (each.monitors ?? 0), 0);
  assert.ok(shown < MANY, `${shown} of ${MANY}: the probes that are not listed have some as well`);
});
