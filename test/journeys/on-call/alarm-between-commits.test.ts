// What happens between the commit that opens an incident and the one that starts its alarm
// (docs/adr/0034-from-the-check-to-the-receiver.md). Each test puts a unit of work of its own, or a whole request, between the two.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { Monitor } from '#src/monitors/contract.ts';
import { follow, runWork, SYSTEM } from '#src/platform/work.ts';
import { type AlarmScene, makeAlarmScene } from '#test/harness/alarm-scene.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { openAutomatic } from '#test/harness/automatic-incidents.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile({ env: { PAGERDUTY_URL: 'http://127.0.0.1:9' } });
});

const RINGS = 'the loud alarm rings';
const JOINS = 'the loud alarm of the incidents that opened together rings';
const MINUTE_MS = 60_000;

/** Opens an incident, of this monitor or example if there is one, and does `meanwhile` before its alarm follows. */
async function open(
  scene: AlarmScene,
  meanwhile: (incidentId: string) => Promise<unknown> = async () => undefined,
  monitor?: Pick<Monitor, 'id'>,
): Promise<string> {
  const failures: unknown[] = [];
  const id = await runWork(
    app.db,
    app.clock.now(),
    SYSTEM,
    async (work) => {
      const [opened = ''] = await openAutomatic(work, scene.place, 1);
      if (monitor)
        await sql`UPDATE incidents i SET monitor_no = m.no, monitor_id = m.id, example = m.example FROM monitors m
          WHERE i.id = ${opened} AND m.id = ${monitor.id}`.execute(work.tx);
      // What follows first runs first.
      follow(work, async () => void (await meanwhile(opened)));
      return opened;
    },
    { onFollowFailed: (error) => failures.push(error), clock: () => app.clock.now() },
  );
  assert.deepEqual(failures, []);
  return id;
}

/** Opens this many at once, as if the process ended right behind their commit: their alarm does not follow. */
const cutOff = (scene: AlarmScene, count = 1): Promise<string[]> =>
  runWork(
    app.db,
    app.clock.now(),
    SYSTEM,
    async (work) => {
      follow(work, async () => void work.following?.splice(0));
      return openAutomatic(work, scene.place, count);
    },
    { onFollowFailed: assert.ifError },
  );

const rungs = async (scene: AlarmScene, id: string) =>
  (await scene.story(id)).filter((entry) => !entry.startsWith('opened'));

test('an alarm that another has started meanwhile does not ring a second time, and is not paused', async () => {
  const scene = await makeAlarmScene(app);
  const id = await open(scene, async (opened) => {
    await scene.carl.ok('POST', scene.url(`incidents/${opened}/hold`), { seconds: 60 });
    app.clock.advance(MINUTE_MS);
    await app.runTask('end_hold', { incident_id: opened });
  });
  const pages = (await rungs(scene, id)).filter((entry) => entry.startsWith('paged'));
  assert.deepEqual(pages, [`paged | anna | ${RINGS}`]);
  assert.deepEqual(await scene.ringsFor(id), ['anna']);
  assert.deepEqual(await scene.paged(id), ['opened']);
  assert.equal((await scene.alarmOf(id)).paused_at, null);
});

test('maintenance that begins meanwhile keeps the alarm quiet, and the timeline says so once', async () => {
  const scene = await makeAlarmScene(app);
  const monitor = await scene.create();
  const id = await open(
    scene,
    async () => {
      app.clock.advance(1000);
      const begins = Math.floor(app.clock.ms() / 1000);
      const window = await app.alice.ok<{ id: string }>('POST', scene.url('maintenance-windows'), {
        ...{ title: 'Works', body: '', monitors: [monitor.id] },
        ...{ scheduled_start: begins, scheduled_end: begins + 600 },
      });
      await app.runTask('maintenance', { window_id: window.id });
    },
    monitor,
  );
  assert.deepEqual(await rungs(scene, id), ['suppressed | the alarm is quiet: maintenance']);
  assert.deepEqual([await scene.ringsFor(id), await scene.paged(id)], [[], []]);
});

for (const [what, act] of [
  [
    'acknowledged',
    (scene: AlarmScene, id: string) => scene.carl.ok('POST', scene.url(`incidents/${id}/ack`)),
  ],
  [
    'resolved',
    (scene: AlarmScene, id: string) => scene.carl.ok('POST', scene.url(`incidents/${id}/resolve`)),
  ],
] as const)
  test(`an incident that is ${what} meanwhile wakes nobody`, async () => {
    const scene = await makeAlarmScene(app);
    const id = await open(scene, (opened) => act(scene, opened));
    assert.deepEqual(
      (await rungs(scene, id)).filter((entry) => entry.startsWith('paged')),
      [],
    );
    assert.deepEqual([await scene.ringsFor(id), await scene.paged(id)], [[], []]);
    assert.equal((await scene.alarmOf(id)).no, null);
  });

