// The overview over HTTP: what is wrong and who has it, who is on duty, what is held, planned, without data and unnotified
// (docs/rules/overview.md).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Overview } from '#src/overview/contract.ts';
import { readOverview } from '#src/overview/read.ts';
import type { Report } from '#src/reports/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import type { Client } from '#test/harness/client.ts';
import { countStatements } from '#test/harness/counted-statements.ts';
import { makeKeyHolder } from '#test/harness/keys.ts';
import { makeMany } from '#test/harness/many-monitors.ts';
import { until } from '#test/harness/until.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
  await app.runTask('partitions');
});

const overviewOf = ({ orgId }: Pick<Place, 'orgId'>, query = '', by: Client = app.alice) =>
  by.ok<Overview>('GET', `/organizations/${orgId}/overview${query}`);

let made = 0;
function create({ projectId }: Pick<Place, 'projectId'>, fields: object = {}): Promise<Monitor> {
  made += 1;
  const body = {
    ...{ name: `Monitor ${made}`, type: 'http', config: { url: 'https://shop.example.com/' } },
    policy: { alarm_consecutive: 1, recovery_consecutive: 1 },
    ...fields,
  };
  return app.alice.ok('POST', `/projects/${projectId}/monitors`, body);
}

/** One result of each; the clock goes on, so that the next is another check. */
async function say(said: readonly (readonly [Monitor, 'up' | 'down'])[]): Promise<void> {
  for (const [monitor, status] of said) await app.probe().says(monitor.id, status);
  app.clock.advance(1000);
}

const incidentsOf = ({ orgId }: Place) =>
  app.alice.ok<IncidentSummary[]>('GET', `/organizations/${orgId}/incidents`);

/** Shop and Mail are down, Shop's outage acknowledged; Blog is up, and Job never ran. */
async function scene() {
  const place = await app.place();
  const shop = await create(place, { name: 'Shop' });
  const mail = await create(place, { name: 'Mail' });
  const blog = await create(place, { name: 'Blog' });
  await create(place, { name: 'Job', enabled: false });
  await say([[shop, 'down']]);
  app.clock.advance(120_000);
  await say([
    [shop, 'down'],
    [mail, 'down'],
    [blog, 'up'],
  ]);
  const ofShop = (await incidentsOf(place)).find(({ monitor_id }) => monitor_id === shop.id)!;
  await app.alice.ok('POST', `/organizations/${place.orgId}/incidents/${ofShop.id}/ack`);
  return { place, shop, mail, blog, ofShop };
}

test('it shows failures, since when and who acknowledged them, with a tile for every monitor', async () => {
  const { place, shop, ofShop } = await scene();
  const { monitors, counts, open } = await overviewOf(place);
  assert.deepEqual(
    monitors?.map(({ name, state }) => `${name} ${state}`),
    ['Blog passed', 'Job paused', 'Mail failed', 'Shop failed'],
  );
  assert.deepEqual(
    [counts?.monitors, counts?.passed, counts?.failed, counts?.paused, counts?.maintenance],
    [4, 1, 2, 1, 0],
  );
  const me = await app.alice.ok<{ name: string }>('GET', '/me');
  assert.deepEqual(open?.acknowledged_by, [{ name: me.name, incidents: 1 }]);
  assert.deepEqual(
    [open?.total, open?.unacknowledged, open?.since_unix, open?.since_same_minute],
    [2, 1, ofShop.started_at_unix, false],
  );
  assert.deepEqual(
    open?.incidents.map(({ monitor_name, acknowledged_by_name }) => [
      monitor_name,
      acknowledged_by_name !== null,
    ]),
    [
      ['Mail', false],
      ['Shop', true],
    ],
  );
  assert.equal(open?.incidents[1]?.monitor_id, shop.id);
});

test('a key’s acknowledgements are under its name', async () => {
  const { place, mail } = await scene();
  const robot = await makeKeyHolder(app, app.alice, place.orgId, {
    name: 'Deploy robot',
    scopes: ['incidents:write'],
  });
  const ofMail = (await incidentsOf(place)).find(({ monitor_id }) => monitor_id === mail.id)!;
  await robot.ok('POST', `/organizations/${place.orgId}/incidents/${ofMail.id}/ack`);
  const { open } = await overviewOf(place);
  assert.equal(open?.unacknowledged, 0);
  assert.ok(open?.acknowledged_by.some(({ name, incidents }) => name === 'Deploy robot' && incidents === 1));
});

