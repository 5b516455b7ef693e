// Groups over HTTP: what they are by their members, and the incidents of that (docs/rules/confirmation.md#groups).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { IncidentDetail, IncidentSummary } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { until } from '#test/harness/until.ts';

let app: TestApp;
let place: Place;
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
});

/** A failure opens an incident after a minute. */
const SLOW = { policy: { alarm_min_duration_seconds: 60 } };

let made = 0;
function create(type: string, config: object, fields: object = {}): Promise<Monitor> {
  made += 1;
  const body = { name: `Monitor ${made}`, type, config, ...fields };
  return app.alice.ok('POST', `/projects/${place.projectId}/monitors`, body);
}
const shop = () => create('http', { url: 'https://shop.example.com/' });
const group = (members: Monitor[], config: object = {}, fields?: object) =>
  create('group', { members: members.map(({ id }) => id), ...config }, fields);
const statusOf = async ({ id }: Monitor) =>
  (await app.alice.ok<Monitor>('GET', `/monitors/${id}`)).last_status;
const incidentsOf = ({ id }: Monitor) => app.alice.ok<IncidentSummary[]>('GET', `/monitors/${id}/incidents`);

/** Reports, and lets the groups look: at what the monitors of this list are in, the inner groups first. */
async function say(monitor: Monitor, statuses: string, ...groups: Monitor[]): Promise<void> {
  for (const code of statuses) {
    app.clock.advance(1000);
    await app.probe().says(monitor.id, code === 'f' ? 'down' : code === 'd' ? 'degraded' : 'up');
  }
  await derive(...groups);
}
const numberOf = async ({ id }: Monitor) =>
  (await app.db.selectFrom('monitors').select('no').where('id', '=', id).executeTakeFirstOrThrow()).no;
