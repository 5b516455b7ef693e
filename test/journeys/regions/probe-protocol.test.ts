// The probe protocol (docs/rules/regions-and-probes.md#assignments, docs/rules/regions-and-probes.md#results-protocol):
// assignments full and changed, held open; results item by item.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Assignments } from '#src/probe-protocol/contract.ts';
import { type Place, startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';
import { startCutLine } from '#test/harness/cut-line.ts';
import { type Probe, resultOf } from '#test/harness/probe.ts';
import { assertRefused } from '#test/harness/refused.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

let made = 0;
/** A region of its own for a test, so that its assignments are only the test's. */
async function ownRegion(): Promise<{
  slug: string;
  probe: Probe;
  place: Place;
  create: (fields?: object) => Promise<Monitor>;
}> {
  made += 1;
  const slug = `region-${made}`;
  const probe = await app.region(slug);
  const place = await app.place();
  const create = (fields: object = {}) => {
    made += 1;
    const body = {
      name: `Monitor ${made}`,
      type: 'http',
      config: { url: 'https://shop.example.com/' },
      regions: [slug],
      ...fields,
    };
    return app.alice.ok<Monitor>('POST', `/projects/${place.projectId}/monitors`, body);
  };
  return { slug, probe, place, create };
}
const patch = (monitor: Monitor, body: unknown) =>
  app.alice.ok<Monitor>('PATCH', `/monitors/${monitor.id}`, body);
const idsOf = ({ monitors }: Assignments) => monitors.map((assignment) => assignment.monitor_id).sort();

test('without a revision the answer is complete: whole configs, the interval, a stable offset within it', async () => {
  const { probe, place, create } = await ownRegion();
  assert.deepEqual(idsOf(await probe.assignments()), []);
  const one = await create({ interval_seconds: 5 });
  const two = await create({ enabled: false });
  const full = await probe.assignments();
  assert.equal(full.full, true);
  assert.deepEqual(full.removed, []);
  assert.equal(full.server_time_ms, app.clock.ms());
  assert.deepEqual(idsOf(full), [one.id]);
  const [assignment] = full.monitors;
  assert.deepEqual(assignment?.config, one.config);
  assert.equal(assignment?.interval_seconds, 5);
  assert.equal(assignment?.organization_id, place.orgId, 'a probe shares its places by organization');
  const offset = assignment?.offset_ms ?? -1;
  assert.ok(offset >= 0 && offset < 5000);
  await patch(two, { enabled: true });
  const again = await probe.assignments();
  assert.deepEqual(
    again.monitors.find((a) => a.monitor_id === one.id),
    assignment,
  );
});

test('with a revision the answer has only later changes, and the names of removed monitors', async () => {
  const { slug, probe, create } = await ownRegion();
  const [kept, edited, off, moved, deleted] = [
    await create(),
    await create(),
    await create(),
    await create(),
    await create(),
  ];
  const { revision } = await probe.assignments();
  await patch(edited, { config: { method: 'HEAD' } });
  await patch(off, { enabled: false });
  await patch(moved, { regions: ['local'] });
  await app.alice.ok('DELETE', `/monitors/${deleted.id}`);
  const changes = await probe.assignments({ since: revision, wait: 0 });
  assert.equal(changes.full, false);
  assert.deepEqual(idsOf(changes), [edited.id]);
  assert.equal((changes.monitors[0]?.config as { method?: string } | undefined)?.method, 'HEAD');
  assert.deepEqual([...changes.removed].sort(), [off.id, moved.id, deleted.id].sort());
  assert.ok(changes.revision > revision);
  const nothing = await probe.assignments({ since: changes.revision, wait: 0 });
  assert.deepEqual([nothing.monitors, nothing.removed, nothing.revision], [[], [], changes.revision]);
  await patch(off, { enabled: true });
  await patch(moved, { regions: [slug] });
  const back = await probe.assignments({ since: changes.revision, wait: 0 });
  assert.deepEqual(idsOf(back), [off.id, moved.id].sort());
  assert.deepEqual(idsOf(await probe.assignments()), [kept.id, edited.id, off.id, moved.id].sort());
});

test('an unknown revision gets a full answer', async () => {
  const { probe, create } = await ownRegion();
  const monitor = await create();
  const { revision } = await probe.assignments();
  const answer = await probe.assignments({ since: revision + 1000, wait: 25 });
  assert.deepEqual([answer.full, idsOf(answer)], [true, [monitor.id]]);
});

const wakers: Record<string, (monitor: Monitor, create: () => Promise<Monitor>) => Promise<unknown>> = {
  'a create': (_, create) => create(),
  'a change of the target': (monitor) => patch(monitor, { config: { url: 'https://other.example.com/' } }),
  'a change of the interval': (monitor) => patch(monitor, { interval_seconds: 30 }),
  'switching off': (monitor) => patch(monitor, { enabled: false }),
  'a delete': (monitor) => app.alice.ok('DELETE', `/monitors/${monitor.id}`),
};
for (const [name, act] of Object.entries(wakers))
  test(`${name} answers a waiting request`, async () => {
    const { probe, create } = await ownRegion();
    const monitor = await create();
    const { revision } = await probe.assignments();
    // The clock of the test stands still: only a change can end the wait.
    const waiting = probe.assignments({ since: revision, wait: 25 });
    await act(monitor, create);
    const answer = await waiting;
    assert.ok(answer.revision > revision);
    assert.equal(answer.monitors.length + answer.removed.length, 1);
  });

test('both probes of a region are woken, one of another region is not', async () => {
  const mine = await ownRegion();
  const other = await ownRegion();
  await mine.create();
  await other.create();
  const { revision } = await mine.probe.assignments();
  const { revision: others } = await other.probe.assignments();
  const waiting = [
    mine.probe.assignments({ since: revision, wait: 25 }),
    mine.probe.assignments({ since: revision, wait: 25 }),
  ];
  const monitor = await mine.create();
  for (const answer of await Promise.all(waiting)) assert.deepEqual(idsOf(answer), [monitor.id]);
  assert.equal((await other.probe.assignments({ since: others, wait: 0 })).revision, others);
});

test('while a monitor fails the faster interval applies in all regions, and afterwards the usual one', async () => {
  const { slug, probe, create } = await ownRegion();
  const second = await ownRegion();
  const monitor = await create({
    interval_seconds: 60,
    regions: [slug, second.slug],
    policy: { failed_interval_seconds: 7 },
  });
  const at = async (p: Probe) => (await p.assignments()).monitors[0]?.interval_seconds;
  for (const status of ['down', 'down'] as const) {
    app.clock.advance(1000);
    await probe.says(monitor.id, status);
  }
  assert.deepEqual([await at(probe), await at(second.probe)], [7, 7]);
  for (const status of ['up', 'up'] as const) {
    app.clock.advance(1000);
    await probe.says(monitor.id, status);
  }
  assert.deepEqual([await at(probe), await at(second.probe)], [60, 60]);
});

test('a failed interval longer than the usual one changes nothing', async () => {
  const { probe, create } = await ownRegion();
  const monitor = await create({ interval_seconds: 10 });
  await probe.says(monitor.id, 'down');
  app.clock.advance(1000);
  await probe.says(monitor.id, 'down');
  assert.equal((await probe.assignments()).monitors[0]?.interval_seconds, 10);
});

test('each result is accepted, a duplicate, ignored or refused', async () => {
  const { probe, create } = await ownRegion();
  const [monitor, off, gone] = [await create(), await create({ enabled: false }), await create()];
  const elsewhere = await create({ regions: ['local'] });
  await app.alice.ok('DELETE', `/monitors/${gone.id}`);
  const now = app.clock.ms();
  const good = resultOf(monitor.id, now, 'up');
  const first = await probe.post([good]);
  assert.deepEqual(first.body, { accepted: 1, duplicates: 0, ignored: 0, refused: [], server_time_ms: now });
  const { body } = await probe.post([
    good,
    resultOf(monitor.id, now + 1, 'up'),
    resultOf(off.id, now, 'up'),
    resultOf(gone.id, now, 'up'),
    resultOf(elsewhere.id, now, 'up'),
    resultOf('mon_nonsense', now, 'up'),
    resultOf(monitor.id, now + 60_001, 'up'),
    resultOf(monitor.id, now + 60_000, 'up'),
    { ...good, status: 'sideways' },
    { ...good, checked_at_ms: 'now' },
    { ...good, latency_ms: -1 },
    { ...good, colour: 'red' },
    { monitor_id: monitor.id, status: 'up' },
    null,
    'text',
    [],
  ]);
  assert.deepEqual([body.accepted, body.duplicates, body.ignored], [2, 1, 4]);
  assert.deepEqual(
    body.refused.map(({ index }) => index),
    [6, 8, 9, 10, 11, 12, 13, 14, 15],
  );
  assert.ok(body.refused.every(({ error }) => /\.$/.test(error)));
});

test('the same result twice in one batch is stored once', async () => {
  const { probe, create } = await ownRegion();
  const monitor = await create();
  const same = resultOf(monitor.id, app.clock.ms(), 'up');
  const { body } = await probe.post([same, same, { ...same, status: 'down' }]);
  assert.deepEqual([body.accepted, body.duplicates], [1, 2]);
  assert.equal((await app.alice.ok<unknown[]>('GET', `/monitors/${monitor.id}/checks`)).length, 1);
});

test('a result older than the retention is refused, an older one within it is history', async () => {
  const { probe, create } = await ownRegion();
  const monitor = await create();
  const day = 86_400_000;
  const { body } = await probe.post([
    resultOf(monitor.id, app.clock.ms() - 101 * day, 'down'),
    resultOf(monitor.id, app.clock.ms() - 5 * day, 'down'),
    resultOf(monitor.id, 0, 'down'),
  ]);
  assert.deepEqual([body.accepted, body.refused.map(({ index }) => index)], [1, [0, 2]]);
  const read = await app.alice.ok<Monitor>('GET', `/monitors/${monitor.id}`);
  assert.notEqual(read.last_status, 'failed');
});

test('an empty post counts as a heartbeat of the probe, and one of more than 5,000 results is refused', async () => {
  const { slug, probe } = await ownRegion();
  assert.equal((await probe.post([])).status, 200);
  const regions = await app.alice.ok<{ slug: string; online: boolean }[]>('GET', '/regions');
  assert.equal(regions.find((region) => region.slug === slug)?.online, true);
  const many = Array.from({ length: 5001 }, () => ({}));
  assertRefused(await probe.post(many), { status: 400, error: 'invalid_request', field: 'results' });
});

test('a region is offline once its probe has been silent for 30 s', async () => {
  const { slug, probe } = await ownRegion();
  const online = async () =>
    (await app.alice.ok<{ slug: string; online: boolean }[]>('GET', '/regions')).find(
      (region) => region.slug === slug,
    )?.online;
  assert.equal(await online(), false);
  await probe.post([]);
  app.clock.advance(29_000);
  assert.equal(await online(), true);
  app.clock.advance(1000);
  assert.equal(await online(), false);
  await probe.assignments();
  assert.equal(await online(), true);
});

test('a batch of 5,000 results is stored once, whatever else is in it', async () => {
  const { probe, create } = await ownRegion();
  const monitors = [await create(), await create(), await create()];
  const now = app.clock.ms();
  const batch = Array.from({ length: 5000 }, (_, i) =>
    resultOf(monitors[i % 3]?.id ?? '', now - i * 20, i % 50 === 0 ? 'down' : 'up'),
  );
  assert.equal((await probe.post(batch)).body.accepted, 5000);
  assert.equal((await probe.post(batch)).body.duplicates, 5000);
});

test('texts in results are stored as they are, and characters that no text column can store are refused', async () => {
  const { probe, create } = await ownRegion();
  const monitor = await create();
  const detail = `{"a",NULL} "quoted" \\ back\nline ${'é'} 🔔`;
  await probe.says(monitor.id, { status: 'down', detail });
  const [check] = await app.alice.ok<{ detail: string }[]>('GET', `/monitors/${monitor.id}/checks`);
  assert.equal(check?.detail, detail);
  const nul = await probe.post([
    resultOf(monitor.id, app.clock.ms() + 1, { status: 'down', detail: 'a\u0000b' }),
  ]);
  assert.equal(nul.status, 400);
});

test('while the database is down results get 503 with Retry-After, and afterwards they are accepted', async () => {
  const line = await startCutLine();
  const own = await startTestApp({ throughUrl: line.urlThrough });
  try {
    const body = { name: 'One', type: 'http', config: { url: 'https://shop.example.com/' } };
    const monitor = await own.alice.ok<Monitor>('POST', `/projects/${own.home.projectId}/monitors`, body);
    const result = resultOf(monitor.id, own.clock.ms(), 'up');
    await line.cut();
    const refused = await own.probe().post([result]);
    assertRefused(refused, { status: 503, error: 'unavailable' });
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    assert.equal((await own.alice.send('GET', '/readyz')).status, 503);
    assert.equal((await own.alice.send('GET', '/healthz')).status, 200);
    await line.mend();
    assert.equal((await own.probe().post([result])).body.accepted, 1);
  } finally {
    await own[Symbol.asyncDispose]();
    await line.stop();
  }
});
