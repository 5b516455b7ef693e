// What the automatic incidents of a monitor are, and whom they wake (docs/rules/on-call-and-alarms.md#chain).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { IncidentDetail } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { type AlarmScene, makeAlarmScene } from '#test/harness/alarm-scene.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { speakFor } from '#test/harness/spoken-monitors.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile({ env: { PAGERDUTY_URL: 'http://127.0.0.1:9' } });
});

async function failing(scene: AlarmScene, fields: object): Promise<IncidentDetail> {
  const driver = speakFor(app, scene.place);
  const monitor = await driver.create({ name: `Shop ${JSON.stringify(fields)}`, ...fields });
  await driver.say(monitor, 'down', 'down');
  return driver.incidentOf(monitor);
}

const eventsOf = async (incidentId: string, kind: string) => {
  const { rows } = await sql<{ event: string }>`
    SELECT o.event FROM deliveries d JOIN outbox o ON o.id = d.event_id JOIN webhook_targets t ON t.id = d.target_id
    WHERE t.kind = ${kind} AND o.body::json #>> '{incident,id}' = ${incidentId} ORDER BY o.id`.execute(
    app.db,
  );
  return rows.map(({ event }) => event);
};

for (const [fields, severity, rings] of [
  [{}, 'critical', ['anna']],
  [{ severity: 'default' }, 'default', ['anna']],
  [{ severity: 'degraded' }, 'degraded', []],
] as const)
  test(`an outage of a monitor with ${JSON.stringify(fields)} is ${severity} and rings for ${rings.length}`, async () => {
    const scene = await makeAlarmScene(app);
    await app.alice.ok('POST', scene.url('webhooks'), {
      name: 'Log',
      kind: 'webhook',
      url: 'http://127.0.0.1:9/',
      events: ['opened', 'resolved'],
    });
    const incident = await failing(scene, fields);
    assert.equal(incident.severity, severity);
    assert.deepEqual(await scene.ringsFor(incident.id), rings);
    assert.deepEqual(await scene.paged(incident.id), rings.length > 0 ? ['opened'] : []);
    await scene.later(incident.id, 60);
    assert.equal((await scene.notices(incident.id)).length > 0, rings.length > 0);
    assert.deepEqual(await eventsOf(incident.id, 'webhook'), ['opened']);
  });

test('a changed severity applies to the next incident, and stays when it is sent back', async () => {
  const scene = await makeAlarmScene(app);
  const driver = speakFor(app, scene.place);
  const monitor = await driver.create();
  assert.equal(monitor.severity, 'critical');
  await driver.say(monitor, 'down', 'down');
  const first = await driver.incidentOf(monitor);
  const changed = await driver.change(monitor, { severity: 'degraded' });
  assert.equal(changed.severity, 'degraded');
  assert.equal((await driver.detail(first.id)).severity, 'critical');
  assert.equal((await driver.change(monitor, { severity: null })).severity, 'degraded');
  await driver.say(monitor, 'up', 'up', 'down', 'down');
  assert.equal((await driver.incidentOf(monitor)).severity, 'degraded');
});

test('an unknown severity is refused by name', async () => {
  const { projectId } = await app.place();
  const body = { name: 'X', type: 'http', config: { url: 'https://shop.example.com/' }, severity: 'sev1' };
  const refusal = { status: 400, error: 'invalid_request', field: 'severity' };
  assertRefused(await app.alice.send('POST', `/projects/${projectId}/monitors`, body), refusal);
  const { id } = await app.alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, {
    ...body,
    severity: 'default',
  });
  assertRefused(await app.alice.send('PATCH', `/monitors/${id}`, { severity: 'sev1' }), refusal);
});
