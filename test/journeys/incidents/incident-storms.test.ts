// An alarm storm: when more than 20 incidents of an organization open within a minute, those that open then form a group
// (src/incidents/groups.ts), whoever opens them and however many servers do.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { IncidentDetail } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { newId } from '#src/platform/ids.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { type Probe, resultOf } from '#test/harness/probe.ts';
import { grantKey } from '#test/harness/scene.ts';
import { speakFor } from '#test/harness/spoken-monitors.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

const GIVEN = { severity: 'default', cause: 'Something is wrong' };
const openIn = async ({ orgId }: Place, fields: object = {}): Promise<string> => {
  const body = { ...GIVEN, ...fields };
  return (await app.alice.ok<IncidentDetail>('POST', `/organizations/${orgId}/incidents`, body)).id;
};
const openMany = async (place: Place, howMany: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let i = 0; i < howMany; i++) ids.push(await openIn(place));
  return ids;
};
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

test('twenty incidents within a minute are separate; the next one starts a group, and a minute without any ends it', async () => {
  const place = await app.place();
  await openMany(place, 20);
  assert.deepEqual(await grouped(place), [[null, 20]]);
  await openMany(place, 2);
  assert.deepEqual(await grouped(place), [
    [null, 20],
    [1, 2],
  ]);
  app.clock.advance(59_000);
  await openIn(place);
  assert.deepEqual((await grouped(place)).at(-1), [1, 3]);
  app.clock.advance(60_000);
  await openIn(place);
  assert.deepEqual(await grouped(place), [
    [null, 21],
    [1, 3],
  ]);
  await openMany(place, 21);
  assert.deepEqual(await grouped(place), [
    [null, 40],
    [1, 3],
    [2, 2],
  ]);
});

test('a minute counts from opening to opening: incidents from 60 s ago are not part of a storm', async () => {
  const place = await app.place();
  await openMany(place, 20);
  app.clock.advance(60_000);
  await openMany(place, 20);
  assert.deepEqual(await grouped(place), [[null, 40]]);
});

test('another organization’s incidents do not count towards a storm', async () => {
  const [one, other] = [await app.place(), await app.place()];
  await openMany(one, 12);
  await openMany(other, 12);
  assert.deepEqual([await grouped(one), await grouped(other)], [[[null, 12]], [[null, 12]]]);
});

test('a trickle after a storm is separate after an hour', async () => {
  const place = await app.place();
  await openMany(place, 21);
  const began = (minutes: number) =>
    app.db
      .updateTable('incident_groups')
      .set({ opened_at: new Date(app.clock.ms() - minutes * 60_000) })
      .where('org_id', '=', place.orgId)
      .execute();
  app.clock.advance(58_000);
  await began(59);
  await openIn(place);
  app.clock.advance(58_000);
  await began(60);
  await openIn(place);
  assert.deepEqual(await grouped(place), [
    [null, 21],
    [1, 2],
  ]);
});

test('of incidents opened at once the first 20 are separate and the others are in one group', async () => {
  const place = await app.place();
  await using other = await app.another();
  const cookie = app.alice.cookie();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      fetch(`${i % 2 ? app.url : other.url}/organizations/${place.orgId}/incidents`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie },
        body: JSON.stringify(GIVEN),
      }),
    ),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
  const counts = await grouped(place);
  assert.deepEqual(
    counts.map(([no]) => no),
    [null, 1],
  );
  assert.ok((counts[0]?.[1] ?? 99) <= 20, `${JSON.stringify(counts)}`);
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

test('one acknowledgement can cover the whole group, but only the incidents in the scope of a key', async () => {
  const place = await app.place();
  const driver = speakFor(app, place);
  const mine = await driver.create();
  const ids = await openMany(place, 20);
  const grouped = await openMany(place, 4);
  const of = await openIn(place, { monitor_id: mine.id });
  const path = (id: string) => `/organizations/${place.orgId}/incidents/${id}`;
  const states = async (...of: string[]) =>
    Promise.all(of.map(async (id) => (await driver.detail(id)).lifecycle_state));
  const [first = '', second = ''] = grouped;
  await app.alice.ok('POST', `${path(first)}/ack`);
  assert.deepEqual(await states(first, second), ['acknowledged', 'triggered']);

  const { key } = await grantKey(app, place.orgId, { monitorIds: [mine.id] });
  const headers = { authorization: `Bearer ${key}` };
  const robot = await app.visitor().send('POST', `${path(of)}/ack?group=true`, undefined, headers);
  assert.equal(robot.status, 200);
  assert.deepEqual(await states(of, second), ['acknowledged', 'triggered']);

  const answers = await Promise.all([
    app.alice.send('POST', `${path(first)}/ack?group=true`),
    app.alice.send('POST', `${path(second)}/ack?group=true`),
  ]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  );
  assert.deepEqual([...new Set(await states(...grouped, of))], ['acknowledged']);
  assert.deepEqual([...new Set(await states(...ids))], ['triggered']);
  for (const id of grouped) {
    const acknowledgements = (await driver.timeline(id)).filter(({ kind }) => kind === 'acknowledged');
    assert.deepEqual(
      acknowledgements.map(({ actor_name }) => actor_name),
      ['Admin'],
    );
  }
  const wrong = await app.alice.send<{ field: string }>('POST', `${path(first)}/ack?group=yes`);
  assert.deepEqual([wrong.status, wrong.body.field], [400, 'group']);
});
