// The life of an incident beyond confirmation: minimum duration, hands, switches, deletes, races, lists
// (docs/rules/confirmation.md#opening, docs/rules/confirmation.md#closing-by-hand,
// docs/rules/confirmation.md#disabling-and-deleting).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { CONFIRM_TASK } from '#src/checks/apply.ts';
import type { IncidentDetail, IncidentSummary, TimelineEntry } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import type { Answer } from '#test/harness/client.ts';
import { resultOf } from '#test/harness/probe.ts';
import { readIncident } from '#test/harness/read-incident.ts';
import { startReceiver } from '#test/harness/receiver.ts';
import { assertRefused } from '#test/harness/refused.ts';

let app: TestApp;
let place: Place;
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
});

let made = 0;
function create(fields: object = {}, projectId = place.projectId): Promise<Monitor> {
  made += 1;
  const body = {
    name: `Monitor ${made}`,
    type: 'http',
    config: { url: 'https://shop.example.com/' },
    interval_seconds: 10,
    ...fields,
  };
  return app.alice.ok('POST', `/projects/${projectId}/monitors`, body);
}
const nowUnix = () => Math.floor(app.clock.ms() / 1000);
async function say(monitor: Monitor, ...statuses: ('up' | 'down')[]): Promise<number> {
  for (const status of statuses) {
    app.clock.advance(1000);
    await app.probe().says(monitor.id, status);
  }
  return nowUnix();
}
const incidentsOf = (monitor: Monitor) =>
  app.alice.ok<IncidentSummary[]>('GET', `/monitors/${monitor.id}/incidents`);
const incidentOf = async (monitor: Monitor): Promise<IncidentSummary> => {
  const [incident] = await incidentsOf(monitor);
  assert.ok(incident, 'no incident');
  return incident;
};
const path = (id: string, at = place) => `/organizations/${at.orgId}/incidents/${id}`;
const detail = (id: string) => readIncident(app.alice, place.orgId, id);
const timeline = (id: string) => app.alice.ok<TimelineEntry[]>('GET', `${path(id)}/timeline`);
/** Without whom the alarm reached or could not reach, which is the story of other tests. */
const ownTimeline = async (id: string) =>
  (await timeline(id)).filter(({ kind }) => kind !== 'paged' && kind !== 'delivery_failed');
const numberOf = async ({ id }: Monitor) =>
  (await app.db.selectFrom('monitors').select('no').where('id', '=', id).executeTakeFirstOrThrow()).no;

test('with a minimum duration the incident opens by the stored job, at that second and not at the next check', async () => {
  const monitor = await create({ policy: { alarm_min_duration_seconds: 20 } });
  const began = await say(monitor, 'down', 'down');
  assert.deepEqual(await incidentsOf(monitor), []);
  assert.equal((await app.alice.ok<Monitor>('GET', `/monitors/${monitor.id}`)).last_status, 'failed');
  const payload = { monitor_no: await numberOf(monitor) };
  app.clock.advance(19_000);
  await app.runTask(CONFIRM_TASK, payload);
  assert.deepEqual(await incidentsOf(monitor), []);
  await app.probe().post([]);
  app.clock.advance(1300);
  await app.runTask(CONFIRM_TASK, payload);
  const incident = await incidentOf(monitor);
  const { evidence, started_at_unix } = await detail(incident.id);
  assert.deepEqual(
    [started_at_unix, evidence?.confirmed_outage_since_unix, evidence?.triggered_at_unix, evidence?.reason],
    [began, began, began + 20, 'minimum_duration_passed'],
  );
  await app.runTask(CONFIRM_TASK, payload);
  assert.equal((await incidentsOf(monitor)).length, 1);
});

test('shortening the minimum duration during the outage opens the incident with the change itself', async () => {
  const monitor = await create({ policy: { alarm_min_duration_seconds: 600 } });
  const began = await say(monitor, 'down', 'down');
  app.clock.advance(5_000);
  await app.probe().post([]);
  await app.alice.ok('PATCH', `/monitors/${monitor.id}`, { policy: { alarm_min_duration_seconds: 4 } });
  const incident = await incidentOf(monitor);
  const { evidence } = await detail(incident.id);
  assert.equal(incident.started_at_unix, began);
  assert.equal(evidence?.minimum_confirmed_outage_seconds, 4);
});

