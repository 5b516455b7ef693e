// Results that arrive while their monitor is being edited: the edit is committed first, so it counts.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { IncidentDetail } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { until } from '#test/harness/until.ts';
import { waitingStatements } from '#test/harness/waiting.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
  await app.runTask('partitions');
});

const isWaiting = async (about: string) => (await waitingStatements(app.db, about)) > 0;

/** A failing result that arrives after the edit was written, and before it is committed. */
async function failsDuring(edit: object): Promise<{ incidents: IncidentDetail[]; monitor: Monitor }> {
  const { orgId, projectId } = await app.place();
  const { id } = await app.alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, {
    ...{ name: 'Shop', type: 'http', config: { url: 'https://shop.example.com/' } },
    policy: { alarm_consecutive: 1 },
  });
  const probe = app.probe();
  await probe.says(id, 'up');
  app.clock.advance(1000);
  const writes = await app.db.transaction().execute(async (holder) => {
    await sql`SELECT FROM organizations WHERE id = ${orgId} FOR NO KEY UPDATE`.execute(holder);
    const edited = app.alice.ok('PATCH', `/monitors/${id}`, edit);
    await until(() => isWaiting('live_seq'), 'the edit waits with all that it wrote');
    const saying = probe.says(id, 'down');
    await until(() => isWaiting('monitor_state'), 'the result waits for the edit');
    return [edited, saying];
  });
  await Promise.all(writes);
  return {
    incidents: await app.alice.ok<IncidentDetail[]>('GET', `/organizations/${orgId}/incidents`),
    monitor: await app.alice.ok<Monitor>('GET', `/monitors/${id}`),
  };
}

test('a monitor that was paused meanwhile opens no incident', async () => {
  const { incidents } = await failsDuring({ enabled: false });
  assert.deepEqual(incidents, []);
});

test('an incident has the severity that its monitor got meanwhile', async () => {
  const { incidents } = await failsDuring({ severity: 'degraded' });
  assert.deepEqual(
    incidents.map(({ severity }) => severity),
    ['degraded'],
  );
});

test('a policy that was set meanwhile decides', async () => {
  const { incidents, monitor } = await failsDuring({ policy: { alarm_consecutive: 2 } });
  assert.deepEqual(incidents, []);
  assert.equal(monitor.confirming?.required, 2);
});
