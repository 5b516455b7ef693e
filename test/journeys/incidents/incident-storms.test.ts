// An alarm storm: from the third automatic incident of an organization within a minute on they are a group, the first two
// taken in (src/incidents/groups.ts), however many servers open them.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { newId } from '#src/platform/ids.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { type Probe, resultOf } from '#test/harness/probe.ts';
import { grantKey } from '#test/harness/scene.ts';
import { speakFor } from '#test/harness/spoken-monitors.ts';
import { scaled } from '#test/siege/scale.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

/** How many incidents are in which group, by the order in which the groups began; null: in none. */
const grouped = async ({ orgId }: Place): Promise<[number | null, number][]> => {
  const { rows } = await sql<{ no: number | null; n: number }>`
    SELECT dense_rank() OVER (ORDER BY group_no) AS no, group_no IS NULL AS apart, count(*)::int AS n FROM incidents
    WHERE org_id = ${orgId} GROUP BY group_no ORDER BY group_no NULLS FIRST`.execute(app.db);
  return (rows as unknown as { no: number; apart: boolean; n: number }[]).map(({ no, apart, n }) => [
    apart ? null : Number(no),
    n,
  ]);
};
/** Copies of a monitor, made in the database: thousands over HTTP would take longer than the storm. */
async function monitorsLike(place: Place, howMany: number): Promise<Monitor[]> {
  const one = await speakFor(app, place).create();
  const ids = Array.from({ length: howMany - 1 }, () => newId('mon'));
  const { rows } = await sql<{ no: number }>`SELECT no FROM monitors WHERE id = ${one.id}`.execute(app.db);
  const no = rows[0]?.no ?? 0;
  await sql`
    WITH made AS (
      INSERT INTO monitors (id, org_id, project_id, name, slug, type, config, enabled, interval_seconds, regions, policy,
        created_at)
      SELECT each.id, m.org_id, m.project_id, each.id, replace(each.id, '_', '-'), m.type, m.config, m.enabled,
        m.interval_seconds, m.regions, m.policy, m.created_at
      FROM monitors m, unnest(${ids}::text[]) AS each (id) WHERE m.no = ${no} RETURNING no, id
    ), states AS (
      INSERT INTO monitor_state (monitor_no, calm, state, not_before)
      SELECT made.no, s.calm, s.state, s.not_before FROM made, monitor_state s WHERE s.monitor_no = ${no}
    )
    INSERT INTO assignments (region_no, monitor_no, monitor_id, interval_seconds, revision, removed, changed_at)
    SELECT a.region_no, made.no, made.id, a.interval_seconds, a.revision, a.removed, a.changed_at
    FROM made, assignments a WHERE a.monitor_no = ${no}`.execute(app.db);
  return [one, ...ids.map((id) => ({ ...one, id }))];
}
async function failTogether(monitors: readonly Monitor[], probe: Probe = app.probe()): Promise<void> {
  for (let i = 0; i < 2; i++) {
    app.clock.advance(1000);
    const answer = await probe.post(monitors.map(({ id }) => resultOf(id, app.clock.ms(), 'down')));
    assert.deepEqual([answer.status, answer.body.accepted], [200, monitors.length]);
  }
}

/** Monitors of a place of its own; `fail` opens the incident of each of the next ones, a second apart. */
async function makeScene(howMany: number) {
  const place = await app.place();
  const monitors = await monitorsLike(place, howMany);
  let next = 0;
  return {
    place,
    monitors,
    fail: async (count = 1) => {
      for (let i = 0; i < count; i++) await failTogether([monitors[next++] as Monitor]);
    },
  };
}

test('two incidents stand alone, the third forms a storm with them; another joins within five minutes of the last opening', async () => {
  const { place, fail } = await makeScene(6);
  await fail(2);
  assert.deepEqual(await grouped(place), [[null, 2]]);
  await fail();
  assert.deepEqual(await grouped(place), [[1, 3]]);
  app.clock.advance(297_000);
  await fail();
  assert.deepEqual(await grouped(place), [[1, 4]]);
  app.clock.advance(298_000);
  await fail();
  assert.deepEqual(await grouped(place), [
    [null, 1],
    [1, 4],
  ]);
  await fail();
  assert.deepEqual((await grouped(place))[0], [null, 2]);
});