test('a recovery before the minimum duration opens nothing, and resets the duration', async () => {
  const monitor = await create({ policy: { alarm_min_duration_seconds: 20 } });
  await say(monitor, 'down', 'down', 'up', 'up');
  app.clock.advance(18_000);
  const again = await say(monitor, 'down', 'down');
  await app.runTask(CONFIRM_TASK, { monitor_no: await numberOf(monitor) });
  assert.deepEqual(await incidentsOf(monitor), []);
  app.clock.advance(20_000);
  await app.probe().post([]);
  await app.runTask(CONFIRM_TASK, { monitor_no: await numberOf(monitor) });
  assert.equal((await incidentOf(monitor)).started_at_unix, again);
});

test('the auditor finds due work that has lost its job', async () => {
  const monitor = await create({ policy: { alarm_min_duration_seconds: 20 } });
  await say(monitor, 'down', 'down');
  const no = await numberOf(monitor);
  const key = `confirm:${no}`;
  const waiting = async () => {
    const { rows } = await sql`SELECT 1 FROM graphile_worker.jobs WHERE key = ${key}`.execute(app.db);
    return rows.length;
  };
  assert.equal(await waiting(), 1);
  await sql`SELECT graphile_worker.remove_job(${key})`.execute(app.db);
  await app.runTask('audit');
  assert.equal(await waiting(), 0, 'it was not due yet');
  app.clock.advance(31_000);
  await app.probe().post([resultOf(monitor.id, app.clock.ms() - 100, 'down')]);
  const reevaluated = await app.db
    .selectFrom('monitor_state')
    .select('reevaluate_at')
    .where('monitor_no', '=', no)
    .executeTakeFirstOrThrow();
  assert.equal(reevaluated.reevaluate_at, null);
  assert.equal((await incidentsOf(monitor)).length, 1);
});

test('closing by hand resets the streaks; the next confirmation is a new incident of the same phase', async () => {
  const monitor = await create();
  const began = await say(monitor, 'down', 'down');
  const first = await incidentOf(monitor);
  app.clock.advance(500);
  const closed = await app.alice.ok<IncidentDetail>('POST', `${path(first.id)}/resolve`);
  assert.deepEqual(
    [closed.status, closed.lifecycle_state, closed.auto_resolved, closed.resolved_at_unix],
    ['closed', 'resolved', false, nowUnix()],
  );
  await say(monitor, 'down');
  assert.equal((await incidentsOf(monitor)).length, 1);
  const again = await say(monitor, 'down');
  const second = await incidentOf(monitor);
  assert.notEqual(second.id, first.id);
  const { started_at_unix, failure_phase_started_at_unix } = await detail(second.id);
  assert.deepEqual([started_at_unix, failure_phase_started_at_unix], [again, began]);
  await say(monitor, 'up', 'up');
  assert.equal((await incidentOf(monitor)).status, 'closed');
});

test('resolving is idempotent: the second time nothing happens', async () => {
  const monitor = await create();
  await say(monitor, 'down', 'down');
  const { id } = await incidentOf(monitor);
  const first = await app.alice.ok<IncidentDetail>('POST', `${path(id)}/resolve`);
  const entries = await ownTimeline(id);
  app.clock.advance(5000);
  assert.deepEqual(await app.alice.ok('POST', `${path(id)}/resolve`), first);
  assert.deepEqual(await ownTimeline(id), entries);
});

test('of many people who resolve at once, one succeeds', async () => {
  const monitor = await create();
  await say(monitor, 'down', 'down');
  const { id } = await incidentOf(monitor);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => app.alice.send('POST', `${path(id)}/resolve`)),
  );
  assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200]);
  assert.equal((await timeline(id)).filter((entry) => entry.kind === 'resolved').length, 1);
});

