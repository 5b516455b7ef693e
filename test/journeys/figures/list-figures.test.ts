// Figures of the monitors that a list shows (docs/rules/figures.md#figures-of-a-list).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Monitor } from '#src/monitors/contract.ts';
import type { MonitorFigures, Series } from '#src/series/contract.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { makeKeyHolder } from '#test/harness/keys.ts';
import { resultOf } from '#test/harness/probe.ts';
import { assertRefused } from '#test/harness/refused.ts';

const HOUR_MS = 3_600_000;

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
const pathOf = (orgId: string, ids: readonly string[]) =>
  `/organizations/${orgId}/monitor-figures?monitor_ids=${ids.join(',')}`;
const figures = async (orgId: string, ...ids: string[]) => {
  const rows = await app.alice.ok<MonitorFigures[]>('GET', `${pathOf(orgId, ids)}&long=true`);
  return ids.map((id) => rows.find(({ monitor_id }) => monitor_id === id));
};

test('the uptime in a list is that of each monitor’s series, to the digit', async () => {
  const { orgId, projectId } = await app.place();
  const [shop, mail, unseen] = [await create(projectId), await create(projectId), await create(projectId)];
  for (let hour = 0; hour < 40; hour++) {
    const isDown = hour === 5 || hour === 30;
    for (let minute = 0; minute < 60; minute += 4) {
      const atMs = app.clock.ms();
      await app
        .probe()
        .post([
          resultOf(shop.id, atMs, isDown && minute < 20 ? 'down' : 'up'),
          resultOf(mail.id, atMs, hour === 12 ? 'down' : 'up'),
        ]);
      app.clock.advance(HOUR_MS / 15);
    }
  }
  const [ofShop, ofMail, ofUnseen] = await figures(orgId, shop.id, mail.id, unseen.id);
  for (const [monitor, shown] of [
    [shop, ofShop],
    [mail, ofMail],
    [unseen, ofUnseen],
  ] as const)
    for (const [range, field] of [
      ['1d', 'uptime_1d_pct'],
      ['7d', 'uptime_7d_pct'],
      ['30d', 'uptime_30d_pct'],
      ['90d', 'uptime_90d_pct'],
    ] as const) {
      const { stats } = await app.alice.ok<Series>('GET', `/monitors/${monitor.id}/series?range=${range}`);
      assert.equal(shown?.[field], stats.uptime_time_pct, `${monitor.name} ${range}`);
    }
  assert.ok((ofShop?.uptime_1d_pct ?? 100) < 100, 'the outage of the last day counts');
  assert.ok((ofMail?.uptime_30d_pct ?? 100) < 100, 'an older outage counts over 30 days');
  assert.equal(ofMail?.uptime_1d_pct, 100, 'and not in the last day');
  assert.equal(ofUnseen?.uptime_30d_pct, null, 'nothing is known where nothing was checked');
});

test('the days left are those of the newest check with the value, less the time since then', async () => {
  const { orgId, projectId } = await app.place();
  const tls = await create(projectId, { type: 'tls', config: { host: 'shop.example.com', port: 443 } });
  const http = await create(projectId);
  const probe = app.probe();
  await probe.says(tls.id, { status: 'up', metric_value: 20 });
  app.clock.advance(60_000);
  await probe.says(tls.id, { status: 'up', metric_value: 12.5 });
  await probe.says(http.id, 'up');
  app.clock.advance(12 * HOUR_MS);
  await probe.says(tls.id, { status: 'down', failure_class: 'timeout', cause_layer: 'target_connect' });
  const [ofTls, ofHttp] = await figures(orgId, tls.id, http.id);
  assert.deepEqual([ofTls?.days_left, ofHttp?.days_left], [12, null]);
  app.clock.advance(8 * 24 * HOUR_MS);
  await app.runTask('partitions');
  assert.equal((await figures(orgId, tls.id))[0]?.days_left, null, 'what is a week old says nothing');
});

test('a list has no figures of other organizations, nor of monitors outside a narrowed key', async () => {
  const [own, foreign] = [await app.place(), await app.place()];
  const other = await app.alice.ok<{ id: string }>('POST', `/organizations/${own.orgId}/projects`, {
    name: 'Other',
  });
  const [shop, beside, theirs] = [
    await create(own.projectId),
    await create(other.id),
    await create(foreign.projectId),
  ];
  const ids = [theirs.id, beside.id, shop.id];
  const seen = (rows: MonitorFigures[]) => rows.map(({ monitor_id }) => monitor_id).sort();
  const path = pathOf(own.orgId, ids);
  assert.deepEqual(seen(await app.alice.ok('GET', path)), [shop.id, beside.id].sort());
  const key = await makeKeyHolder(app, app.alice, own.orgId, {
    scopes: ['monitors:read'],
    project_ids: [own.projectId],
  });
  assert.deepEqual(seen(await key.ok('GET', path)), [shop.id]);
});

test('figures are limited to a hundred monitors per request', async () => {
  const { orgId } = app.home;
  const ids = Array.from({ length: 101 }, (_, i) => `mon_${i}`);
  assert.deepEqual(await app.alice.ok('GET', pathOf(orgId, ids.slice(1))), []);
  const refused = await app.alice.send('GET', pathOf(orgId, ids));
  assertRefused(refused, { status: 400, error: 'invalid_request', field: 'monitor_ids' }, 'too many');
});
