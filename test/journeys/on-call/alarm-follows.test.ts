// An incident that opens is committed with its webhooks first; its alarm follows in a unit of work of its own (docs/adr/0034-from-the-check-to-the-receiver.md).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { makeAlarmScene } from '#test/harness/alarm-scene.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { until } from '#test/harness/until.ts';

const sceneOf = async () => {
  const app = await startAppOfFile({ env: { PAGERDUTY_URL: 'http://127.0.0.1:9' } });
  return { app, scene: await makeAlarmScene(app) };
};

/** Adds a target and returns how many deliveries to it are committed. */
async function addTarget({ alice, db }: TestApp, url: (path: string) => string) {
  const { id } = await alice.ok<{ id: string }>('POST', url('webhooks'), {
    ...{ name: 'Receiver', kind: 'webhook', url: 'http://127.0.0.1:9/', events: ['opened'] },
  });
  return async () => {
    const { rows } = await sql<{
      n: number;
    }>`SELECT count(*)::int AS n FROM deliveries WHERE target_id = ${id}`.execute(db);
    return rows[0]?.n;
  };
}

test('the delivery of an incident does not wait for its alarm', async () => {
  const { app, scene } = await sceneOf();
  const deliveries = await addTarget(app, scene.url);
  const monitor = await scene.create({ name: 'Shop' });
  await scene.say(monitor, 'down');
  let said: Promise<unknown> = Promise.resolve();
  await app.db.transaction().execute(async (tx) => {
    // Not EXCLUSIVE: an incident refers to its alarm, and the check of that reference takes a lock even where there is none.
    await sql`LOCK TABLE alarms IN SHARE MODE`.execute(tx);
    said = scene.say(monitor, 'down');
    await until(async () => (await deliveries()) === 1, 'the delivery is committed');
    const { id } = await scene.incidentOf(monitor);
    assert.deepEqual(await scene.ringsFor(id), []);
  });
  await said;
  const { id } = await scene.incidentOf(monitor);
  assert.deepEqual(await scene.ringsFor(id), ['anna']);
  assert.deepEqual(await scene.paged(id), ['opened']);
});

test('an incident whose alarm cannot be started opens all the same, and the alarm starts later', async () => {
  const { app, scene } = await sceneOf();
  const deliveries = await addTarget(app, scene.url);
  await sql`CREATE FUNCTION refuse_alarm() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no alarm'; END $$`.execute(
    app.db,
  );
  await sql`CREATE TRIGGER refuse_alarm BEFORE INSERT ON alarms FOR EACH ROW EXECUTE FUNCTION refuse_alarm()`.execute(
    app.db,
  );
  const { incident } = await scene.outage();
  await sql`DROP TRIGGER refuse_alarm ON alarms`.execute(app.db);
  assert.equal(incident.status, 'open');
  assert.equal(await deliveries(), 1);
  assert.deepEqual([await scene.ringsFor(incident.id), await scene.paged(incident.id)], [[], []]);
  app.clock.advance(11_000);
  await app.runTask('audit');
  assert.deepEqual(await scene.ringsFor(incident.id), ['anna']);
  assert.deepEqual(await scene.paged(incident.id), ['opened']);
});
