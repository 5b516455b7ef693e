// What a failing target answered: kept sealed beside the check, shown to those who may see it, gone with its day.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { ResponseExcerpt } from '#src/capsules/response-contract.ts';
import { answerBudget } from '#src/checks/answer-budget.ts';
import type { CheckRecord } from '#src/checks/contract.ts';
import { responseContext } from '#src/checks/responses.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { AdministeredRegion } from '#src/regions/contract.ts';
import { type Place, startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';
import { makeKeyHolder } from '#test/harness/keys.ts';
import { resultOf } from '#test/harness/probe.ts';

let app: TestApp;
let place: Place;
before(async () => {
  app = await startAppOfFile();
  await app.region('far');
  place = await app.place();
});

const ANSWER: ResponseExcerpt = {
  status_code: 500,
  headers: [{ name: 'Content-Type', value: 'text/html' }],
  body: '<h1>Pool exhausted</h1>',
  body_kind: 'text',
  truncated: false,
  withheld: false,
  private: false,
};

let made = 0;
async function monitorOf(projectId = place.projectId, by = app): Promise<Monitor> {
  made += 1;
  const config = { url: 'https://shop.example.com/' };
  return by.alice.ok('POST', `/projects/${projectId}/monitors`, {
    name: `Monitor ${made}`,
    type: 'http',
    config,
  });
}
const checksOf = (monitor: Monitor, query = '') =>
  app.alice.ok<CheckRecord[]>('GET', `/monitors/${monitor.id}/checks${query}`);
const failing = (monitor: Monitor, excerpt: unknown = ANSWER, atMs = app.clock.ms()) => ({
  ...resultOf(monitor.id, atMs, 'down'),
  response_excerpt: excerpt,
});
async function stored(): Promise<{ check_id: string; response_sealed: string }[]> {
  const { rows } = await sql<{ check_id: string; response_sealed: string }>`
    SELECT check_id, response_sealed FROM check_responses`.execute(app.db);
  return rows;
}

test('members read a target’s response in the list and in the check, and passed checks have none', async () => {
  const monitor = await monitorOf();
  await app
    .probe()
    .post([
      failing(monitor),
      { ...resultOf(monitor.id, app.clock.ms() - 1_000, 'up'), response_excerpt: ANSWER },
    ]);
  const [down, up] = await checksOf(monitor);
  assert.deepEqual([down?.response_excerpt, up?.response_excerpt], [ANSWER, null]);
  const member = await app.person('mara', { [place.orgId]: 'member' });
  const one = await member.ok<CheckRecord>('GET', `/monitors/${monitor.id}/checks/${down?.id}`);
  assert.deepEqual(one, down);
  assert.equal((await checksOf(monitor, '?responses=false'))[0]?.response_excerpt, undefined);
  const newer = await monitorOf();
  for (const path of [
    `${newer.id}/checks/${down?.id}`,
    `${monitor.id}/checks/chk_x`,
    `${monitor.id}/checks/chk_1-1-1`,
  ])
    assert.equal((await app.alice.send('GET', `/monitors/${path}`)).status, 404, path);
});

test('a key sees it only with monitors:write', async () => {
  const monitor = await monitorOf();
  await app.probe().post([failing(monitor)]);
  const reads = await makeKeyHolder(app, app.alice, place.orgId, {
    scopes: ['monitors:read', 'incidents:write'],
  });
  const writes = await makeKeyHolder(app, app.alice, place.orgId, { scopes: ['monitors:write'] });
  const path = `/monitors/${monitor.id}/checks`;
  const [seen] = await reads.ok<CheckRecord[]>('GET', path);
  assert.equal(seen?.response_excerpt, undefined);
  assert.equal((await reads.ok<CheckRecord>('GET', `${path}/${seen?.id}`)).response_excerpt, undefined);
  assert.doesNotMatch(JSON.stringify(await reads.ok('GET', `/monitors/${monitor.id}/regions`)), /exhausted/);
  assert.deepEqual((await writes.ok<CheckRecord[]>('GET', path))[0]?.response_excerpt, ANSWER);
});

test('it is encrypted at rest, bound to this check', async () => {
  const monitor = await monitorOf();
  await app.probe().post([failing(monitor)]);
  const [check] = await checksOf(monitor);
  const row = (await stored()).find(({ check_id }) => check_id === check?.id) ?? assert.fail();
  assert.ok(!row.response_sealed.includes('exhausted'));
  assert.match(app.vault.open(row.response_sealed, responseContext(row.check_id)), /exhausted/);
  assert.throws(() => app.vault.open(row.response_sealed, responseContext('chk_1-1-1')));
});

test('it is stored once, and only with a failed check of the reporting region', async () => {
  const monitor = await monitorOf();
  const before = (await stored()).length;
  await app.probe().post([failing(monitor)]);
  await app.probe().post([failing(monitor, { ...ANSWER, body: 'another' })]);
  assert.equal((await checksOf(monitor))[0]?.response_excerpt?.body, ANSWER.body);
  await app.probe('far').post([failing(monitor)]);
  await app.probe().post([{ ...failing(monitor), monitor_id: 'mon_00000000000000000000000000' }]);
  assert.equal((await stored()).length, before + 1);
});

test('one that is too large, or has other fields, is refused with its result', async () => {
  const monitor = await monitorOf();
  const before = (await stored()).length;
  for (const excerpt of [
    { ...ANSWER, body: 'x'.repeat(5_000) },
    { ...ANSWER, headers: Array.from({ length: 65 }, () => ANSWER.headers[0]) },
    { ...ANSWER, more: 1 },
    'text',
  ]) {
    const { body } = await app.probe().post([failing(monitor, excerpt)]);
    assert.equal(body.refused.length, 1, JSON.stringify(body));
  }
  assert.equal((await stored()).length, before);
});

test('it is deleted with its monitor', async () => {
  const monitor = await monitorOf();
  await app.probe().post([failing(monitor)]);
  const [check] = await checksOf(monitor);
  await app.alice.ok('DELETE', `/monitors/${monitor.id}`);
  const { rows } = await sql<{ payload: { monitor_no: number } }>`
    SELECT no AS payload FROM (SELECT jsonb_build_object('monitor_no', ${Number.parseInt(
      (check?.id ?? '').slice(4).split('-')[0] ?? '',
      36,
    )}::int) AS no) n`.execute(app.db);
  await app.runTask('purge_checks', rows[0]?.payload);
  assert.ok(!(await stored()).some(({ check_id }) => check_id === check?.id));
});

test('responses of private targets are stored while there is a single organization, and then if the operator says so', async () => {
  await using alone = await startTestApp();
  const monitor = await monitorOf(alone.home.projectId, alone);
  const inside = { ...ANSWER, private: true };
  const post = async () => {
    alone.clock.advance(1_000);
    await alone.probe().post([failing(monitor, inside, alone.clock.ms())]);
    const [check] = await alone.alice.ok<CheckRecord[]>('GET', `/monitors/${monitor.id}/checks`);
    return check?.response_excerpt;
  };
  const local = async () =>
    (await alone.alice.ok<AdministeredRegion[]>('GET', '/admin/regions')).find(
      ({ slug }) => slug === 'local',
    );
  assert.equal((await alone.probe().assignments()).keep_private_responses, true);
  assert.deepEqual(await post(), inside);
  await alone.place();
  assert.deepEqual(
    [(await local())?.keep_private_responses, (await local())?.private_responses_by],
    [false, 'default'],
  );
  assert.equal((await alone.probe().assignments()).keep_private_responses, false);
  assert.deepEqual(await post(), { ...inside, headers: [], body: null, body_kind: 'unread', withheld: true });
  const logged = await alone.db
    .selectFrom('activity')
    .selectAll()
    .where('action', '=', 'region.update')
    .execute();
  assert.equal(logged.length, 1, 'the operator finds the change in the log');
  await alone.alice.ok('PATCH', '/admin/regions/local', { keep_private_responses: true });
  assert.deepEqual(await post(), inside);
  assert.equal((await local())?.private_responses_by, 'operator');
});

test('an organization, and an owner with all of theirs, store a limited amount a day', async () => {
  const takes = answerBudget(10);
  assert.deepEqual([await takes('a', 'o', 6_000), await takes('a', 'o', 6_000)], [true, false]);
  for (const org of ['b', 'c', 'd']) assert.equal(await takes(org, 'o', 10_240), true, org);
  assert.equal(await takes('e', 'o', 10_240), false, 'the owner has used up four');
  assert.equal(await takes('f', 'p', 10_240), true);
});