/** Whether a stored job of the group has yet to run. */
async function waits({ id }: Monitor): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM graphile_worker.jobs j JOIN monitors m ON j.key = 'group:' || m.no WHERE m.id = ${id}`.execute(
    app.db,
  );
  return rows.length > 0;
}
async function derive(...groups: Monitor[]): Promise<void> {
  for (const each of groups) await app.runTask('group', { monitor_no: await numberOf(each) });
}

test('a group has no status before its members have one, then the one of its rule', async () => {
  const [a, b] = [await shop(), await shop()];
  const both = await group([a, b], { rule: 'all_failed' });
  await derive(both);
  assert.equal(await statusOf(both), null);
  await say(a, 'u', both);
  assert.equal(await statusOf(both), 'passed');
  await say(a, 'ff', both);
  assert.deepEqual([await statusOf(a), await statusOf(both)], ['failed', 'degraded']);
  await say(b, 'ff', both);
  assert.equal(await statusOf(both), 'failed');
  const [incident, ...others] = await incidentsOf(both);
  assert.equal(others.length, 0);
  assert.deepEqual([incident?.status, incident?.down_regions, incident?.region_count], ['open', [], 0]);
  await say(b, 'uu', both);
  assert.deepEqual([await statusOf(both), (await incidentsOf(both))[0]?.status], ['degraded', 'closed']);
  await say(a, 'uu', both);
  assert.equal(await statusOf(both), 'passed');
  const checks = await app.alice.ok<unknown[]>('GET', `/monitors/${both.id}/checks`);
  assert.deepEqual(checks, []);
});

test('the evidence of a group names the members that failed', async () => {
  const [a, b, c] = [await shop(), await shop(), await shop()];
  const all = await group([a, b, c], { rule: 'count', value: 2 });
  await say(a, 'ff');
  await say(c, 'ff', all);
  const [incident] = await incidentsOf(all);
  const names = `${a.name} and ${c.name}`;
  assert.equal(incident?.cause, `2 of 3 members failed: ${names}`);
  const { evidence, check_kind } = await app.alice.ok<IncidentDetail>(
    'GET',
    `/organizations/${place.orgId}/incidents/${incident?.id}`,
  );
  assert.deepEqual(
    [check_kind, evidence?.failure_class, evidence?.expected_summary, evidence?.actual_summary],
    [
      'group',
      'member_failed',
      'Expected fewer than 2 members to have failed.',
      `2 of 3 members failed: ${names}.`,
    ],
  );
  assert.deepEqual(
    evidence?.findings.map(({ actual_summary, regions }) => [actual_summary, regions]),
    [
      [`${a.name} has failed.`, []],
      [`${c.name} has failed.`, []],
    ],
  );
  assert.deepEqual([evidence?.checks, evidence?.consecutive_failures_required], [[], 1]);
});

test('a group that is a member of another affects it', async () => {
  const a = await shop();
  const inner = await group([a]);
  const outer = await group([inner]);
  await say(a, 'ff', inner, outer);
  assert.deepEqual([await statusOf(inner), await statusOf(outer)], ['failed', 'failed']);
  await say(a, 'uu', inner, outer);
  assert.deepEqual([await statusOf(inner), await statusOf(outer)], ['passed', 'passed']);
});

test('a changed status triggers the groups that depend on it', async () => {
  const a = await shop();
  const inner = await group([a]);
  const outer = await group([inner]);
  await say(a, 'ff');
  const deadline = performance.now() + 10_000;
  while ((await statusOf(outer)) !== 'failed')
    assert.ok(performance.now() < deadline, 'the stored jobs of both groups have run');
});

test('a minimum duration applies to groups too, and the incident opens at the exact second', async () => {
  const a = await shop();
  const slow = await group([a], {}, { policy: { alarm_min_duration_seconds: 3600 } });
  await say(a, 'ff', slow);
  const since = Math.floor(app.clock.ms() / 1000);
  assert.deepEqual([await statusOf(slow), await incidentsOf(slow)], ['failed', []]);
  const no = await numberOf(slow);
  app.clock.advance(3_599_000);
  await app.runTask('confirm', { monitor_no: no });
  assert.deepEqual(await incidentsOf(slow), []);
  // The queue of the test's server may have derived it in this very second too: then this one came a moment later.
  app.clock.advance(1_010);
  await app.runTask('confirm', { monitor_no: no });
  assert.equal((await incidentsOf(slow))[0]?.started_at_unix, since);
});

test('a member that is switched off or deleted no longer counts', async () => {
  const [a, b] = [await shop(), await shop()];
  const any = await group([a, b]);
  await say(a, 'ff');
  await say(b, 'u', any);
  assert.equal(await statusOf(any), 'failed');
  await app.alice.ok('PATCH', `/monitors/${a.id}`, { enabled: false });
  await derive(any);
  assert.equal(await statusOf(any), 'passed');
  await say(b, 'ff', any);
  assert.equal(await statusOf(any), 'failed');
  await app.alice.ok('DELETE', `/monitors/${b.id}`);
  await derive(any);
  // No member that counts is left.
  assert.deepEqual([await statusOf(any), (await incidentsOf(any))[0]?.status], [null, 'closed']);
});

test('a group none of whose members has a status any more has none, and has one again as soon as a member does', async () => {
  const [a, b] = [await shop(), await shop()];
  const inner = await group([a]);
  const outer = await group([inner]);
  await say(a, 'u', inner, outer);
  assert.deepEqual([await statusOf(inner), await statusOf(outer)], ['passed', 'passed']);
  await app.alice.ok('PATCH', `/monitors/${a.id}`, { enabled: false });
  await derive(inner, outer);
  assert.deepEqual([await statusOf(inner), await statusOf(outer)], [null, null]);
  await app.alice.ok('PATCH', `/monitors/${a.id}`, { enabled: true });
  await say(a, 'ff', inner, outer);
  assert.deepEqual([await statusOf(inner), await statusOf(outer)], ['failed', 'failed']);
  await app.alice.ok('DELETE', `/monitors/${a.id}`);
  await derive(inner, outer);
  for (const each of [inner, outer])
    assert.deepEqual([await statusOf(each), (await incidentsOf(each))[0]?.status], [null, 'closed']);
  await app.alice.ok('PATCH', `/monitors/${inner.id}`, { config: { members: [b.id] } });
  await say(b, 'ff', inner, outer);
  for (const each of [inner, outer])
    assert.deepEqual([await statusOf(each), (await incidentsOf(each))[0]?.status], ['failed', 'open']);
});

test('a new rule or new members take effect at once', async () => {
  const [a, b] = [await shop(), await shop()];
  const both = await group([a, b], { rule: 'all_failed' });
  await say(a, 'ff');
  await say(b, 'u', both);
  assert.equal(await statusOf(both), 'degraded');
  await app.alice.ok('PATCH', `/monitors/${both.id}`, { config: { rule: 'any_failed' } });
  await derive(both);
  assert.equal(await statusOf(both), 'failed');
  await app.alice.ok('PATCH', `/monitors/${both.id}`, { config: { members: [b.id] } });
  await derive(both);
  assert.deepEqual([await statusOf(both), (await incidentsOf(both))[0]?.status], ['passed', 'closed']);
});

test('if an incident is closed by hand while its members fail, another follows', async () => {
  const a = await shop();
  const any = await group([a]);
  await say(a, 'ff', any);
  const [incident] = await incidentsOf(any);
  await app.alice.ok('POST', `/organizations/${place.orgId}/incidents/${incident?.id}/resolve`);
  app.clock.advance(30_000);
  await derive(any);
  const [next, first] = await incidentsOf(any);
  assert.deepEqual([next?.status, first?.id], ['open', incident?.id]);
});

test('a member that fails in maintenance counts for its group while a person’s incident about it is open', async () => {
  const a = await shop();
  const any = await group([a]);
  await say(a, 'u', any);
  const now = Math.floor(app.clock.ms() / 1000);
  await app.alice.ok('POST', `/organizations/${place.orgId}/maintenance-windows`, {
    title: 'New disks',
    monitors: [a.id],
    scheduled_start: now,
    scheduled_end: now + 3600,
  });
  await say(a, 'ff', any);
  await until(async () => !(await waits(any)), 'the job of the change of its status has run');
  // Its only member has none.
  assert.deepEqual([await statusOf(a), await statusOf(any)], ['failed', null]);
  const incidents = `/organizations/${place.orgId}/incidents`;
  const about = { monitor_id: a.id, severity: 'critical', cause: 'The new disks are broken' };
  const { id } = await app.alice.ok<IncidentDetail>('POST', incidents, about);
  await until(async () => (await statusOf(any)) === 'failed', 'the incident fails the group');
  await app.alice.ok('POST', `${incidents}/${id}/resolve`);
  await until(async () => (await statusOf(any)) === null, 'after its end the group does not fail');
});

test('a member whose incident opens late, within a window that has begun since, counts for its group', async () => {
  const a = await create('http', { url: 'https://shop.example.com/' }, SLOW);
  const any = await group([a]);
  await say(a, 'u', any);
  const now = Math.floor(app.clock.ms() / 1000);
  const path = `/organizations/${place.orgId}/maintenance-windows`;
  const window = await app.alice.ok<{ id: string }>('POST', path, {
    title: 'New disks',
    monitors: [a.id],
    scheduled_start: now + 70,
    scheduled_end: now + 3600,
  });
  await say(a, 'ff', any);
  // The job of the end of the minimum duration is late. The region is there all the time: silence would delay the incident.
  for (let asked = 0; asked < 3; asked++) {
    app.clock.advance(25_000);
    await app.probe().assignments();
  }
  await app.runTask('maintenance', { window_id: window.id });
  await until(async () => !(await waits(any)), 'the job of the beginning of the window has run');
  await app.probe().says(a.id, 'down');
  assert.equal((await incidentsOf(a)).length, 1);
  await until(async () => (await statusOf(any)) === 'failed', 'the incident fails the group');
});

test('members that fail and recover at once cause no deadlock', async () => {
  const shops = await Promise.all([shop(), shop(), shop(), shop()]);
  const groups = await Promise.all([group(shops), group(shops, { rule: 'all_failed' })]);
  const outer = await group(groups);
  for (const codes of ['ff', 'uu', 'ff'])
    for (const code of codes) {
      app.clock.advance(1000);
      await Promise.all(shops.map(({ id }) => app.probe().says(id, code === 'f' ? 'down' : 'up')));
      await Promise.all([derive(...groups, outer), derive(outer, ...groups)]);
    }
  await derive(...groups, outer);
  assert.deepEqual(await Promise.all([...groups, outer].map(statusOf)), ['failed', 'failed', 'failed']);
});