test('planned work explains the outages it causes, and is listed with the next window', async () => {
  const { place, mail } = await scene();
  const now = Math.floor(app.clock.ms() / 1000);
  const plan = (title: string, from: number, monitors: string[]) =>
    app.alice.ok('POST', `/organizations/${place.orgId}/maintenance-windows`, {
      ...{ title, scheduled_start: from, scheduled_end: from + 3600, monitors },
    });
  await plan('Mail server moves', now, [mail.id]);
  await plan('New switch', now + 86_400, []);
  const { maintenance, monitors, counts, open } = await overviewOf(place);
  assert.deepEqual(
    maintenance?.now.map(({ title, monitors: many }) => [title, many]),
    [['Mail server moves', 1]],
  );
  assert.deepEqual(
    maintenance?.next.map(({ title }) => title),
    ['New switch'],
  );
  assert.equal(monitors?.find(({ id }) => id === mail.id)?.state, 'maintenance');
  assert.deepEqual([counts?.failed, counts?.maintenance], [1, 1]);
  assert.equal(open?.incidents.find(({ monitor_id }) => monitor_id === mail.id)?.in_maintenance, true);
});

test('held alarms show who holds them, and so do announced changes', async () => {
  const { place, ofShop } = await scene();
  const gated = await create(place, { name: 'Gated', alarm_gate: { origins: ['deployment'] } });
  await app.alice.ok('POST', `/organizations/${place.orgId}/incidents/${ofShop.id}/hold`, { seconds: 600 });
  await app.alice.ok('POST', `/monitors/${gated.id}/alarm-holds`, {
    origin: 'deployment',
    name: 'Pipeline 7',
  });
  const { holds } = await overviewOf(place);
  assert.deepEqual(holds?.map(({ name, incident_id }) => [name, incident_id !== null]).toSorted(), [
    ['Gated', false],
    ['Shop', true],
  ]);
  assert.equal(holds?.find(({ name }) => name === 'Gated')?.by_name, 'Pipeline 7');
});

test('of several announced changes of a monitor the one that ends last is shown', async () => {
  const place = await app.place();
  const gated = await create(place, { name: 'Gated', alarm_gate: { origins: ['deployment', 'manual'] } });
  const announce = (origin: string, name: string, seconds: number) =>
    app.alice.ok('POST', `/monitors/${gated.id}/alarm-holds`, { origin, name, seconds });
  await announce('deployment', 'Pipeline 7', 60);
  await announce('manual', 'Marta', 200);
  await announce('deployment', 'Pipeline 8', 90);
  const { holds } = await overviewOf(place);
  assert.deepEqual(
    holds?.map(({ by_name }) => by_name),
    ['Marta'],
  );
});

test('it shows who is on call, who is next, and the monitors that would notify nobody', async () => {
  const place = await app.place();
  const before = await overviewOf(place);
  assert.equal(before.on_call?.enabled, false);
  assert.equal(before.unnotified?.all, true, 'there is neither a mail server nor a target nor a browser');
  const ben = await app.person('ben', { [place.orgId]: 'member' });
  await app.alice.ok('PUT', `/organizations/${place.orgId}/on-call/settings`, { enabled: true });
  await app.alice.ok('PUT', `/organizations/${place.orgId}/on-call/members`, {
    members: [
      { position: 0, user_id: app.alice.userId },
      { position: 1, user_id: ben.userId },
    ],
  });
  const target = {
    ...{ name: 'Pager', kind: 'pagerduty', credential: 'k'.repeat(32), region: 'eu' },
    events: ['opened'],
  };
  await app.alice.ok('POST', `/organizations/${place.orgId}/webhooks`, target);
  await create(place, { name: 'Nice to have', severity: 'degraded' });
  const { on_call, unnotified } = await overviewOf(place);
  assert.equal(on_call?.now.user_id, app.alice.userId);
  assert.equal(on_call?.next?.user_id, ben.userId);
  assert.equal(on_call?.next?.from_unix, on_call?.now.until_unix);
  assert.equal(unnotified?.all, false);
  assert.deepEqual([unnotified?.total, unnotified?.monitors.map(({ name }) => name)], [1, ['Nice to have']]);
});

