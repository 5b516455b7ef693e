// Poison: a row that throws each time it is worked holds up nobody, is not worked in a tight loop, and is counted.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { Monitor } from '#src/monitors/contract.ts';
import { newId } from '#src/platform/ids.ts';
import { makeAlarmScene } from '#test/harness/alarm-scene.ts';
import { type Place, startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';
import { enqueueEach, idsOf, whileNobodyClaims } from '#test/harness/enqueued-events.ts';
import { every, jump, makeHeartbeat } from '#test/harness/heartbeat.ts';
import { resultOf } from '#test/harness/probe.ts';
import { startReceiver } from '#test/harness/receiver.ts';
import { until } from '#test/harness/until.ts';

let app: TestApp;
let place: Place;
before(async () => {
  app = await startAppOfFile({ env: { PAGERDUTY_URL: 'http://127.0.0.1:9' }, pollsJobs: true });
  place = await app.place();
});

let made = 0;
function create(fields: object = {}): Promise<Monitor> {
  made += 1;
  const body = {
    name: `Monitor ${made}`,
    type: 'http',
    config: { url: 'https://shop.example.com/' },
    interval_seconds: 10,
    ...fields,
  };
  return app.alice.ok('POST', `/projects/${place.projectId}/monitors`, body);
}
const checksOf = ({ id }: Monitor) => app.alice.ok<{ status: string }[]>('GET', `/monitors/${id}/checks`);
const statusOf = async ({ id }: Monitor) =>
  (await app.alice.ok<Monitor>('GET', `/monitors/${id}`)).last_status;
const noOf = ({ id }: Pick<Monitor, 'id'>) =>
  app.db.selectFrom('monitors').select('no').where('id', '=', id).executeTakeFirstOrThrow();

/** Its state is nothing that anybody could go by. */
async function spoil(monitor: Monitor): Promise<void> {
  const { no } = await noOf(monitor);
  await sql`UPDATE monitor_state SET state = '"spoilt"', calm = false WHERE monitor_no = ${no}`.execute(
    app.db,
  );
}

let traps = 0;
/** A row that nobody can write, whatever is written. */
async function refuseUpdates(table: string, column: string, value: string, { db } = app): Promise<void> {
  traps += 1;
  const name = sql.id(`poison_${traps}`);
  await sql`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'poisoned'; END $$`.execute(db);
  await sql`CREATE TRIGGER ${name} BEFORE UPDATE ON ${sql.table(table)} FOR EACH ROW
    WHEN (OLD.${sql.id(column)} = ${sql.lit(value)}) EXECUTE FUNCTION ${name}()`.execute(db);
}

async function setAside(kind: string, { url } = app): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(
    new RegExp(`^tocsin_set_aside_total\\{kind="${kind}"\\} ([0-9]+)$`, 'm').exec(text)?.[1] ?? 0,
  );
}

test('a monitor with a broken state does not prevent the evaluation of others in its batch', async () => {
  const [poison, ...others] = [await create(), await create(), await create(), await create()] as const;
  await spoil(poison);
  const before = await setAside('monitor');
  const all = [poison, ...others];
  const batch = () => all.map(({ id }) => resultOf(id, app.clock.ms(), 'down'));
  for (let i = 0; i < 2; i++) {
    app.clock.advance(1000);
    const { status, body } = await app.probe().post(batch());
    assert.deepEqual(
      [status, body.accepted, body.ignored, body.refused],
      [200, all.length, 0, []],
      `batch ${i}`,
    );
  }
  for (const other of others) assert.equal(await statusOf(other), 'failed');
  // What it said is history, and it rests: of the second batch nothing was tried again.
  assert.equal((await checksOf(poison)).length, 2);
  assert.equal((await setAside('monitor')) - before, 1);
});

test('a monitor that was set aside is evaluated again once its state is repaired', async () => {
  const [poison, whole] = await Promise.all([create(), create()]);
  await spoil(poison);
  app.clock.advance(1000);
  await app.probe().says(poison.id, 'down');
  await sql`UPDATE monitor_state s SET state = w.state FROM monitor_state w
    WHERE s.monitor_no = ${(await noOf(poison)).no} AND w.monitor_no = ${(await noOf(whole)).no}`.execute(
    app.db,
  );
  for (const seconds of [11, 1]) {
    app.clock.advance(seconds * 1000);
    await app.probe().says(poison.id, 'down');
  }
  assert.equal(await statusOf(poison), 'failed');
});

const jobOf = async (key: string) => {
  const { rows } = await sql<{ attempts: number; waits: boolean }>`
    SELECT attempts, run_at > now() AS waits FROM graphile_worker.jobs WHERE key = ${key}`.execute(app.db);
  return rows[0];
};