test('any member can acknowledge: the first one leads, and a second time changes nothing', async () => {
  const monitor = await create();
  await say(monitor, 'down', 'down');
  const { id } = await incidentOf(monitor);
  const bob = await app.person('bob', { [place.orgId]: 'member' });
  app.clock.advance(3000);
  const acknowledged = await bob.ok<IncidentDetail>('POST', `${path(id)}/ack`);
  assert.deepEqual(
    [
      acknowledged.lifecycle_state,
      acknowledged.status,
      acknowledged.acknowledged_at_unix,
      acknowledged.acknowledged_by_email,
      acknowledged.commander_email,
    ],
    ['acknowledged', 'open', nowUnix(), bob.email, bob.email],
  );
  app.clock.advance(3000);
  assert.deepEqual(await app.alice.ok('POST', `${path(id)}/ack`), acknowledged);
  await app.alice.ok('POST', `${path(id)}/resolve`);
  const late = await app.alice.ok<IncidentDetail>('POST', `${path(id)}/ack`);
  assert.deepEqual([late.lifecycle_state, late.acknowledged_by_email], ['resolved', bob.email]);
});

test('acknowledging a closed, unacknowledged incident changes nothing', async () => {
  const monitor = await create();
  await say(monitor, 'down', 'down', 'up', 'up');
  const { id } = await incidentOf(monitor);
  const before = await detail(id);
  assert.deepEqual(await app.alice.ok('POST', `${path(id)}/ack`), before);
});

test('the timeline shows each event and its actor, oldest first', async () => {
  const monitor = await create();
  const opened = await say(monitor, 'down', 'down');
  const { id } = await incidentOf(monitor);
  app.clock.advance(1000);
  await app.alice.ok('POST', `${path(id)}/ack`);
  const resolved = await say(monitor, 'up', 'up');
  assert.deepEqual(
    (await ownTimeline(id)).map(({ kind, at_unix, actor_name }) => [kind, at_unix, actor_name]),
    [
      ['opened', opened, null],
      ['acknowledged', opened + 1, 'Admin'],
      ['resolved', resolved, null],
    ],
  );
});

test('switching a monitor off resolves its incident, automatically and with the reason', async () => {
  const monitor = await create();
  await say(monitor, 'down', 'down');
  const { id } = await incidentOf(monitor);
  app.clock.advance(1000);
  await app.alice.ok('PATCH', `/monitors/${monitor.id}`, { enabled: false });
  const incident = await detail(id);
  assert.deepEqual(
    [incident.status, incident.auto_resolved, incident.resolved_at_unix],
    ['closed', true, nowUnix()],
  );
  assert.match((await ownTimeline(id)).at(-1)?.detail ?? '', /disabled/);
  assert.notEqual((await app.alice.ok<Monitor>('GET', `/monitors/${monitor.id}`)).last_status, 'failed');
  await app.alice.ok('PATCH', `/monitors/${monitor.id}`, { enabled: true });
  await say(monitor, 'down');
  assert.equal((await incidentsOf(monitor)).length, 1);
  await say(monitor, 'down');
  assert.equal((await incidentsOf(monitor)).length, 2);
});

test('deleting a monitor delivers the resolution, then everything of it is gone', async () => {
  const receiver = await startReceiver();
  try {
    const own = await app.place();
    const target = { name: 'Hook', kind: 'webhook', url: receiver.url, events: ['opened', 'resolved'] };
    const { secret } = await app.alice.ok<{ secret: string }>(
      'POST',
      `/organizations/${own.orgId}/webhooks`,
      target,
    );
    receiver.trust(secret);
    const monitor = await create({}, own.projectId);
    const no = await numberOf(monitor);
    await say(monitor, 'down', 'down');
    const { id } = await incidentOf(monitor);
    await app.alice.ok('DELETE', `/monitors/${monitor.id}`);
    const resolved = await receiver.next((delivery) => delivery.event === 'resolved');
    assert.ok(resolved.genuine);
    assert.deepEqual([resolved.body.incident?.id, resolved.body.incident?.auto_resolved], [id, true]);
    assert.equal((resolved.body.monitor as { id: string }).id, monitor.id);
    assert.deepEqual(
      receiver.received.map((delivery) => delivery.event),
      ['opened', 'resolved'],
    );
    assert.equal((await app.alice.send('GET', path(id, own))).status, 404);
    await app.runTask('purge_checks', { monitor_no: no });
    for (const table of ['checks', 'monitor_state', 'incidents'] as const)
      assert.deepEqual(
        await app.db.selectFrom(table).selectAll().where('monitor_no', '=', no).execute(),
        [],
        table,
      );
  } finally {
    await receiver.stop();
  }
});

