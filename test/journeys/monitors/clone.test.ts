// A monitor made after another (docs/rules/monitor-types.md#clones).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Monitor } from '#src/monitors/contract.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { makeKeyHolder } from '#test/harness/keys.ts';
import { assertRefused } from '#test/harness/refused.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

const create = (projectId: string, fields: Record<string, unknown> = {}) =>
  app.alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, {
    name: `M ${crypto.randomUUID()}`,
    type: 'http',
    config: { url: 'https://shop.example.com/' },
    ...fields,
  });
const clone = (monitor: Monitor, body: Record<string, unknown> = {}) =>
  app.alice.ok<Monitor>('POST', `/monitors/${monitor.id}/clone`, {
    name: `C ${crypto.randomUUID()}`,
    ...body,
  });

test('a clone has the settings of its monitor, and neither its history nor its ids', async () => {
  const { projectId } = await app.place();
  const gateway = await create(projectId);
  const shop = await create(projectId, {
    config: { url: 'https://shop.example.com/', expected_status: ['200-204'], degraded_after_ms: 900 },
    interval_seconds: 90,
    policy: { alarm_consecutive: 4, alarm_min_duration_seconds: 120 },
    alarm_gate: { grace_seconds: 300, origins: ['deployment'] },
    depends_on: [gateway.id],
    severity: 'degraded',
    tags: ['prod', 'shop'],
  });
  await app.probe().says(shop.id, 'up');
  const made = await clone(shop, { name: 'Shop in Rome' });
  const { id, slug, name, last_status } = made;
  const HISTORY = [
    'id',
    'slug',
    'name',
    'last_status',
    'last_severity',
    'last_status_since_unix',
    'no_data_since_unix',
  ];
  const settingsOf = (monitor: Monitor) =>
    Object.fromEntries(Object.entries(monitor).filter(([field]) => !HISTORY.includes(field)));
  assert.deepEqual(settingsOf(made), settingsOf(await app.alice.ok('GET', `/monitors/${shop.id}`)));
  assert.notEqual(id, shop.id);
  assert.deepEqual([name, slug, last_status], ['Shop in Rome', 'shop-in-rome', null]);
  assert.deepEqual(await app.alice.ok('GET', `/monitors/${id}/checks`), []);
});

test('the secrets of a clone reach only its probe', async () => {
  const { projectId } = await app.place();
  const auth = { kind: 'bearer', token: 'a very secret token' };
  const shop = await create(projectId, { config: { url: 'https://shop.example.com/', auth } });
  const made = await clone(shop);
  assert.deepEqual((made.config as { auth: unknown }).auth, { kind: 'bearer', token: '••••' });
  const { monitors } = await app.probe().assignments();
  const assigned = monitors.find(({ monitor_id }) => monitor_id === made.id) ?? assert.fail();
  assert.deepEqual((assigned.config as { auth: unknown }).auth, auth);
  const moved = await app.alice.send('PATCH', `/monitors/${made.id}`, {
    config: { url: 'https://elsewhere.example.com/' },
  });
  assertRefused(moved, { status: 400, error: 'invalid_request', field: 'config.auth.token' }, 'moved');
});

test('a cloned heartbeat gets its own address', async () => {
  const { projectId } = await app.place();
  const night = await create(projectId, {
    type: 'heartbeat',
    config: { schedule: { kind: 'period', period_seconds: 3600 } },
  });
  const made = await clone(night);
  const addressOf = ({ config }: Monitor) => (config as { ping_url: string }).ping_url;
  assert.notEqual(addressOf(made), addressOf(night));
  assert.equal((await app.visitor().send('GET', new URL(addressOf(made)).pathname)).status, 200);
});

test('a clone may be created in another project, paused', async () => {
  const { orgId, projectId } = await app.place();
  const other = await app.alice.ok<{ id: string }>('POST', `/organizations/${orgId}/projects`, {
    name: 'Other',
  });
  const shop = await create(projectId);
  const made = await clone(shop, { name: shop.name, project_id: other.id, enabled: false });
  assert.deepEqual([made.project_id, made.enabled, made.name], [other.id, false, shop.name]);
  const again = await app.alice.send('POST', `/monitors/${shop.id}/clone`, { name: shop.name });
  assertRefused(again, { status: 400, error: 'name_taken', field: 'name' }, 'taken');
});

test('a key clones only into the projects in its scope', async () => {
  const { orgId, projectId } = await app.place();
  const shop = await create(projectId);
  const [ofProject, ofMonitor] = [
    await makeKeyHolder(app, app.alice, orgId, { scopes: ['monitors:write'], project_ids: [projectId] }),
    await makeKeyHolder(app, app.alice, orgId, { scopes: ['monitors:write'], monitor_ids: [shop.id] }),
  ];
  const path = `/monitors/${shop.id}/clone`;
  assert.equal((await ofProject.send('POST', path, { name: 'By a key' })).status, 201);
  const refused = await ofMonitor.send('POST', path, { name: 'By another' });
  assertRefused(refused, { status: 403, error: 'forbidden', field: 'project_id' }, 'narrowed');
});
