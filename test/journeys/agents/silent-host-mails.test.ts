// One dead host is one alarm: its other monitors have no data, and nobody is sent a mail about that beside the incident
// (docs/rules/monitor-types.md#agent).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { makeAgent, type TestAgent } from '#test/harness/agents.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

const CPU = { metric: 'cpu_pct', op: 'gt', threshold: 90 };

/** Silent for ten minutes, of which the installation watches each. */
async function fallSilent(agent: TestAgent): Promise<void> {
  await app.runTask('self_monitoring');
  await agent.beat({ cpu_pct: 1 });
  for (let i = 0; i < 60; i++) {
    app.clock.advance(10_000);
    await app.runTask('heartbeats_turn');
    await app.runTask('self_monitoring');
  }
}

const troublesOf = async ({ orgId }: Place) =>
  (await app.db.selectFrom('troubles').select('kind').where('org_id', '=', orgId).execute()).map(
    ({ kind }) => kind,
  );

test('with an online monitor, the incident is the only notification', async () => {
  const place = await app.place();
  const agent = await makeAgent(app, place);
  const online = await agent.watch('agent', { metric: 'online' });
  await agent.watch('agent', CPU);
  await fallSilent(agent);
  assert.equal((await online.incidents()).length, 1);
  assert.deepEqual(await troublesOf(place), []);
});

test('a host that may be offline causes no mail', async () => {
  const place = await app.place();
  const agent = await makeAgent(app, place);
  await agent.watch('agent', CPU);
  await app.alice.ok('PATCH', `/organizations/${place.orgId}/agents/${agent.id}`, { expected_offline: true });
  await fallSilent(agent);
  assert.deepEqual(await troublesOf(place), []);
});

test('without an online monitor, a mail about monitors without data is sent', async () => {
  const place = await app.place();
  const agent = await makeAgent(app, place);
  await agent.watch('agent', CPU);
  await fallSilent(agent);
  assert.deepEqual(await troublesOf(place), ['no_data']);
});
