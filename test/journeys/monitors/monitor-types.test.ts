// Every monitor type: created with the least that has to be given, read with its defaults, changed, sent back as it was
// read (docs/rules/monitor-types.md#config).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { MONITOR_TYPES, type MonitorType, REGIONLESS_MONITOR_TYPES } from '#src/domain/names.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { insertAgent } from '#test/harness/agents.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { type MonitorSample, monitorSamples } from '#test/harness/monitor-samples.ts';

let app: TestApp;
let place: Place;
let samples: Record<MonitorType, MonitorSample>;
let path: string;
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
  path = `/projects/${place.projectId}/monitors`;
  const agent = await insertAgent(app.db, { orgId: place.orgId, at: app.clock.now() });
  const body = { name: 'Member', type: 'http', config: { url: 'https://shop.example.com' } };
  const member = await app.alice.ok<Monitor>('POST', path, body);
  samples = monitorSamples({ agentId: agent.id, memberId: member.id });
});

const isRegionless = (type: string) => (REGIONLESS_MONITOR_TYPES as readonly string[]).includes(type);

let made = 0;
const create = (type: MonitorType, config: Record<string, unknown>, fields: Record<string, unknown> = {}) => {
  made += 1;
  return app.alice.ok<Monitor>('POST', path, { name: `Monitor ${made}`, type, config, ...fields });
};
/** What the server adds to a config. */
function given(monitor: Monitor): Record<string, unknown> {
  const { ping_url: _, ...config } = monitor.config as Record<string, unknown>;
  return config;
}
const stored = async (monitor: Monitor) =>
  (
    await app.db
      .selectFrom('monitors')
      .select('config')
      .where('id', '=', monitor.id)
      .executeTakeFirstOrThrow()
  ).config;

for (const type of MONITOR_TYPES) {
  test(`${type}: a minimal config is accepted, reads back with every default, and no default is stored`, async () => {
    const { least, defaults } = samples[type];
    const monitor = await create(type, least);
    assert.equal(monitor.type, type);
    assert.deepEqual(given(monitor), { ...defaults, ...least });
    assert.deepEqual(await stored(monitor), least);
    assert.deepEqual(await app.alice.ok('GET', `/monitors/${monitor.id}`), monitor);
  });

  test(`${type}: a config without any default reads back as given`, async () => {
    const { defaults, full } = samples[type];
    assert.deepEqual(given(await create(type, full)), { ...defaults, ...full });
  });

  test(`${type}: an update merges fields into the config, and null resets one to its default`, async () => {
    const { least, defaults, full } = samples[type];
    const monitor = await create(type, least);
    const changed = await app.alice.ok<Monitor>('PATCH', `/monitors/${monitor.id}`, { config: full });
    assert.deepEqual(given(changed), { ...defaults, ...least, ...full });
    const cleared = Object.fromEntries(
      Object.keys(defaults)
        .filter((name) => !(name in least))
        .map((name) => [name, null]),
    );
    // A metric other than online needs what is cleared here: back to the least with it.
    const body = { config: { ...cleared, ...least } };
    const back = await app.alice.ok<Monitor>('PATCH', `/monitors/${monitor.id}`, body);
    assert.deepEqual(back.config, monitor.config);
  });

  test(`${type}: a config can be sent back as read, and changes nothing`, async () => {
    for (const config of [samples[type].least, samples[type].full]) {
      const monitor = await create(type, config);
      const before = await stored(monitor);
      assert.deepEqual(await app.alice.ok('PATCH', `/monitors/${monitor.id}`, monitor), monitor);
      assert.deepEqual(await stored(monitor), before);
    }
  });

  test(`${type}: the probe of its region gets the complete config, and nothing for a type without regions`, async () => {
    const monitor = await create(type, samples[type].least);
    assert.deepEqual(monitor.regions, isRegionless(type) ? [] : ['local']);
    const { monitors } = await app.probe().assignments();
    const assigned = monitors.find(({ monitor_id }) => monitor_id === monitor.id);
    if (isRegionless(type)) assert.equal(assigned, undefined);
    else assert.deepEqual(assigned?.config, monitor.config);
  });
}

test('the default timeout of every type shrinks with a short interval', async () => {
  for (const type of MONITOR_TYPES) {
    const timeout = samples[type].defaults.timeout_ms;
    if (timeout === undefined || type === 'domain') continue;
    const monitor = await create(type, samples[type].least, { interval_seconds: 2 });
    assert.equal(given(monitor).timeout_ms, 1600, type);
  }
});

test('a domain is checked at most once an hour, and that is its default', async () => {
  const monitor = await create('domain', samples.domain.least);
  assert.equal(monitor.interval_seconds, 3600);
  const web = await create('http', samples.http.least);
  const turned = await app.alice.ok<Monitor>('PATCH', `/monitors/${web.id}`, {
    type: 'domain',
    config: samples.domain.least,
  });
  assert.equal(turned.interval_seconds, 3600);
});

test('the type can change to one without regions, and back', async () => {
  const monitor = await create('http', samples.http.full);
  const at = `/monitors/${monitor.id}`;
  const beating = await app.alice.ok<Monitor>('PATCH', at, {
    type: 'heartbeat',
    config: samples.heartbeat.least,
  });
  assert.deepEqual(beating.regions, []);
  assert.deepEqual(given(beating), { ...samples.heartbeat.defaults, ...samples.heartbeat.least });
  const { monitors } = await app.probe().assignments();
  assert.equal(
    monitors.find(({ monitor_id }) => monitor_id === monitor.id),
    undefined,
  );
  const back = await app.alice.ok<Monitor>('PATCH', at, { type: 'tcp', config: samples.tcp.least });
  assert.deepEqual(back.regions, ['local']);
  await app.region('frankfurt');
  await app.alice.ok('PATCH', at, { type: 'heartbeat', config: samples.heartbeat.least, regions: [] });
  const there = await app.alice.ok<Monitor>('PATCH', at, {
    type: 'tcp',
    config: samples.tcp.least,
    regions: ['frankfurt'],
  });
  assert.deepEqual(there.regions, ['frankfurt']);
});