test('three incidents of which the last opens more than a minute after the first are no storm', async () => {
  const { place, fail } = await makeScene(4);
  await fail();
  app.clock.advance(30_000);
  await fail();
  app.clock.advance(28_000);
  await fail();
  assert.deepEqual(await grouped(place), [[null, 3]]);
  // With the second and third one.
  await fail();
  assert.deepEqual(await grouped(place), [
    [null, 1],
    [1, 3],
  ]);
});

test('another organization’s incidents do not contribute to a storm', async () => {
  const [one, other] = [await makeScene(2), await makeScene(2)];
  await one.fail(2);
  await other.fail(2);
  assert.deepEqual([await grouped(one.place), await grouped(other.place)], [[[null, 2]], [[null, 2]]]);
});

test('declared incidents form and join no storm', async () => {
  const { place, fail } = await makeScene(4);
  const declare = () =>
    app.alice.ok('POST', `/organizations/${place.orgId}/incidents`, { severity: 'default', cause: 'Wrong' });
  await declare();
  await fail(2);
  assert.deepEqual(await grouped(place), [[null, 3]]);
  await fail();
  await declare();
  assert.deepEqual(await grouped(place), [
    [null, 2],
    [1, 3],
  ]);
});

test('a storm is named by what its incidents share, in lists and in the incident', async () => {
  const { place, fail } = await makeScene(3);
  await fail(3);
  const list = await app.alice.ok<IncidentSummary[]>('GET', `/organizations/${place.orgId}/incidents`);
  const groups = new Set(list.map(({ group_id, group_name }) => `${group_id} ${group_name}`));
  assert.equal(groups.size, 1);
  assert.match([...groups][0] ?? '', /^[0-9]+ shop\.example\.com, unexpected status$/);
  const detail = await speakFor(app, place).detail(list[0]?.id ?? '');
  assert.equal(detail.group_name, 'shop.example.com, unexpected status');
});

test('two servers that open incidents of one storm at the same moment open one storm', async () => {
  await using other = await app.another();
  for (let round = 0; round < scaled(6, 40); round++) {
    const { place, monitors } = await makeScene(4);
    app.clock.advance(1000);
    await app.probe().post(monitors.map(({ id }) => resultOf(id, app.clock.ms(), 'down')));
    app.clock.advance(1000);
    await Promise.all(
      monitors.map(({ id }, i) => (i % 2 ? app : other).probe().post([resultOf(id, app.clock.ms(), 'down')])),
    );
    assert.deepEqual(await grouped(place), [[1, 4]], `round ${round}`);
  }
});

test('an incident that is acknowledged while its storm forms belongs to it', async () => {
  await using other = await app.another();
  for (let round = 0; round < scaled(6, 40); round++) {
    const { place, monitors, fail } = await makeScene(3);
    await fail(2);
    const driver = speakFor(app, place);
    const first = await driver.incidentOf(monitors[0] as Monitor);
    const third = monitors[2] as Monitor;
    app.clock.advance(1000);
    await app.probe().says(third.id, 'down');
    app.clock.advance(1000);
    await Promise.all([
      app.alice.ok('POST', `/organizations/${place.orgId}/incidents/${first.id}/ack`),
      other.probe().says(third.id, 'down'),
    ]);
    assert.deepEqual(await grouped(place), [[1, 3]], `round ${round}`);
  }
});