test('a target with a filter that is created after the end of an incident does not receive later that it was a false alarm', async () => {
  const scene = await makeAlarmScene(app);
  let targetId = '';
  const id = await open(scene, async (opened) => {
    await scene.carl.ok('POST', scene.url(`incidents/${opened}/resolve`));
    app.clock.advance(1000);
    const target = await app.alice.ok<{ id: string }>('POST', scene.url('webhooks'), {
      ...{ name: 'Later', kind: 'webhook', url: 'http://127.0.0.1:9/' },
      ...{ events: ['opened', 'discarded'], min_severity: 'critical' },
    });
    targetId = target.id;
  });
  await app.alice.ok('POST', scene.url(`incidents/${id}/discard`), {});
  const { rows } = await sql`SELECT event FROM deliveries WHERE target_id = ${targetId}`.execute(app.db);
  assert.deepEqual(rows, []);
});

test('an example that its starter acknowledges meanwhile does not ring after that', async () => {
  const scene = await makeAlarmScene(app);
  await app.probe().assignments();
  const { monitor_id: id } = await app.alice.ok<{ monitor_id: string }>(
    'POST',
    `/projects/${scene.projectId}/example-outage`,
  );
  const ack = (opened: string) => app.alice.ok('POST', scene.url(`incidents/${opened}/ack`));
  assert.deepEqual(await rungs(scene, await open(scene, ack, { id })), ['acknowledged | Admin | ']);
});

test('the alarms of a storm merge though the incident that began it is gone by then', async () => {
  const scene = await makeAlarmScene(app);
  const first = await open(scene);
  const second = await open(scene);
  await open(scene, (opened) => sql`DELETE FROM incidents WHERE id = ${opened}`.execute(app.db));
  const [one, other] = await Promise.all([scene.alarmOf(first), scene.alarmOf(second)]);
  assert.equal(one.no, other.no);
  assert.notEqual(one.group_no, null);
});

test('an incident whose alarm is quicker than that of the one which began the storm joins the same alarm', async () => {
  const scene = await makeAlarmScene(app);
  const first = await open(scene);
  const second = await open(scene);
  let fourth = '';
  const third = await open(scene, async () => {
    fourth = await open(scene);
  });
  const nos = await Promise.all(
    [first, second, third, fourth].map(async (id) => (await scene.alarmOf(id)).no),
  );
  assert.equal(new Set(nos).size, 1);
  const { rows } = await sql`SELECT FROM alarms WHERE org_id = ${scene.orgId}`.execute(app.db);
  assert.equal(rows.length, 2);
  assert.deepEqual(await rungs(scene, fourth), [`paged | anna | ${JOINS}`]);
  assert.deepEqual(await rungs(scene, third), [`paged | anna | ${JOINS}`]);
});

