// The alarm of a storm: incidents that open together have one alarm, whatever their number, and nothing of them is
// dropped.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { incidentsToAcknowledge } from '#src/acknowledge-link/alarm-of-link.ts';
import { endHoldInTime, endHoldsAt } from '#src/incidents/end-hold.ts';
import { runDueSteps } from '#src/on-call/alarm/escalate.ts';
import type { Ringing } from '#src/on-call/contract.ts';
import { runWork, SYSTEM, type Work } from '#src/platform/work.ts';
import type { AcknowledgeLink } from '#src/user-notifications/acknowledge-links.ts';
import { type AlarmScene, makeAlarmScene } from '#test/harness/alarm-scene.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { announceAll, openAutomatic } from '#test/harness/automatic-incidents.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile({ env: { PAGERDUTY_URL: 'http://127.0.0.1:9' } });
});

/** Runs a unit of work, and counts its statements. */
async function counted(act: (work: Work) => Promise<void>): Promise<number> {
  let statements = 0;
  await runWork(app.db, app.clock.now(), SYSTEM, async (work) => {
    const tx = work.tx.withPlugin({
      transformQuery: ({ node }) => {
        statements += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    Object.assign(work, { tx });
    await act(work);
  });
  return statements;
}

async function storm(
  scene: AlarmScene,
  count: number,
  heldUntil: Date | null = null,
): Promise<{ ids: string[]; statements: number }> {
  let ids: string[] = [];
  const statements = await counted(async (work) => {
    ids = await openAutomatic(work, scene.place, count, heldUntil);
  });
  return { ids, statements };
}

const ringing = async (scene: AlarmScene) =>
  (await scene.anna.ok<Ringing[]>('GET', scene.url('on-call/ringing'))).map(({ incident_id }) => incident_id);
const ack = (scene: AlarmScene, id: string, query = '') =>
  scene.carl.ok('POST', scene.url(`incidents/${id}/ack${query}`));
const alarmsOf = (scene: AlarmScene) =>
  app.db.selectFrom('alarms').selectAll().where('org_id', '=', scene.orgId).orderBy('no').execute();

test('5,000 incidents that open at once have one alarm, with few statements, and a timeline each', async () => {
  const scene = await makeAlarmScene(app);
  const { ids, statements } = await storm(scene, 5000);
  const alarms = await alarmsOf(scene);
  assert.equal(alarms.length, 1);
  assert.notEqual(alarms[0]?.group_no, null);
  // Events are written 500 together, everything else at once.
  assert.ok(statements < 120, `${statements} statements`);
  assert.equal((await ringing(scene)).length, 1000);

  app.clock.advance(10 * 60_000);
  const steps = await counted((work) => runDueSteps(work, alarms[0]?.no ?? 0));
  assert.ok(steps < 120, `${steps} statements`);
  const first = ids.toSorted()[0] ?? '';
  assert.deepEqual(await scene.notices(first), ['mail alarm mail anna', 'mail alarm_escalated stage1 ben']);
  const { data } = await app.db
    .selectFrom('notices')
    .select('data')
    .where('org_id', '=', scene.orgId)
    .limit(1)
    .executeTakeFirstOrThrow();
  const said = data as { incidents: unknown[]; total: number };
  assert.deepEqual([said.incidents.length, said.total], [20, 5000]);
  const { rows } = await sql<{ kind: string; count: number }>`
    SELECT t.kind, count(*)::int FROM incident_timeline t JOIN incidents i ON i.id = t.incident_id
    WHERE i.org_id = ${scene.orgId} AND (t.detail IS NULL OR t.detail NOT LIKE 'by e-mail%') AND t.kind IN
      ('paged', 'escalated') GROUP BY t.kind ORDER BY t.kind`.execute(app.db);
  assert.deepEqual(rows, [
    { kind: 'escalated', count: 5000 },
    { kind: 'paged', count: 10_000 },
  ]);

  const ending = await counted(async (work) => {
    await sql`UPDATE incidents SET status = 'closed', resolved_at = ${work.now} WHERE org_id = ${scene.orgId}`.execute(
      work.tx,
    );
    await announceAll(work, ids, 'resolved');
  });
  assert.ok(ending < 120, `${ending} statements`);
  assert.notEqual((await alarmsOf(scene))[0]?.ended_at, null);
});

test('later incidents of the storm join its alarm; it rings until the last of them is acknowledged', async () => {
  const scene = await makeAlarmScene(app);
  const { ids } = await storm(scene, 22);
  app.clock.advance(30_000);
  const more = await storm(scene, 2);
  assert.equal((await alarmsOf(scene)).length, 1);
  const all = [...ids, ...more.ids].toSorted();
  assert.deepEqual((await ringing(scene)).toSorted(), all);
  assert.deepEqual(await scene.story(more.ids[0] ?? ''), [
    'paged | anna | the loud alarm of the incidents that opened together rings',
  ]);
  for (const id of all.slice(1)) await ack(scene, id);
  assert.deepEqual(await ringing(scene), [all[0]]);
  assert.equal((await alarmsOf(scene))[0]?.ended_at, null);
  // The step is about the one that is left.
  await scene.later(all[0] ?? '', 3);
  const notice = await app.db
    .selectFrom('notices')
    .select('data')
    .where('org_id', '=', scene.orgId)
    .executeTakeFirstOrThrow();
  assert.equal((notice.data as { total: number }).total, 1);
  await ack(scene, all[0] ?? '');
  assert.deepEqual(await ringing(scene), []);
  assert.notEqual((await alarmsOf(scene))[0]?.ended_at, null);
});

test('one acknowledgement covers all of the storm; later incidents in it ring again, with their own page', async () => {
  const scene = await makeAlarmScene(app);
  const { ids } = await storm(scene, 25);
  await ack(scene, ids[3] ?? '', '?group=true');
  assert.deepEqual(await ringing(scene), []);
  assert.notEqual((await alarmsOf(scene))[0]?.ended_at, null);
  assert.deepEqual(await scene.paged(ids[9] ?? ''), ['opened', 'acknowledged']);
  const late = await storm(scene, 1);
  const alarms = await alarmsOf(scene);
  assert.deepEqual([alarms.length, alarms[1]?.group_no], [2, alarms[0]?.group_no]);
  assert.deepEqual(await ringing(scene), late.ids);
});

test('two that open within a minute have an alarm each; with the third they have one', async () => {
  const scene = await makeAlarmScene(app);
  const first = (await storm(scene, 1)).ids[0] ?? '';
  app.clock.advance(10_000);
  const second = (await storm(scene, 1)).ids[0] ?? '';
  const apart = await alarmsOf(scene);
  assert.deepEqual(
    apart.map(({ group_no, ended_at }) => [group_no, ended_at]),
    [
      [null, null],
      [null, null],
    ],
  );
  app.clock.advance(10_000);
  const third = (await storm(scene, 1)).ids[0] ?? '';
  const [one, other, ...more] = await alarmsOf(scene);
  assert.equal(more.length, 0, 'the storm has the alarm that rings already');
  assert.ok(one?.group_no && one.ended_at === null && other?.ended_at !== null);
  assert.equal(other?.joined_no, one.no);
  for (const id of [first, second, third]) assert.equal((await scene.alarmOf(id)).no, one.no);
  assert.deepEqual((await ringing(scene)).toSorted(), [first, second, third].toSorted());
  // The steps of the first go on; nobody is mailed for the second on its own.
  await scene.later(first, 3);
  const mails = await app.db
    .selectFrom('notices')
    .select('data')
    .where('org_id', '=', scene.orgId)
    .where('channel', '=', 'mail')
    .where('kind', 'like', 'alarm%')
    .execute();
  assert.deepEqual(
    mails.map(({ data }) => (data as { total: number }).total),
    [3],
  );
  await ack(scene, third, '?group=true');
  assert.deepEqual(await ringing(scene), []);
});

test('a storm whose first incident is already acknowledged rings for the others', async () => {
  const scene = await makeAlarmScene(app);
  const first = (await storm(scene, 1)).ids[0] ?? '';
  await ack(scene, first);
  const { ids } = await storm(scene, 2);
  assert.deepEqual((await ringing(scene)).toSorted(), ids.toSorted());
  assert.notEqual((await scene.alarmOf(first)).no, (await scene.alarmOf(ids[0] ?? '')).no);
});

/** Personal notices of the organization, in order: `channel kind stage total`. */
const noticesOf = async (scene: AlarmScene) => {
  const rows = await app.db
    .selectFrom('notices')
    .select(['channel', 'kind', 'data'])
    .where('org_id', '=', scene.orgId)
    .where('state', '<>', 'cancelled')
    .orderBy('no')
    .execute();
  return rows.map(({ channel, kind, data }) => {
    const { stage, total } = data as { stage: string; total: number };
    return `${channel} ${kind} ${stage} ${total}`;
  });
};

test('a person who was mailed about the first two is mailed about the storm once, and once when all of it is closed', async () => {
  const scene = await makeAlarmScene(app, { channel_step_minutes: 0 });
  const said = async () => (await noticesOf(scene)).filter((notice) => notice.startsWith('mail alarm'));
  const { ids: first } = await storm(scene, 1);
  await scene.allSent(first[0] ?? '');
  const { ids: second } = await storm(scene, 1);
  await scene.allSent(second[0] ?? '');
  const { ids: third } = await storm(scene, 1);
  const { ids: more } = await storm(scene, 5);
  const two = ['mail alarm mail 1', 'mail alarm mail 1'];
  assert.deepEqual(await said(), [...two, 'mail alarm storm 3']);
  await markSent(scene);
  await ack(scene, third[0] ?? '', '?group=true');
  const known = [...two, 'mail alarm storm 3', 'mail alarm_acknowledged mail 8'];
  assert.deepEqual(await said(), known);
  const ids = [...first, ...second, ...third, ...more];
  for (const some of [ids.slice(0, 7), ids.slice(7)]) {
    assert.deepEqual(await said(), known);
    await runWork(app.db, app.clock.now(), SYSTEM, async (work) => {
      await sql`UPDATE incidents SET status = 'closed', resolved_at = ${work.now} WHERE id = ANY(${some}::text[])`.execute(
        work.tx,
      );
      await announceAll(work, some, 'resolved');
    });
  }
  assert.deepEqual(await said(), [...known, 'mail alarm_resolved storm 8']);
});

/** There is no mail server: what was tried counts as sent. */
const markSent = (scene: AlarmScene) =>
  sql`UPDATE notices SET state = 'sent' WHERE org_id = ${scene.orgId} AND state <> 'cancelled'`.execute(
    app.db,
  );

test('the link of a mail about one of the first two acknowledges the storm', async () => {
  const scene = await makeAlarmScene(app);
  const { ids: first } = await storm(scene, 1);
  const { ids: second } = await storm(scene, 1);
  const { no } = await scene.alarmOf(second[0] ?? '');
  await storm(scene, 1);
  const link = { orgId: scene.orgId, userId: scene.anna.userId, alarmNo: no ?? 0 } as AcknowledgeLink;
  const toTake = await runWork(app.db, app.clock.now(), SYSTEM, ({ tx }) => incidentsToAcknowledge(tx, link));
  assert.equal(toTake.length, 3);
  assert.ok(toTake.includes(first[0] ?? ''));
});

test('if some incidents of a storm are held, only those are silent; the others ring', async () => {
  const scene = await makeAlarmScene(app);
  const { ids } = await storm(scene, 22);
  const [one = '', ...rest] = ids.toSorted();
  await scene.carl.ok('POST', scene.url(`incidents/${one}/hold`), { seconds: 600 });
  assert.deepEqual((await ringing(scene)).toSorted(), rest);
  for (const id of rest) await ack(scene, id);
  assert.deepEqual(await ringing(scene), []);
  const [alarm] = await alarmsOf(scene);
  assert.deepEqual([alarm?.ended_at, alarm?.paused_at !== null], [null, true]);
  await scene.carl.ok('POST', scene.url(`incidents/${one}/hold`), { seconds: 0 });
  assert.deepEqual(await ringing(scene), [one]);
});

const groupOf = async (id: string) =>
  (await app.db.selectFrom('incidents').select('group_no').where('id', '=', id).executeTakeFirstOrThrow())
    .group_no;
const inTenMinutes = () => new Date(app.clock.ms() + 600_000);

test('a held incident joins its storm’s alarm if one rings, and gets its own if that was acknowledged', async () => {
  const scene = await makeAlarmScene(app);
  const { ids } = await storm(scene, 22);
  const held = await storm(scene, 1, inTenMinutes());
  const paused = ids[0] ?? '';
  await scene.carl.ok('POST', scene.url(`incidents/${paused}/hold`), { seconds: 600 });
  const group = await groupOf(paused);
  assert.equal(await groupOf(held.ids[0] ?? ''), group);
  for (const id of ids.slice(1)) await ack(scene, id);
  assert.deepEqual(await ringing(scene), []);
  const [late = ''] = (await storm(scene, 1)).ids;
  assert.equal(await groupOf(late), group);
  assert.deepEqual(await ringing(scene), [late]);
});

test('a storm in which every incident is held is one group, and silent', async () => {
  const scene = await makeAlarmScene(app);
  const { ids } = await storm(scene, 21, inTenMinutes());
  const more = await storm(scene, 2, inTenMinutes());
  assert.equal(await groupOf(more.ids[0] ?? ''), await groupOf(ids[0] ?? ''));
  assert.deepEqual(await ringing(scene), []);
});

test('an acknowledgement covers all of a storm, including held incidents, but no declared ones', async () => {
  const scene = await makeAlarmScene(app);
  const { ids } = await storm(scene, 22);
  const declared = await app.alice.ok<{ id: string }>('POST', scene.url('incidents'), {
    severity: 'degraded',
    cause: 'Slow',
  });
  await storm(scene, 1, inTenMinutes());
  await ack(scene, ids[0] ?? '', '?group=true');
  const open = await app.db
    .selectFrom('incidents')
    .select('id')
    .where('org_id', '=', scene.orgId)
    .where('acknowledged_at', 'is', null)
    .execute();
  assert.deepEqual(
    open.map(({ id }) => id),
    [declared.id],
  );
});

test('incidents that open and change in one unit of work are announced in the order of their group both times', async () => {
  const scene = await makeAlarmScene(app);
  await runWork(app.db, app.clock.now(), SYSTEM, async (work) => {
    const ids = await openAutomatic(work, scene.place, 22);
    await announceAll(work, ids, 'escalated');
  });
  const { rows } = await sql<{ events: string[]; keys: number }>`
    SELECT array_agg(DISTINCT event ORDER BY event) AS events, count(DISTINCT lane)::int AS keys
    FROM deliveries WHERE target_id = ${scene.pagerId}`.execute(app.db);
  assert.deepEqual(rows, [{ events: ['escalated', 'opened'], keys: 1 }]);
});

test('600 holds that end together end with the first of their jobs, in few statements; alarm steps go first', async () => {
  const scene = await makeAlarmScene(app);
  const until = inTenMinutes();
  const { ids } = await storm(scene, 600, until);
  await runWork(app.db, app.clock.now(), SYSTEM, (work) =>
    endHoldsAt(
      work,
      ids.map((incidentId) => ({ incidentId, at: until })),
    ),
  );
  app.clock.advance(600_000);
  const statements = await counted((work) => endHoldInTime(work, ids[300] ?? ''));
  assert.ok(statements < 60, `${statements} statements`);
  assert.equal((await alarmsOf(scene)).length, 1);
  assert.deepEqual((await ringing(scene)).toSorted(), ids.toSorted());
  const { rows } = await sql<{ task: string; priority: number; n: number }>`
    SELECT split_part(key, ':', 1) AS task, priority, count(*)::int AS n FROM graphile_worker._private_jobs
    WHERE key = ANY(${[...ids.map((id) => `end_hold:${id}`), `alarm:${(await alarmsOf(scene))[0]?.no}`]})
    GROUP BY 1, 2 ORDER BY 1`.execute(app.db);
  // The one whose job this was is not there to take itself back.
  assert.deepEqual(rows, [
    { task: 'alarm', priority: -10, n: 1 },
    { task: 'end_hold', priority: 0, n: 1 },
  ]);
});