test('all incidents that open in one batch are one group; closed ones stay in it', async () => {
  const place = await app.place();
  const monitors = await monitorsLike(place, 600);
  await failTogether(monitors);
  assert.deepEqual(await grouped(place), [[1, 600]]);
  const { rows } = await sql<{ opened: number; evidence: number; whole: number }>`
    SELECT count(*) FILTER (WHERE t.kind = 'opened')::int AS opened,
      count(DISTINCT i.id) FILTER (WHERE i.evidence ->> 'monitor_id' = i.monitor_id)::int AS evidence,
      count(DISTINCT i.id) FILTER (WHERE jsonb_array_length(i.evidence -> 'checks') = 2)::int AS whole
    FROM incidents i JOIN incident_timeline t ON t.incident_id = i.id WHERE i.org_id = ${place.orgId}`.execute(
    app.db,
  );
  assert.deepEqual(rows, [{ opened: 600, evidence: 600, whole: 600 }]);
  for (let i = 0; i < 2; i++) {
    app.clock.advance(1000);
    await app.probe().post(monitors.map(({ id }) => resultOf(id, app.clock.ms(), 'up')));
  }
  const { rows: closed } = await sql<{ n: number; entries: number }>`
    SELECT count(DISTINCT i.id)::int AS n, count(*)::int AS entries
    FROM incidents i JOIN incident_timeline t ON t.incident_id = i.id AND t.kind = 'resolved'
    WHERE i.org_id = ${place.orgId} AND i.status = 'closed' AND i.auto_resolved AND i.group_no IS NOT NULL`.execute(
    app.db,
  );
  assert.deepEqual(closed, [{ n: 600, entries: 600 }]);
});

test('a storm does not wait for an incident that is being changed; that one joins with its change', async () => {
  const { place, monitors, fail } = await makeScene(3);
  await fail(2);
  const first = await speakFor(app, place).incidentOf(monitors[0] as Monitor);
  await app.db.transaction().execute(async (tx) => {
    await sql`SELECT FROM incidents WHERE id = ${first.id} FOR NO KEY UPDATE`.execute(tx);
    await fail();
  });
  assert.deepEqual(await grouped(place), [
    [null, 1],
    [1, 2],
  ]);
  await app.alice.ok('POST', `/organizations/${place.orgId}/incidents/${first.id}/ack`);
  assert.deepEqual(await grouped(place), [[1, 3]]);
});

test('one acknowledgement covers the whole storm if requested, and only incidents that a key may see', async () => {
  const { place, monitors, fail } = await makeScene(6);
  const driver = speakFor(app, place);
  const path = (id: string) => `/organizations/${place.orgId}/incidents/${id}`;
  const states = async (...of: string[]) =>
    Promise.all(of.map(async (id) => (await driver.detail(id)).lifecycle_state));
  await fail(5);
  const ids = await Promise.all(monitors.slice(0, 5).map(async (one) => (await driver.incidentOf(one)).id));
  const [first = '', second = '', third = '', fourth = '', of = ''] = ids;
  await app.alice.ok('POST', `${path(first)}/ack`);
  assert.deepEqual(await states(first, second), ['acknowledged', 'triggered']);

  const { key } = await grantKey(app, place.orgId, { monitorIds: [monitors[4]?.id ?? ''] });
  const headers = { authorization: `Bearer ${key}` };
  const robot = await app.visitor().send('POST', `${path(of)}/ack?group=true`, undefined, headers);
  assert.equal(robot.status, 200);
  assert.deepEqual(await states(of, second), ['acknowledged', 'triggered']);

  // Also what is held: a storm is taken as a whole.
  await app.alice.ok('POST', `${path(fourth)}/hold`, { seconds: 600 });
  const answers = await Promise.all([
    app.alice.send('POST', `${path(first)}/ack?group=true`),
    app.alice.send('POST', `${path(third)}/ack?group=true`),
  ]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  );
  assert.deepEqual([...new Set(await states(...ids))], ['acknowledged']);
  for (const id of [second, third, fourth]) {
    const acknowledgements = (await driver.timeline(id)).filter(({ kind }) => kind === 'acknowledged');
    assert.deepEqual(
      acknowledgements.map(({ actor_name }) => actor_name),
      ['Admin'],
    );
  }
  // What opens after that is not taken.
  await fail();
  const late = await driver.incidentOf(monitors[5] as Monitor);
  assert.deepEqual(
    [late.lifecycle_state, late.group_name],
    ['triggered', 'shop.example.com, unexpected status'],
  );
  const wrong = await app.alice.send<{ field: string }>('POST', `${path(first)}/ack?group=yes`);
  assert.deepEqual([wrong.status, wrong.body.field], [400, 'group']);
});