test('racing results of two servers open one incident', async () => {
  await using other = await app.another();
  for (let round = 0; round < 5; round++) {
    const monitor = await create();
    app.clock.advance(2000);
    const at = app.clock.ms();
    const batch = [resultOf(monitor.id, at - 1000, 'down'), resultOf(monitor.id, at, 'down')];
    const more = [resultOf(monitor.id, at - 500, 'down'), resultOf(monitor.id, at - 1, 'down')];
    const answers = await Promise.all([
      app.probe().post(batch),
      other.probe().post(batch),
      other.probe().post(more),
      app.probe().post(more),
    ]);
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [200, 200, 200, 200],
    );
    const counted = answers.reduce((sum, { body }) => sum + body.accepted, 0);
    assert.equal(counted, 4);
    const list = await incidentsOf(monitor);
    assert.deepEqual(
      list.map((incident) => incident.status),
      ['open'],
    );
    const entries = await ownTimeline(list[0]?.id ?? '');
    assert.deepEqual(
      entries.map((entry) => entry.kind),
      ['opened'],
    );
  }
});

test('a recovery and a closing by hand at the same moment leave one closed incident', async () => {
  for (let round = 0; round < 5; round++) {
    const monitor = await create();
    await say(monitor, 'down', 'down', 'up');
    const { id } = await incidentOf(monitor);
    app.clock.advance(1000);
    const [said, resolved] = await Promise.all([
      app.probe().post([resultOf(monitor.id, app.clock.ms(), 'up')]),
      app.alice.send('POST', `${path(id)}/resolve`),
    ]);
    assert.deepEqual([said.status, resolved.status], [200, 200]);
    assert.equal((await timeline(id)).filter((entry) => entry.kind === 'resolved').length, 1);
    assert.equal((await incidentOf(monitor)).status, 'closed');
  }
});

test('incidents are listed by status, newest first, in pages; a monitor shows at most 50', async () => {
  const own = await app.place();
  const monitor = await create({}, own.projectId);
  const start = app.clock.ms();
  app.clock.advance(10_000);
  const cycle = ['down', 'down', 'up', 'up'] as const;
  const batch = Array.from({ length: 52 * 4 }, (_, i) =>
    resultOf(monitor.id, start + i * 10, cycle[i % 4] ?? 'up'),
  );
  await app.probe().post(batch);
  const rows = await app.db
    .selectFrom('incidents')
    .select('id')
    .where('monitor_id', '=', monitor.id)
    .orderBy('started_at', 'desc')
    .execute();
  const ids = rows.map(({ id }) => id);
  assert.equal(ids.length, 52);
  await say(monitor, 'down', 'down');
  const open = (await incidentOf(monitor)).id;
  const list = async (query: string) =>
    (await app.alice.ok<IncidentSummary[]>('GET', `/organizations/${own.orgId}/incidents${query}`)).map(
      ({ id }) => id,
    );
  assert.deepEqual(await list(''), [open]);
  assert.deepEqual(await list('?status=open'), [open]);
  assert.deepEqual(await list('?status=closed'), ids);
  assert.deepEqual(await list('?status=all'), [open, ...ids]);
  const seen: string[] = [];
  let next: string | undefined = `/organizations/${own.orgId}/incidents?status=all&limit=20`;
  while (next) {
    const page: Answer<IncidentSummary[]> = await app.alice.send('GET', next);
    seen.push(...page.body.map(({ id }) => id));
    next = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
  }
  assert.deepEqual(seen, [open, ...ids]);
  assert.deepEqual(
    (await incidentsOf(monitor)).map(({ id }) => id),
    [open, ...ids].slice(0, 50),
  );
});

test('an incident can be found only in its own organization', async () => {
  const monitor = await create();
  await say(monitor, 'down', 'down');
  const { id } = await incidentOf(monitor);
  const elsewhere = await app.place();
  for (const [method, end] of [
    ['GET', ''],
    ['GET', '/timeline'],
    ['POST', '/ack'],
    ['POST', '/resolve'],
  ] as const)
    assertRefused(await app.alice.send(method, `${path(id, elsewhere)}${end}`), {
      status: 404,
      error: 'not_found',
    });
  assert.equal((await detail(id)).status, 'open');
});