test('the uptime of the month is the one of its report, to the digit', async () => {
  const { place } = await scene();
  app.clock.advance(1_800_000);
  const { uptime } = await overviewOf(place);
  const report = await app.alice.ok<Report>('GET', `/organizations/${place.orgId}/report`);
  assert.deepEqual([uptime?.period, uptime?.pct], [report.period, report.totals.uptime_time_pct]);
  assert.ok(uptime?.pct !== null);
});

test('a client that follows the live events can omit the monitors', async () => {
  const { place } = await scene();
  const { monitors, counts, open } = await overviewOf(place, '?monitors=false');
  assert.deepEqual([monitors, counts, open?.total], [null, null, 2]);
});

test('it shows nothing of another organization, and to a key only what it may see', async () => {
  const { place, shop } = await scene();
  const stranger = await app.person('stranger');
  assert.equal((await stranger.send('GET', `/organizations/${place.orgId}/overview`)).status, 403);
  const empty = await overviewOf(await app.place());
  assert.deepEqual([empty.monitors, empty.open?.total, empty.recent, empty.holds], [[], 0, [], []]);
  const narrow = { scopes: ['monitors:read' as const], monitor_ids: [shop.id] };
  const key = await makeKeyHolder(app, app.alice, place.orgId, narrow);
  const seen = await overviewOf(place, '', key);
  assert.deepEqual(
    seen.monitors?.map(({ id }) => id),
    [shop.id],
  );
  const { open, recent, holds, on_call, maintenance, unnotified, uptime } = seen;
  assert.deepEqual(
    [open, recent, holds, on_call, maintenance, unnotified, uptime],
    [null, null, null, null, null, null, null],
  );
  const incidents = { scopes: ['monitors:read' as const, 'incidents:read' as const], monitor_ids: [shop.id] };
  const other = await makeKeyHolder(app, app.alice, place.orgId, incidents);
  assert.deepEqual(
    (await overviewOf(place, '', other)).open?.incidents.map(({ monitor_id }) => monitor_id),
    [shop.id],
  );
});

test('a planned window counts only the monitors that a narrowed key sees, as the list of windows does', async () => {
  const { place, shop, mail, blog } = await scene();
  const now = Math.floor(app.clock.ms() / 1000);
  const path = `/organizations/${place.orgId}/maintenance-windows`;
  await app.alice.ok('POST', path, {
    ...{ title: 'Move', scheduled_start: now, scheduled_end: now + 3600 },
    monitors: [shop.id, mail.id, blog.id],
  });
  const scopes = ['monitors:read' as const, 'maintenance:read' as const];
  const key = await makeKeyHolder(app, app.alice, place.orgId, { scopes, monitor_ids: [shop.id] });
  const [listed] = await key.ok<MaintenanceWindow[]>('GET', path);
  assert.equal(listed?.monitors.length, 1);
  const windows = async (by: Client) => (await overviewOf(place, '', by)).maintenance?.now;
  assert.deepEqual(
    (await windows(key))?.map(({ monitors }) => monitors),
    [1],
  );
  assert.deepEqual(
    (await windows(app.alice))?.map(({ monitors }) => monitors),
    [3],
  );
});

test('any number of monitors takes the same number of statements, and the uptime of many comes after the first answer', async () => {
  const few = await app.place();
  await create(few);
  const many = await app.place();
  await makeMany(app, {
    count: 450,
    region: 'local',
    place: many,
    config: { url: 'https://x.example.com/' },
  });
  // The field itself is one statement, in a transaction of its own.
  const statements = async ({ orgId }: Place) => {
    const { db, sent } = countStatements(app.db);
    const sees = { incidents: true, onCall: true, maintenance: true };
    const asked = { orgId, within: null, now: app.clock.now(), tiles: false, sees };
    await readOverview(db, asked, { mail: true, monthUptime: async () => null });
    return sent();
  };
  assert.equal(await statements(many), await statements(few));
  await until(async () => (await overviewOf(many)).uptime !== null, 'the uptime is computed');
  const { counts, monitors } = await overviewOf(many);
  assert.deepEqual([counts?.monitors, monitors?.length], [450, 450]);
  await sql`DELETE FROM monitors WHERE org_id = ${many.orgId}`.execute(app.db);
});
