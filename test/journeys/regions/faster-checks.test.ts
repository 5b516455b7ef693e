// Faster checks begin with the first failing result (docs/rules/confirmation.md#faster-checks).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { nextDueMs, offsetMs } from '#src/domain/schedule.ts';
import type { IncidentDetail } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { openEventStream } from '#test/harness/event-stream.ts';

let app: TestApp;
let place: Place;
before(async () => {
  app = await startAppOfFile({ env: { LOCAL_PROBE: 'off' } });
  place = await app.place();
  for (const region of ['a', 'b', 'c']) await app.region(region);
});

let made = 0;
function create(fields: object = {}): Promise<Monitor> {
  made += 1;
  return app.alice.ok('POST', `/projects/${place.projectId}/monitors`, {
    name: `Monitor ${made}`,
    type: 'http',
    config: { url: 'https://shop.example.com/' },
    interval_seconds: 60,
    regions: ['a', 'b', 'c'],
    ...fields,
  });
}
const read = ({ id }: Monitor) => app.alice.ok<Monitor>('GET', `/monitors/${id}`);

/** When a probe of the region makes its next check of the monitor, and how often. */
async function rhythmIn(region: string, { id }: Monitor) {
  const { monitors } = await app.probe(region).assignments();
  const { interval_seconds = 0, offset_ms = 0 } = monitors.find((each) => each.monitor_id === id) ?? {};
  return { interval_seconds, nextMs: nextDueMs(offset_ms, interval_seconds * 1000, app.clock.ms()) };
}

/** Lets a second pass, then reports from these regions. */
async function say(regions: string, monitor: Monitor, status: 'up' | 'down'): Promise<void> {
  app.clock.advance(1000);
  for (const region of regions.split(' ')) await app.probe(region).says(monitor.id, status);
}

test('after the first failing result every region checks 15 s later, and the default policy then confirms it', async () => {
  const monitor = await create();
  await say('a b c', monitor, 'up');
  app.clock.advance(777);
  await say('a b', monitor, 'down');
  const failedMs = app.clock.ms();
  for (const region of ['a', 'b', 'c'])
    assert.deepEqual(await rhythmIn(region, monitor), { interval_seconds: 15, nextMs: failedMs + 15_000 });
  app.clock.advance(14_000);
  await say('a b c', monitor, 'down');
  const [incident] = await app.alice.ok<IncidentDetail[]>('GET', `/monitors/${monitor.id}/incidents`);
  assert.equal(incident?.started_at_unix, Math.floor((failedMs + 15_000) / 1000));
});

test('a later failure keeps the phase, and a broken streak restores the old interval', async () => {
  const monitor = await create();
  const usual = offsetMs(monitor.id, 60_000);
  await say('a', monitor, 'down');
  const failedMs = app.clock.ms();
  await say('b', monitor, 'down');
  assert.equal((await rhythmIn('c', monitor)).nextMs, failedMs + 15_000);
  await say('a', monitor, 'up');
  assert.equal((await rhythmIn('c', monitor)).interval_seconds, 15);
  await say('b', monitor, 'up');
  const after = await rhythmIn('c', monitor);
  assert.deepEqual([after.interval_seconds, after.nextMs % 60_000], [60, usual]);
});

test('a region that goes offline while failing does not count: neither shown nor checked faster', async () => {
  const monitor = await create();
  await say('a b c', monitor, 'up');
  await say('a', monitor, 'down');
  await say('a', monitor, 'down');
  assert.equal((await read(monitor)).last_status, 'degraded');
  app.clock.advance(15_000);
  await say('b c', monitor, 'up');
  assert.equal((await read(monitor)).last_status, 'degraded');
  app.clock.advance(15_000);
  await say('b', monitor, 'up');
  assert.equal((await read(monitor)).last_status, 'passed');
  assert.equal((await rhythmIn('b', monitor)).interval_seconds, 60);
  await say('a', monitor, 'down');
  assert.equal((await read(monitor)).last_status, 'degraded');
  assert.equal((await rhythmIn('b', monitor)).interval_seconds, 15);
});

test('until an outage is confirmed a monitor shows its progress, in the API and live', async () => {
  const stream = await openEventStream(`${app.url}/organizations/${place.orgId}/events`, app.alice.cookie());
  try {
    const monitor = await create({ policy: { alarm_consecutive: 3 } });
    await say('a b c', monitor, 'up');
    assert.equal((await read(monitor)).confirming, null);
    for (const failures of [1, 2]) {
      await say('a b', monitor, 'down');
      const shown = await read(monitor);
      assert.deepEqual([shown.last_status, shown.confirming], ['degraded', { failures, required: 3 }]);
    }
    await say('a b', monitor, 'down');
    const shown = await read(monitor);
    assert.deepEqual([shown.last_status, shown.confirming], ['failed', null]);
    await stream.next(({ data }) => data.monitor_id === monitor.id && data.last_status === 'failed');
    const reported = stream.events.filter(
      ({ event, data }) => event === 'monitor' && data.monitor_id === monitor.id,
    );
    assert.deepEqual(
      reported.filter(({ data }) => data.change === 'status').map(({ data }) => data.confirming),
      // One region after the other: the count changes with the first of them; the third failing one is confirmed for a alone.
      [null, { failures: 1, required: 3 }, { failures: 2, required: 3 }, null],
    );
  } finally {
    stream.stop();
  }
});

test('a monitor’s progress can be sent back as read, and not with another value', async () => {
  const monitor = await create();
  await say('a', monitor, 'down');
  const { confirming } = await read(monitor);
  assert.equal((await app.alice.send('PATCH', `/monitors/${monitor.id}`, { confirming })).status, 200);
  const answer = await app.alice.send('PATCH', `/monitors/${monitor.id}`, { confirming: null });
  assert.equal(answer.status, 400);
});
