// The alarm of a storm: incidents that open together have one alarm, whatever their number, and nothing of them is
// dropped.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { announceIncident } from '#src/incidents/announce.ts';
import { endHoldInTime, endHoldsAt } from '#src/incidents/end-hold.ts';
import { selectIncidents } from '#src/incidents/queries.ts';
import { runDueSteps } from '#src/on-call/alarm/escalate.ts';
import type { Ringing } from '#src/on-call/contract.ts';
import { newId } from '#src/platform/ids.ts';
import { runWork, SYSTEM, type Work } from '#src/platform/work.ts';
import { type AlarmScene, makeAlarmScene } from '#test/harness/alarm-scene.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';

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

/** Automatic incidents of monitors that were deleted since, all at once: nothing but themselves. */
async function open(
  work: Work,
  { orgId, projectId }: AlarmScene,
  count: number,
  heldUntil: Date | null = null,
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('inc'));
  await sql`INSERT INTO incidents (id, org_id, monitor_id, project_id, origin, cause, summary, severity, status,
      down_regions, region_count, started_at, created_at, alarm_held_until, alarm_held_by_name)
    SELECT id, ${orgId}, '', ${projectId}, 'automatic', 'Storm', 'Storm', 'critical', 'open', '{}', 1, ${work.now},
      ${work.now}, ${heldUntil}, ${heldUntil && 'router'} FROM unnest(${ids}::text[]) AS given (id)`.execute(
    work.tx,
  );
  await announceAll(work, ids, 'opened');
  return ids;
}

async function announceAll(
  work: Work,
  ids: readonly string[],
  change: 'opened' | 'acknowledged' | 'resolved' | 'escalated',
) {
  const rows = await selectIncidents(work.tx)
    .where('incidents.id', '=', sql<string>`ANY(${[...ids]}::text[])`)
    .orderBy('incidents.id')
    .execute();
  for (const row of rows) announceIncident(work, row, change);
}

async function storm(
  scene: AlarmScene,
  count: number,
  heldUntil: Date | null = null,
): Promise<{ ids: string[]; statements: number }> {
  let ids: string[] = [];
  const statements = await counted(async (work) => {
    ids = await open(work, scene, count, heldUntil);
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

test('one acknowledgement can cover the whole alarm; incidents that open in the storm after that ring again', async () => {
  const scene = await makeAlarmScene(app);
  const { ids } = await storm(scene, 25);
  await ack(scene, ids[3] ?? '', '?group=true');
  assert.deepEqual(await ringing(scene), []);
  assert.notEqual((await alarmsOf(scene))[0]?.ended_at, null);
  assert.deepEqual(await scene.paged(ids[9] ?? ''), ['opened', 'acknowledged']);
  const late = await storm(scene, 1);
  const alarms = await alarmsOf(scene);
  assert.equal(alarms.length, 2);
  // A group of its own: a page under the key of one that was taken would wake nobody.
  assert.ok(alarms[1]?.group_no && alarms[1].group_no !== alarms[0]?.group_no);
  assert.deepEqual(await ringing(scene), late.ids);
});

test('up to 20 that open within a minute have an alarm each', async () => {
  const scene = await makeAlarmScene(app);
  await storm(scene, 20);
  const alarms = await alarmsOf(scene);
  assert.deepEqual([alarms.length, new Set(alarms.map(({ group_no }) => group_no))], [20, new Set([null])]);
  assert.equal((await ringing(scene)).length, 20);
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
const openDegraded = (scene: AlarmScene) =>
  app.alice.ok<{ id: string }>('POST', scene.url('incidents'), { severity: 'degraded', cause: 'Slow' });
const inTenMinutes = () => new Date(app.clock.ms() + 600_000);

test('silent incidents of a storm do not keep an acknowledged group open', async () => {
  const scene = await makeAlarmScene(app);
  const { ids } = await storm(scene, 22);
  const degraded = await openDegraded(scene);
  const held = await storm(scene, 1, inTenMinutes());
  const paused = ids[0] ?? '';
  await scene.carl.ok('POST', scene.url(`incidents/${paused}/hold`), { seconds: 600 });
  const group = await groupOf(paused);
  for (const id of [degraded.id, held.ids[0] ?? '']) assert.equal(await groupOf(id), group);
  for (const id of ids.slice(1)) await ack(scene, id);
  const [late = ''] = (await storm(scene, 1)).ids;
  assert.notEqual(await groupOf(late), group);
  assert.deepEqual(await ringing(scene), [late]);
  assert.notEqual((await scene.alarmOf(late)).no, (await scene.alarmOf(paused)).no);
});

test('a storm in which everything is held is one group as long as nobody has acknowledged any of it', async () => {
  const scene = await makeAlarmScene(app);
  const { ids } = await storm(scene, 21, inTenMinutes());
  const more = await storm(scene, 2, inTenMinutes());
  assert.equal(await groupOf(more.ids[0] ?? ''), await groupOf(ids[0] ?? ''));
});

test('acknowledging an alarm covers all of it, and no incident of the storm that never rang', async () => {
  const scene = await makeAlarmScene(app);
  const { ids } = await storm(scene, 22);
  const degraded = await openDegraded(scene);
  const [held = ''] = (await storm(scene, 1, inTenMinutes())).ids;
  const open = async () => {
    const rows = await app.db
      .selectFrom('incidents')
      .select('id')
      .where('org_id', '=', scene.orgId)
      .where('acknowledged_at', 'is', null)
      .execute();
    return rows.map(({ id }) => id).toSorted();
  };
  await ack(scene, ids[0] ?? '', '?group=true');
  assert.deepEqual(await open(), [degraded.id, held].toSorted());
  // Of one without an alarm: itself, and what wakes people.
  const other = await makeAlarmScene(app);
  const loud = await storm(other, 22);
  const quiet = await openDegraded(other);
  const [sleeps = ''] = (await storm(other, 1, inTenMinutes())).ids;
  await ack(other, quiet.id, '?group=true');
  assert.deepEqual(await ringing(other), []);
  for (const [id, state] of [
    [loud.ids[0], 'acknowledged'],
    [quiet.id, 'acknowledged'],
    [sleeps, 'triggered'],
  ]) {
    const detail = await other.carl.ok<{ lifecycle_state: string }>('GET', other.url(`incidents/${id}`));
    assert.equal(detail.lifecycle_state, state);
  }
});

test('incidents that open and change in one unit of work are announced in the order of their group both times', async () => {
  const scene = await makeAlarmScene(app);
  await runWork(app.db, app.clock.now(), SYSTEM, async (work) => {
    const ids = await open(work, scene, 22);
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