test('a job that fails each time keeps its growing delay, and the auditor restores those of others', async () => {
  const [poison, whole] = await Promise.all([create(), create()]);
  for (const each of [poison, whole]) {
    app.clock.advance(1000);
    await app.probe().says(each.id, 'down');
  }
  await spoil(poison);
  const nos = [(await noOf(poison)).no, (await noOf(whole)).no];
  const keys = nos.map((no) => `confirm:${no}`);
  await sql`SELECT graphile_worker.remove_job(key) FROM unnest(${keys}::text[]) AS key`.execute(app.db);
  await sql`UPDATE monitor_state SET reevaluate_at = ${new Date(app.clock.ms() - 60_000)}
    WHERE monitor_no = ANY(${nos}::int[])`.execute(app.db);
  const before = await setAside('confirm');
  await app.runTask('audit');
  // The server's own queue works them.
  await until(async () => ((await jobOf(keys[0] ?? ''))?.attempts ?? 0) >= 2, 'two failed tries');
  await until(async () => {
    const { rows } = await sql`SELECT FROM monitor_state
      WHERE monitor_no = ${nos[1]} AND (reevaluate_at IS NULL OR reevaluate_at > ${app.clock.now()})`.execute(
      app.db,
    );
    return rows.length === 1;
  }, 'the others are confirmed');
  await sql`UPDATE graphile_worker._private_jobs SET run_at = now() + interval '1 hour' WHERE key = ${keys[0]}`.execute(
    app.db,
  );
  await app.runTask('audit');
  const job = await jobOf(keys[0] ?? '');
  assert.ok(job && job.attempts >= 2 && job.waits, JSON.stringify(job));
  assert.ok((await setAside('confirm')) - before >= 2);
  // It is not forgotten for ever: at its longest pause it begins anew.
  await sql`UPDATE graphile_worker._private_jobs SET attempts = 7 WHERE key = ${keys[0]}`.execute(app.db);
  await app.runTask('audit');
  assert.ok(((await jobOf(keys[0] ?? ''))?.attempts ?? 7) < 7);
});

test('a failing part of the audit does not prevent the others', async () => {
  await using own = await startTestApp();
  await sql`ALTER TABLE delivery_queue RENAME COLUMN lane TO gone`.execute(own.db);
  const id = newId('inc');
  await sql`INSERT INTO incidents (id, org_id, monitor_id, project_id, origin, cause, summary, severity, status,
      down_regions, region_count, started_at, created_at, alarm_held_until, alarm_held_by_name)
    VALUES (${id}, ${own.home.orgId}, '', ${own.home.projectId}, 'manual', 'Fire', 'Fire', 'critical', 'open', '{}', 1,
      ${own.clock.now()}, ${own.clock.now()}, ${new Date(own.clock.ms() - 10_000)}, 'anna')`.execute(own.db);
  const before = await setAside('watch');
  await own.runTask('audit');
  await until(async () => {
    const { rows } = await sql`SELECT FROM incidents WHERE id = ${id} AND alarm_held_until IS NULL`.execute(
      own.db,
    );
    return rows.length === 1;
  }, 'the hold has ended');
  assert.equal((await setAside('watch')) - before, 1);
});

test('a heartbeat that cannot be evaluated is set aside, and others are still found silent', async () => {
  const make = () => makeHeartbeat(app, place.projectId, { schedule: every(60), grace_seconds: 10 });
  const [poison, ...others] = [await make(), await make(), await make()] as const;
  for (const beat of [poison, ...others]) await beat.ping();
  const { no } = await noOf(poison.monitor);
  await sql`UPDATE heartbeats SET runs = 'null'::jsonb WHERE monitor_no = ${no}`.execute(app.db);
  const before = await setAside('heartbeat');
  for (let i = 0; i < 3; i++) await jump(app, i === 0 ? 71 : 1);
  for (const beat of others) assert.equal((await beat.checks())[0]?.status, 'down');
  assert.equal((await setAside('heartbeat')) - before, 1);
  await jump(app, 60);
  assert.equal((await setAside('heartbeat')) - before, 2);
});

