// How people learn that a storm is over (docs/rules/notifications.md#storms).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import { type AlarmScene, makeAlarmScene } from '#test/harness/alarm-scene.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { announceAll, openAutomatic } from '#test/harness/automatic-incidents.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile({ env: { PAGERDUTY_URL: 'http://127.0.0.1:9' } });
});

function open(scene: AlarmScene, count: number, { held = false } = {}): Promise<string[]> {
  const until = held ? new Date(app.clock.ms() + 86_400_000) : null;
  return runWork(app.db, app.clock.now(), SYSTEM, (work) => openAutomatic(work, scene.place, count, until));
}

/** A minute later these are over. */
async function recover(ids: readonly string[]): Promise<void> {
  app.clock.advance(60_000);
  await runWork(app.db, app.clock.now(), SYSTEM, async (work) => {
    await sql`UPDATE incidents SET status = 'closed', resolved_at = ${work.now} WHERE id = ANY(${[...ids]}::text[])`.execute(
      work.tx,
    );
    await announceAll(work, ids, 'resolved');
  });
}

/** The step that mails the person on duty. There is no mail server: what was tried counts as sent. */
async function mail(scene: AlarmScene, incidentId: string): Promise<void> {
  await scene.later(incidentId, 3);
  await scene.allSent(incidentId);
  await sql`UPDATE notices SET state = 'sent' WHERE org_id = ${scene.orgId} AND state = 'failed'`.execute(
    app.db,
  );
}

const ack = (scene: AlarmScene, id: string, query = '') =>
  scene.carl.ok('POST', scene.url(`incidents/${id}/ack${query}`));

/** Mails of the organization's alarms, in order: `kind stage total`. */
async function mailsOf(scene: AlarmScene): Promise<string[]> {
  const { rows } = await sql<{ said: string }>`
    SELECT concat_ws(' ', kind, data ->> 'stage', data ->> 'total') AS said FROM notices
    WHERE org_id = ${scene.orgId} AND channel = 'mail' AND kind LIKE 'alarm%' ORDER BY no`.execute(app.db);
  return rows.map(({ said }) => said);
}

test('an alarm of which one incident is acknowledged and the rest recover ends as acknowledged, and as resolved with the last', async () => {
  const scene = await makeAlarmScene(app);
  const [first = '', ...others] = await open(scene, 3);
  await mail(scene, first);
  await ack(scene, first);
  assert.deepEqual(await mailsOf(scene), ['alarm mail 3']);
  await recover(others);
  const soFar = ['alarm mail 3', 'alarm_acknowledged mail 3'];
  assert.deepEqual(await mailsOf(scene), soFar);
  await recover([first]);
  assert.deepEqual(await mailsOf(scene), [...soFar, 'alarm_resolved storm 3']);
});

test('the end of a storm is told to people of all its alarms, not only of the last', async () => {
  const scene = await makeAlarmScene(app);
  const ids = await open(scene, 3);
  await mail(scene, ids[0] ?? '');
  await ack(scene, ids[0] ?? '', '?group=true');
  // Another one is taken before it mails anybody.
  const [late = ''] = await open(scene, 1);
  await ack(scene, late);
  await recover([...ids, late]);
  assert.deepEqual(await mailsOf(scene), [
    'alarm mail 3',
    'alarm_acknowledged mail 3',
    'alarm_resolved storm 4',
  ]);
});

test('an incident that is taken and one that rings and recovers end a storm with one mail to each person', async () => {
  const scene = await makeAlarmScene(app);
  const ids = await open(scene, 3);
  await mail(scene, ids[0] ?? '');
  await ack(scene, ids[0] ?? '', '?group=true');
  const [late = ''] = await open(scene, 1);
  await mail(scene, late);
  await recover([...ids, late]);
  assert.deepEqual(await mailsOf(scene), [
    'alarm mail 3',
    'alarm_acknowledged mail 3',
    'alarm mail 1',
    'alarm_resolved mail 1',
  ]);
});

test('a storm of which a quiet incident outlasts the alarm is over with that one', async () => {
  const scene = await makeAlarmScene(app);
  const ids = await open(scene, 3);
  const quiet = await open(scene, 1, { held: true });
  await mail(scene, ids[0] ?? '');
  await recover(ids);
  const soFar = ['alarm mail 3', 'alarm_resolved mail 3'];
  assert.deepEqual(await mailsOf(scene), soFar);
  await recover(quiet);
  assert.deepEqual(await mailsOf(scene), [...soFar, 'alarm_resolved storm 4']);
  const { rows } = await sql<{ stage: string; quiet: number | null }>`
    SELECT data ->> 'stage' AS stage, (data ->> 'quiet')::int AS quiet FROM notices
    WHERE org_id = ${scene.orgId} AND channel = 'mail' AND kind = 'alarm_resolved' ORDER BY no`.execute(
    app.db,
  );
  assert.deepEqual(rows, [
    { stage: 'mail', quiet: 1 },
    { stage: 'storm', quiet: null },
  ]);
});