test('the alarm of a storm keeps the times of its oldest, though that of an incident which it found before its alarm is quicker', async () => {
  const scene = await makeAlarmScene(app);
  const first = await open(scene);
  const { started_at: began } = await scene.alarmOf(first);
  app.clock.advance(40_000);
  const [begun, alarmed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let opening: Promise<string> | undefined;
  await open(scene, async () => {
    opening = open(scene, async () => {
      begun.resolve();
      await alarmed.promise;
    });
    await Promise.race([begun.promise, opening]);
  });
  alarmed.resolve();
  const third = await opening;
  const { no, started_at } = await scene.alarmOf(third ?? '');
  assert.deepEqual([(await scene.alarmOf(first)).no, started_at], [no, began]);
  const { rows } = await sql<{ step: string; after: number }>`
    SELECT step, extract(epoch FROM due_at - ${began})::int AS after FROM alarm_steps WHERE alarm_no = ${no}
    ORDER BY due_at`.execute(app.db);
  assert.deepEqual(rows, [
    { step: 'mail', after: 180 },
    { step: 'stage1', after: 600 },
    { step: 'stage2', after: 1200 },
  ]);
  app.clock.advance(140_000);
  await app.runTask('alarm', { alarm_no: no });
  const mails = (await scene.notices(first)).filter((notice) => notice.startsWith('mail'));
  assert.deepEqual(mails, ['mail alarm mail anna']);
});

test('the watchdog starts the alarm of an incident that was cut off behind the commit in which it began a storm', async () => {
  const scene = await makeAlarmScene(app, { channel_step_minutes: 0 });
  const first = await open(scene);
  const second = await open(scene);
  const [third = ''] = await cutOff(scene);
  assert.deepEqual(await scene.ringsFor(third), []);
  app.clock.advance(11_000);
  await app.runTask('audit');
  const nos = await Promise.all([first, second, third].map(async (id) => (await scene.alarmOf(id)).no));
  assert.equal(new Set(nos).size, 1);
  assert.deepEqual(await scene.ringsFor(third), ['anna']);
  const notices = await scene.notices(third);
  assert.deepEqual(
    notices.filter((notice) => notice.includes(' storm ')),
    ['mail alarm storm anna'],
  );
});

test('the alarms of a storm merge in the commit that begins it, also if nothing follows, and one of them is paused', async () => {
  const scene = await makeAlarmScene(app);
  const first = await open(scene);
  await scene.carl.ok('POST', scene.url(`incidents/${first}/hold`), { seconds: 3600 });
  const second = await open(scene);
  await cutOff(scene);
  const [one, other] = await Promise.all([scene.alarmOf(first), scene.alarmOf(second)]);
  assert.deepEqual([one.no, one.paused_at], [other.no, null]);
  assert.notEqual(one.group_no, null);
  assert.deepEqual(await scene.ringsFor(second), ['anna']);
});

test('an outage of which hundreds of alarms are lost keeps no other organization waiting for the watchdog', async () => {
  const scene = await makeAlarmScene(app);
  const others = await makeAlarmScene(app);
  assert.ok(scene.orgId < others.orgId);
  await cutOff(scene, 501);
  const [id = ''] = await cutOff(others);
  app.clock.advance(11_000);
  await app.runTask('audit');
  assert.deepEqual(await others.ringsFor(id), ['anna']);
  const { rows } = await sql<{ orgId: string }>`SELECT i.org_id AS "orgId"
    FROM incident_timeline t JOIN incidents i ON i.id = t.incident_id
    WHERE t.kind = 'paged' AND i.org_id IN (${scene.orgId}, ${others.orgId})
    GROUP BY i.org_id ORDER BY max(t.no)`.execute(app.db);
  // They take turns: the last of the large outage comes behind.
  assert.deepEqual(
    rows.map(({ orgId }) => orgId),
    [others.orgId, scene.orgId],
  );
});

test('the watchdog starts the alarms of all incidents of a large storm in one run', async () => {
  const scene = await makeAlarmScene(app);
  await cutOff(scene, 1001);
  app.clock.advance(11_000);
  await app.runTask('audit');
  const { rows } =
    await sql`SELECT count(*)::int AS incidents, count(DISTINCT alarm_no)::int AS alarms FROM incidents
    WHERE org_id = ${scene.orgId} AND alarm_no IS NOT NULL`.execute(app.db);
  assert.deepEqual(rows, [{ incidents: 1001, alarms: 1 }]);
});

test('the page of a storm does not wait for further events if nobody was paged before', async () => {
  const scene = await makeAlarmScene(app);
  const ids: string[] = [];
  const first = await open(scene, async () => {
    ids.push(await open(scene, async () => void ids.push(await open(scene))));
  });
  // The first of the three is due, or was tried; the clock stands still.
  const { rows } = await sql<{ begun: boolean }>`
    SELECT coalesce(bool_or(d.attempts > 0 OR d.state <> 'pending' OR d.next_attempt_at <= ${app.clock.now()}), false) AS begun
    FROM deliveries d WHERE d.target_id = ${scene.pagerId}`.execute(app.db);
  assert.deepEqual(rows, [{ begun: true }]);
  for (const id of [first, ...ids]) assert.deepEqual(await scene.paged(id), ['opened']);
});

test('the first notice of a storm that is recognized before any of its alarms has started names all its incidents', async () => {
  const scene = await makeAlarmScene(app, { channel_step_minutes: 0 });
  await open(scene, async () => {
    await open(scene, async () => void (await open(scene)));
  });
  const { rows } = await sql`SELECT n.data ->> 'stage' AS stage, (n.data ->> 'total')::int AS total,
    jsonb_array_length(n.data -> 'incidents') AS named FROM notices n JOIN alarms a ON a.no = n.alarm_no
    WHERE a.org_id = ${scene.orgId} ORDER BY 1, 2`.execute(app.db);
  assert.deepEqual(rows, [{ stage: 'mail', total: 3, named: 3 }]);
});