test('a hold that cannot be ended does not prevent other holds of its organization from ending', async () => {
  const { orgId, projectId } = await app.place();
  const [poison = '', whole = ''] = [newId('inc'), newId('inc')];
  for (const id of [poison, whole])
    await sql`INSERT INTO incidents (id, org_id, monitor_id, project_id, origin, cause, summary, severity, status,
        down_regions, region_count, started_at, created_at, alarm_held_until, alarm_held_by_name)
      VALUES (${id}, ${orgId}, '', ${projectId}, 'manual', 'Fire', 'Fire', 'critical', 'open', '{}', 1,
        ${app.clock.now()}, ${app.clock.now()}, ${new Date(app.clock.ms() - 1000)}, 'anna')`.execute(app.db);
  await refuseUpdates('incidents', 'id', poison);
  await app.runTask('end_hold', { incident_id: whole });
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM incidents WHERE org_id = ${orgId} AND alarm_held_until IS NOT NULL`.execute(app.db);
  assert.deepEqual(rows, [{ id: poison }]);
  await assert.rejects(app.runTask('end_hold', { incident_id: poison }), /poisoned/);
});

test('an alarm that cannot be started is set aside, and others of its organization still ring', async () => {
  // Without jobs of its own: one that looked at the same time would count the alarm too.
  await using quiet = await startTestApp({ roles: ['api', 'ingest'] });
  const scene = await makeAlarmScene(quiet);
  const [poison = '', whole = ''] = [newId('inc'), newId('inc')];
  for (const id of [poison, whole])
    await sql`INSERT INTO incidents (id, org_id, monitor_id, project_id, origin, cause, summary, severity, status,
        down_regions, region_count, started_at, created_at)
      VALUES (${id}, ${scene.orgId}, '', ${scene.projectId}, 'manual', 'Fire', 'Fire', 'critical', 'open', '{}', 1,
        ${quiet.clock.now()}, ${quiet.clock.now()})`.execute(quiet.db);
  await refuseUpdates('incidents', 'id', poison, quiet);
  quiet.clock.advance(11_000);
  const before = await setAside('alarm_start', quiet);
  await quiet.runTask('audit');
  await quiet.runTask('audit');
  assert.deepEqual(await scene.ringsFor(whole), ['anna']);
  assert.equal((await setAside('alarm_start', quiet)) - before, 1);
});

test('a delivery whose outcome cannot be stored delays no other, and is not sent again', async (t) => {
  const { orgId } = await app.place();
  const there = await startReceiver();
  t.after(() => there.stop());
  const hook = await app.alice.ok<{ id: string }>('POST', `/organizations/${orgId}/webhooks`, {
    name: 'Hook',
    kind: 'webhook',
    url: there.url,
    events: ['opened'],
  });
  const deliveries = () =>
    app.db
      .selectFrom('deliveries')
      .select(['id', 'state'])
      .where('target_id', '=', hook.id)
      .orderBy('id')
      .execute();
  let poison: { id: string } | undefined;
  let before = 0;
  await whileNobodyClaims(app, async () => {
    await enqueueEach(app, orgId, 'opened', idsOf(5, 'written'));
    [poison] = await deliveries();
    await refuseUpdates('deliveries', 'id', poison?.id ?? '');
    before = await setAside('delivery');
  });
  for (let i = 0; i < 3; i++) {
    await app.runTask('deliver');
    app.clock.advance(120_000);
  }
  const states = (await deliveries()).map(({ id, state }) => [id === poison?.id, state]);
  assert.deepEqual(states, [[true, 'pending'], ...Array.from({ length: 4 }, () => [false, 'delivered'])]);
  assert.equal(there.received.length, 5);
  assert.equal((await setAside('delivery')) - before, 1);
});

test('a monitor whose checks cannot be rolled up does not prevent others', async () => {
  await app.runTask('partitions');
  const [poison, whole] = await Promise.all([create(), create()]);
  const spoilt = async () => {
    const { no } = await noOf(poison);
    await sql`UPDATE checks SET metric_value = 1.7e308 WHERE monitor_no = ${no}`.execute(app.db);
  };
  const ofAll = (backMs: number) =>
    [poison, whole].flatMap(({ id }) =>
      [1, 2].map((i) => resultOf(id, app.clock.ms() - backMs - i * 1000, 'up')),
    );
  const bucketsOf = async (monitor: Monitor) => {
    const { no } = await noOf(monitor);
    const { rows } = await sql<{ up: number }>`
      SELECT sum(up)::int AS up FROM check_buckets_10m WHERE monitor_no = ${no}`.execute(app.db);
    return rows[0]?.up;
  };
  await app.probe().post(ofAll(0));
  await spoilt();
  const before = await setAside('roll_up_span');
  app.clock.advance(15 * 60_000);
  await app.runTask('roll_up');
  assert.deepEqual([await bucketsOf(poison), await bucketsOf(whole)], [null, 2]);
  assert.equal((await setAside('roll_up_span')) - before, 1);
  // Late ones of both: what is noted of the spoilt one is given up.
  await app.probe().post(ofAll(15 * 60_000 + 3000));
  await spoilt();
  for (let i = 0; i < 2; i++) await app.runTask('roll_up');
  assert.deepEqual([await bucketsOf(poison), await bucketsOf(whole)], [null, 4]);
  assert.equal((await setAside('roll_up_span')) - before, 2);
});
