// `depends_on` over HTTP (docs/rules/confirmation.md#dependencies): while what a monitor depends on is down, its own
// incident opens with the alarm held by that name.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Monitor } from '#src/monitors/contract.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { speakFor } from '#test/harness/spoken-monitors.ts';

let app: TestApp;
let driver: ReturnType<typeof speakFor>;
before(async () => {
  app = await startAppOfFile();
  driver = speakFor(app, await app.place());
});

const now = () => Math.floor(app.clock.ms() / 1000);
const held = async (monitor: Monitor) => {
  const { alarm_held_until_unix, alarm_held_by_name } = await driver.incidentOf(monitor);
  return [alarm_held_until_unix, alarm_held_by_name];
};
const endHold = async (monitor: Monitor) =>
  app.runTask('end_hold', { incident_id: (await driver.incidentOf(monitor)).id });
const kinds = async (monitor: Monitor) =>
  (await driver.timeline((await driver.incidentOf(monitor)).id))
    .map(({ kind }) => kind)
    // Whom it could not reach is the story of other tests.
    .filter((kind) => kind !== 'delivery_failed');
const dependingOn = (...monitors: Monitor[]) => driver.create({ depends_on: monitors.map(({ id }) => id) });

test('while a dependency is down an incident opens on hold in its name, for 300 s without a gate', async () => {
  const database = await driver.create();
  const shop = await dependingOn(await driver.create(), database);
  await driver.say(database, 'down', 'down');
  assert.deepEqual(await held(database), [null, null]);
  await driver.say(shop, 'down', 'down');
  assert.deepEqual(await held(shop), [now() + 300, database.name]);
  assert.deepEqual(await kinds(shop), ['opened', 'held']);
});

test('the gate’s grace_seconds sets the duration, whatever its origins; zero holds nothing', async () => {
  const database = await driver.create();
  await driver.say(database, 'down', 'down');
  const gate = (grace_seconds: number) =>
    driver.create({ depends_on: [database.id], alarm_gate: { grace_seconds, origins: [] } });
  const [short, none] = [await gate(90), await gate(0)];
  await driver.say(short, 'down', 'down');
  assert.deepEqual(await held(short), [now() + 90, database.name]);
  await driver.say(none, 'down', 'down');
  assert.deepEqual(await held(none), [null, null]);
});

test('the hold continues silently while the dependency’s outage lasts, and ends after it', async () => {
  const database = await driver.create();
  const shop = await dependingOn(database);
  await driver.say(database, 'down', 'down');
  await driver.say(shop, 'down', 'down');
  const opened = now();
  for (const rounds of [1, 2]) {
    app.clock.advance(300_000);
    await endHold(shop);
    assert.deepEqual(await held(shop), [opened + 300 * (rounds + 1), database.name]);
  }
  await driver.say(database, 'up', 'up');
  // What was extended stays for its time: the shop may need a moment as well.
  assert.deepEqual(await held(shop), [opened + 900, database.name]);
  app.clock.advance(300_000);
  await endHold(shop);
  assert.deepEqual(await held(shop), [null, null]);
  assert.deepEqual(await kinds(shop), ['opened', 'held', 'hold_ended', 'paged']);
  const entries = await driver.timeline((await driver.incidentOf(shop)).id);
  assert.equal(entries.find(({ kind }) => kind === 'hold_ended')?.at_unix, opened + 900);
});

test('an outage of the dependency that began after the incident does not prolong the hold', async () => {
  const database = await driver.create();
  const shop = await dependingOn(database);
  await driver.say(database, 'down', 'down');
  await driver.say(shop, 'down', 'down');
  await driver.say(database, 'up', 'up', 'down', 'down');
  app.clock.advance(300_000);
  await endHold(shop);
  assert.deepEqual(await held(shop), [null, null]);
});

test('a healthy or merely suspected dependency holds nothing; nor do its own dependencies', async () => {
  const disk = await driver.create();
  const database = await dependingOn(disk);
  const shop = await dependingOn(database);
  await driver.say(disk, 'down', 'down');
  await driver.say(database, 'down');
  await driver.say(shop, 'down', 'down');
  assert.deepEqual(await held(shop), [null, null]);
});

test('if both fail in one batch, the dependent one is held, whichever was created first', async () => {
  const older = await driver.create();
  const dependsOnOlder = await dependingOn(older);
  const newer = await driver.create();
  await driver.change(older, { depends_on: [newer.id] });
  const all = [older, dependsOnOlder, newer];
  for (let i = 0; i < 2; i++) await driver.sayTogether(all, 'down');
  assert.deepEqual(await held(newer), [null, null]);
  assert.deepEqual(await held(older), [now() + 300, newer.name]);
  assert.deepEqual(await held(dependsOnOlder), [now() + 300, older.name]);
});

test('a dependency that is deleted or switched off while it is down no longer holds', async () => {
  for (const end of [
    (id: string) => app.alice.ok('DELETE', `/monitors/${id}`),
    (id: string) => app.alice.ok('PATCH', `/monitors/${id}`, { enabled: false }),
  ]) {
    const database = await driver.create();
    const shop = await dependingOn(database);
    await driver.say(database, 'down', 'down');
    await driver.say(shop, 'down', 'down');
    await end(database.id);
    app.clock.advance(300_000);
    await endHold(shop);
    assert.deepEqual(await held(shop), [null, null]);
  }
});

test('an announced change with a longer hold takes precedence, then the dependency', async () => {
  const database = await driver.create();
  const shop = await driver.create({
    depends_on: [database.id],
    alarm_gate: { grace_seconds: 600, origins: ['deployment'] },
  });
  await app.alice.ok('POST', `/monitors/${shop.id}/alarm-holds`, { origin: 'deployment', name: 'release' });
  const announcedUntil = now() + 600;
  await driver.change(shop, { alarm_gate: { grace_seconds: 100 } });
  await driver.say(database, 'down', 'down');
  await driver.say(shop, 'down', 'down');
  assert.deepEqual(await held(shop), [announcedUntil, 'release']);
  app.clock.advance((announcedUntil - now()) * 1000);
  await endHold(shop);
  assert.deepEqual(await held(shop), [announcedUntil + 100, database.name]);
});
