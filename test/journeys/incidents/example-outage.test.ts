// The example outage: a real monitor, really confirmed, and nobody but the person who started it hears of it
// (docs/rules/on-call-and-alarms.md#example-outage).
import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { CHECK_MARK } from '#src/domain/check-mark.ts';
import type { ExampleObstacle, ExampleOutage } from '#src/examples/contract.ts';
import { MAX_PER_DAY } from '#src/examples/obstacle.ts';
import type { IncidentDetail, IncidentSummary } from '#src/incidents/contract.ts';
import type { ListedMonitor } from '#src/monitors/all/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Ringing } from '#src/on-call/contract.ts';
import { exportOrganization } from '#src/organization-export/export.ts';
import type { Report } from '#src/reports/contract.ts';
import type { StatusPage } from '#src/status-pages/contract.ts';
import { makeAlarmScene } from '#test/harness/alarm-scene.ts';
import { type Place, startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';
import { assertRefused } from '#test/harness/refused.ts';

/** Both files of the export, as they were written. */
async function exportedText(of: TestApp, organizationId: string): Promise<string> {
  const texts: Buffer[] = [];
  const keep = () =>
    new Writable({
      write(chunk, _encoding, done) {
        texts.push(chunk);
        done();
      },
    });
  await exportOrganization({
    ...{ url: of.databaseUrl, organizationId, vault: of.vault, version: '0.0.0', now: of.clock.now() },
    file: (_file, write) => write(keep()),
  });
  return Buffer.concat(texts).toString();
}

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

const stateOf = (place: Place) =>
  app.alice.ok<{ obstacle: ExampleObstacle | null; example: ExampleOutage | null }>(
    'GET',
    `/organizations/${place.orgId}/example-outage`,
  );
const start = (place: Place) =>
  app.alice.send<ExampleOutage>('POST', `/projects/${place.projectId}/example-outage`);
const remove = (place: Place) => app.alice.ok('DELETE', `/organizations/${place.orgId}/example-outage`);

async function started(place: Place): Promise<ExampleOutage> {
  // The probe is online.
  await app.probe().assignments();
  const answer = await start(place);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
}
const say = async (monitorId: string, status: 'up' | 'down') => {
  app.clock.advance(15_000);
  await app.probe().says(monitorId, status);
};
async function confirmed(place: Place): Promise<ExampleOutage & { incident_id: string }> {
  const { monitor_id: id } = await started(place);
  for (const status of ['up', 'down', 'down'] as const) await say(id, status);
  const { example } = await stateOf(place);
  assert.ok(example?.incident_id);
  return example as ExampleOutage & { incident_id: string };
}
const idOf = async (place: Place): Promise<string> => {
  const { id } = await app.db
    .selectFrom('example_outages')
    .select('id')
    .where('org_id', '=', place.orgId)
    .orderBy('started_at', 'desc')
    .executeTakeFirstOrThrow();
  return id;
};

test('an alarm standard that asks for more regions does not keep an example from starting', async () => {
  const place = await app.place();
  await app.alice.ok('PUT', `/organizations/${place.orgId}/alarm-standard`, { min_regions: 2 });
  await app.probe().assignments();
  assert.equal((await stateOf(place)).obstacle, null);
  const { monitor_id: id } = await started(place);
  for (const status of ['up', 'down', 'down'] as const) await say(id, status);
  assert.equal((await stateOf(place)).example?.stage, 'open');
});

test('an example reaches no channel, no page, no report and nobody but its starter; a real outage beside it does', async () => {
  const scene = await makeAlarmScene(app);
  const { place, anna } = scene;
  const org = `/organizations/${place.orgId}`;
  await app.alice.ok('POST', `${org}/webhooks`, {
    name: 'Everything',
    kind: 'webhook',
    url: 'https://hooks.example.com/',
    events: ['opened', 'acknowledged', 'resolved', 'updated', 'escalated', 'postmortem_published'],
  });
  const page = await app.alice.ok<StatusPage>('POST', `${org}/status-pages`, { name: 'Shown' });
  const real = await scene.create();
  await app.alice.ok('PUT', `/status-pages/${page.id}/monitors`, { monitors: [{ monitor_id: real.id }] });
  const eventsOf = async (incidentId: string) =>
    (await app.db.selectFrom('outbox').select('event').where('incident_id', '=', incidentId).execute())
      .length;
  const ringing = (person = app.alice) => person.ok<Ringing[]>('GET', `${org}/on-call/ringing`);

  const { monitor_id: id, incident_id: incidentId } = await confirmed(place);
  const incident = `${org}/incidents/${incidentId}`;
  const shown = await app.alice.ok<IncidentDetail>('GET', incident);
  assert.deepEqual([shown.status, shown.example, shown.evidence?.failed_regions], ['open', true, 1]);
  assert.deepEqual(
    (await ringing()).map((each) => each.incident_id),
    [incidentId],
  );
  assert.deepEqual(await ringing(anna), []);
  const plan = await app.alice.ok<{ steps: unknown[] }>('GET', `/monitors/${id}/alarm-plan`);
  assert.deepEqual(plan.steps, [], 'nobody would be told');

  // Real outages beside it: told as ever, and no storm with the example among them.
  for (const status of ['up', 'down', 'down'] as const) await say(real.id, status);
  await app.runTask('audit');
  // The example lasts ten minutes. An hour later the audit would have it ended, whenever that job runs: it stays for this.
  await app.db
    .updateTable('example_outages')
    .set({ next_at: null })
    .where('org_id', '=', place.orgId)
    .execute();
  app.clock.advance(3_600_000);
  await app.runTask('audit');
  const open = await app.alice.ok<IncidentSummary[]>('GET', `${org}/incidents`);
  const realId = open.find(({ example }) => !example)?.id ?? '';
  assert.ok((await eventsOf(realId)) > 0, 'the real one is told');
  assert.deepEqual(
    open.map(({ group_id }) => group_id),
    [null, null],
  );
  assert.ok((await ringing(anna)).every((each) => each.incident_id === realId));

  await app.alice.ok('POST', `${incident}/ack`);
  assert.ok((await ringing()).every((each) => each.incident_id === realId));
  await app.alice.ok('POST', `${incident}/notes`, {
    body: 'I look',
    kind: 'status_update',
    visibility: 'public',
  });
  await app.alice.ok('PUT', `${incident}/postmortem`, { title: 'Why', visibility: 'public' });
  await app.alice.ok('POST', `${incident}/postmortem/publish`);
  assertRefused(await app.alice.send('PUT', `${incident}/status-pages/${page.id}`), {
    status: 400,
    error: 'invalid_request',
  });
  await app.runTask('deliver');
  assert.equal(await eventsOf(incidentId), 0);
  const kept = await sql<{ alarm: number | null; links: number; reminders: number; notices: number }>`
    SELECT alarm_no AS alarm, (SELECT count(*)::int FROM incident_status_pages WHERE incident_id = i.id) AS links,
      (SELECT count(*)::int FROM commander_reminders WHERE incident_id = i.id) AS reminders,
      (SELECT count(*)::int FROM notices WHERE data::text LIKE '%' || i.id || '%') AS notices
    FROM incidents i WHERE id = ${incidentId}`.execute(app.db);
  assert.deepEqual(kept.rows, [{ alarm: null, links: 0, reminders: 0, notices: 0 }]);

  const nowUnix = Math.floor(app.clock.ms() / 1000);
  const range = `from_unix=${nowUnix - 86_400}&to_unix=${nowUnix}`;
  const report = JSON.stringify(await app.alice.ok<Report>('GET', `${org}/report?${range}`));
  assert.ok(report.includes(real.id) && report.includes(realId));
  assert.ok(!report.includes(id) && !report.includes(incidentId));
  const exported = await exportedText(app, place.orgId);
  assert.ok(exported.includes(real.id) && exported.includes(realId));
  const lines = exported.split('\n').filter((line) => !line.includes('"kind":"activity"'));
  assert.ok(!lines.some((line) => line.includes(id) || line.includes(incidentId)), 'in the export');
});

test('its target works once, breaks, and recovers soon after the acknowledgement', async () => {
  const place = await app.place();
  const { monitor_id: id } = await started(place);
  const monitor = await app.alice.ok<Monitor>('GET', `/monitors/${id}`);
  const { url } = monitor.config as { url: string };
  assert.equal(monitor.example, true);
  assert.ok(url.startsWith(`${app.url}/example/`), url);
  const answers = async (byCheck = true) =>
    (await fetch(url, byCheck ? { headers: { [CHECK_MARK]: '1' } } : {})).status;
  assert.deepEqual(
    [await answers(false), await answers(), await answers(), await answers(false)],
    [200, 200, 503, 503],
  );
  for (const status of ['up', 'down'] as const) await say(id, status);
  const { example } = await stateOf(place);
  assert.deepEqual([example?.stage, example?.confirming], ['confirming', { failures: 1, required: 2 }]);
  await say(id, 'down');
  const { example: opened } = await stateOf(place);
  assert.deepEqual([opened?.stage, opened?.mine], ['open', true]);
  await app.alice.ok('POST', `/organizations/${place.orgId}/incidents/${opened?.incident_id}/ack`);
  assert.equal((await stateOf(place)).example?.stage, 'acknowledged');
  assert.equal(await answers(), 503);
  app.clock.advance(8_000);
  assert.deepEqual([await answers(), (await stateOf(place)).example?.stage], [200, 'recovering']);
  for (const status of ['up', 'up'] as const) await say(id, status);
  assert.equal((await stateOf(place)).example?.stage, 'resolved');
  assert.equal((await fetch(`${app.url}/example/exo_00000000000000000000000000`)).status, 404);
});

test('it ends by itself after ten minutes and is removed after a day, even if its job was lost', async () => {
  const place = await app.place();
  const { monitor_id: id, incident_id: incidentId } = await confirmed(place);
  const settle = async () => app.runTask('end_example', { example_id: await idOf(place) });
  await settle();
  assert.equal((await app.alice.ok<Monitor>('GET', `/monitors/${id}`)).enabled, true, 'not yet');
  app.clock.advance(10 * 60_000);
  await sql`SELECT graphile_worker.remove_job(${`end_example:${await idOf(place)}`})`.execute(app.db);
  await app.runTask('audit');
  const { rows: again } =
    await sql`SELECT FROM graphile_worker.jobs WHERE key = ${`end_example:${await idOf(place)}`}`.execute(
      app.db,
    );
  assert.equal(again.length, 1);
  await settle();
  const over = await app.alice.ok<Monitor>('GET', `/monitors/${id}`);
  assert.deepEqual([over.enabled, over.disabled_reason], [false, 'The example is over.']);
  const incident = `/organizations/${place.orgId}/incidents/${incidentId}`;
  assert.equal((await app.alice.ok<IncidentDetail>('GET', incident)).status, 'closed');
  app.clock.advance(24 * 3_600_000);
  await settle();
  assert.equal((await app.alice.send('GET', `/monitors/${id}`)).status, 404);
  assert.equal((await app.alice.send('GET', incident)).status, 404);
  assert.deepEqual((await stateOf(place)).example, null);
});

test('there is one at a time and ten a day, and it is refused with the reason if nothing could check it', async () => {
  const place = await app.place();
  for (let i = 0; i < MAX_PER_DAY; i++) {
    const { monitor_id: id } = await started(place);
    assert.equal((await stateOf(place)).obstacle, 'running');
    assertRefused(await start(place), { status: 409, error: 'example_running' });
    // By the list as by its own operation.
    await (i % 2 ? remove(place) : app.alice.ok('DELETE', `/monitors/${id}`));
  }
  assert.equal((await stateOf(place)).obstacle, 'often');
  const refused = await start(place);
  assertRefused(refused, { status: 429, error: 'rate_limited', limit: MAX_PER_DAY });
  app.clock.advance(24 * 3_600_000 + 1000);
  await started(place);
  await remove(place);
  await remove(place);

  app.clock.advance(60_000);
  assert.equal((await stateOf(place)).obstacle, 'probe');
  assertRefused(await start(place), { status: 409, error: 'example_unavailable' });
  await app.probe().assignments();
  await app.alice.ok('PATCH', '/admin/regions/local', { allow_private_targets: false });
  assert.equal((await stateOf(place)).obstacle, 'private');
  await app.alice.ok('PATCH', '/admin/regions/local', { allow_private_targets: true, internal: true });
  assert.equal((await stateOf(place)).obstacle, 'region');
  await app.alice.ok('PATCH', '/admin/regions/local', { internal: false });
  await using far = await startTestApp({ env: { LOCAL_PROBE: 'off' } });
  const answer = await far.alice.ok<{ obstacle: string }>(
    'GET',
    `/organizations/${far.home.orgId}/example-outage`,
  );
  assert.equal(answer.obstacle, 'elsewhere');
});

test('it cannot be changed, and nothing real can depend on it', async () => {
  const place = await app.place();
  const org = `/organizations/${place.orgId}`;
  const monitors = `/projects/${place.projectId}/monitors`;
  const http = { type: 'http', config: { url: 'https://shop.example.com/' } };
  const real = await app.alice.ok<Monitor>('POST', monitors, { name: 'Real', ...http });
  const page = await app.alice.ok<StatusPage>('POST', `${org}/status-pages`, { name: 'Page' });
  const { monitor_id: id } = await started(place);
  const isRefused = async (method: string, path: string, body: object) => {
    const answer = await app.alice.send<{ error: string }>(method, path, body);
    assert.deepEqual([answer.status, answer.body.error], [400, 'invalid_request'], `${method} ${path}`);
  };
  await isRefused('PATCH', `/monitors/${id}`, { tags: ['shop'] });
  await isRefused('POST', `/monitors/${id}/clone`, { name: 'Copy' });
  await isRefused('PATCH', `/monitors/${real.id}`, { depends_on: [id] });
  const group = { name: 'All', type: 'group', config: { members: [id] } };
  await isRefused('POST', monitors, group);
  const shown = { monitors: [{ monitor_id: id }] };
  await isRefused('PUT', `/status-pages/${page.id}/monitors`, shown);
  await isRefused('POST', `${org}/incidents`, { monitor_id: id, cause: 'x', severity: 'critical' });
  const [answer] = await app.alice.ok<{ done: boolean }[]>('POST', `${org}/monitors/bulk`, {
    monitor_ids: [id],
    action: 'add_tags',
    tags: ['shop'],
  });
  assert.equal(answer?.done, false);
  const listed = await app.alice.ok<ListedMonitor[]>('GET', `${org}/monitors`);
  assert.deepEqual(
    new Map(listed.map((each) => [each.id, each.example])),
    new Map([
      [id, true],
      [real.id, false],
    ]),
  );
  await app.alice.ok('DELETE', `/monitors/${id}`);
});
