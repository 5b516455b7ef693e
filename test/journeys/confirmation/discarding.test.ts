// False alarms (docs/rules/figures.md#discarding): a discard takes the downtime out of every figure at once, a restore puts
// it back, wherever what was measured is kept: as single checks, rolled up, or both.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { CheckRecord } from '#src/checks/contract.ts';
import type { IncidentDetail, TimelineEntry } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Series } from '#src/series/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { naiveSeries } from '#test/harness/naive-series.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { speakFor } from '#test/harness/spoken-monitors.ts';

const MINUTE_MS = 60_000;
let app: TestApp;
let place: Place;
let driver: ReturnType<typeof speakFor>;
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
  driver = speakFor(app, place);
});

const at = ({ id }: { id: string }, verb = '') => `/organizations/${place.orgId}/incidents/${id}${verb}`;
const act = (incident: { id: string }, verb: 'discard' | 'restore', body?: object) =>
  app.alice.ok<IncidentDetail>('POST', at(incident, `/${verb}`), body);
const figures = async ({ id }: Monitor, range: string) => {
  const { checks, uptime_pct } = (await app.alice.ok<Series>('GET', `/monitors/${id}/series?range=${range}`))
    .stats;
  return { checks, uptime_pct };
};

/** A monitor that was up for half an hour, down for half an hour, up again: a result each 3 minutes, one closed incident. */
async function downFor(): Promise<{ monitor: Monitor; incident: IncidentDetail }> {
  await app.runTask('partitions');
  const monitor = await driver.create({ interval_seconds: 180 });
  for (let i = 0; i < 30; i++) {
    app.clock.advance(3 * MINUTE_MS);
    await app.probe().says(monitor.id, i >= 10 && i < 20 ? 'down' : 'up');
  }
  const incident = await driver.incidentOf(monitor);
  assert.equal(incident.status, 'closed');
  return { monitor, incident };
}

/** Everything that is told of the monitor, with and without the downtime. */
async function assertRecalculated(monitor: Monitor, incident: IncidentDetail, when: string): Promise<void> {
  const truth = async (range: '3h' | '1d' | '7d') => {
    const { checks, uptime_pct } = (await naiveSeries(app, monitor.id, range)).stats;
    return { checks, uptime_pct };
  };
  const with_ = await figures(monitor, '1d');
  for (const verb of ['discard', 'restore'] as const) {
    const { lifecycle_state } = await act(incident, verb);
    assert.equal(lifecycle_state, verb === 'discard' ? 'discarded' : 'resolved');
    for (const range of ['3h', '1d', '7d'] as const)
      assert.deepEqual(await figures(monitor, range), await truth(range), `${verb} ${range} ${when}`);
    const checks = await app.alice.ok<CheckRecord[]>('GET', `/monitors/${monitor.id}/checks`);
    const marked = checks.filter(({ discarded }) => discarded);
    const inside = checks.filter(
      ({ checked_at_unix: unix }) =>
        unix >= incident.started_at_unix && unix < (incident.resolved_at_unix ?? 0),
    );
    assert.deepEqual(marked, verb === 'discard' ? inside : [], `${verb} ${when}`);
    assert.ok(inside.length > 0);
    const found = await figures(monitor, '1d');
    if (verb === 'restore') assert.deepEqual(found, with_, when);
    // The one failing result before the outage was confirmed is no part of it.
    else
      assert.ok(
        (found.uptime_pct ?? 0) > 94 && (with_.uptime_pct ?? 100) < 70,
        `${when} ${found.uptime_pct}`,
      );
  }
}

test('discarding and restoring update the figures of single checks, of closed spans and of rolled-up ones', async () => {
  const { monitor, incident } = await downFor();
  await assertRecalculated(monitor, incident, 'of single checks');
  await app.runTask('roll_up');
  await assertRecalculated(monitor, incident, 'rolled up, the last spans open');
  app.clock.advance(3 * 60 * MINUTE_MS);
  await app.runTask('roll_up');
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM downtime_buckets
    WHERE ${incident.id} = ANY(incident_ids)`.execute(app.db);
  assert.ok((rows[0]?.n ?? 0) > 0, 'nothing was rolled up');
  await assertRecalculated(monitor, incident, 'all rolled up');
});

test('a discarded incident that somebody declared in the past does not count either', async () => {
  const { monitor, incident: automatic } = await downFor();
  app.clock.advance(3 * 60 * MINUTE_MS);
  await app.runTask('roll_up');
  const before = await figures(monitor, '1d');
  const body = {
    monitor_id: monitor.id,
    severity: 'default',
    cause: 'It was slow',
    started_at_unix: automatic.started_at_unix - 600,
  };
  const manual = await app.alice.ok<IncidentDetail>('POST', `/organizations/${place.orgId}/incidents`, body);
  await app.alice.ok('POST', at(manual, '/resolve'));
  for (const rolled of [false, true]) {
    if (rolled) await app.runTask('roll_up');
    assert.deepEqual(await figures(monitor, '1d'), before, 'an incident alone changes no figure');
    await act(manual, 'discard');
    const { checks, uptime_pct } = (await naiveSeries(app, monitor.id, '1d')).stats;
    assert.deepEqual(await figures(monitor, '1d'), { checks, uptime_pct });
    assert.ok((checks ?? 0) < (before.checks ?? 0));
    await act(manual, 'restore');
  }
});

test('only a closed incident can be discarded; discarding and restoring are idempotent, announced with the reason, and for managers', async () => {
  const hook = {
    name: 'Hook',
    kind: 'webhook',
    url: 'http://127.0.0.1:9/hook',
    events: ['discarded', 'restored'],
  };
  await app.alice.ok('POST', `/organizations/${place.orgId}/webhooks`, hook);
  const body = { severity: 'critical', cause: 'Nobody can pay' };
  const incident = await app.alice.ok<IncidentDetail>(
    'POST',
    `/organizations/${place.orgId}/incidents`,
    body,
  );
  assertRefused(await app.alice.send('POST', at(incident, '/discard')), {
    status: 409,
    error: 'incident_open',
  });
  assert.deepEqual(await act(incident, 'restore'), incident, 'it is not discarded');
  await app.alice.ok('POST', at(incident, '/resolve'));
  const bob = await app.person('bob', { [place.orgId]: 'member' });
  assertRefused(await bob.send('POST', at(incident, '/discard')), { status: 403, error: 'forbidden' });
  const answers = await Promise.all([
    act(incident, 'discard', { reason: ' A drill ' }),
    act(incident, 'discard', { reason: 'A drill' }),
  ]);
  assert.deepEqual(
    answers.map(({ lifecycle_state, status }) => [lifecycle_state, status]),
    [
      ['discarded', 'closed'],
      ['discarded', 'closed'],
    ],
  );
  await act(incident, 'restore', { reason: null });
  await act(incident, 'restore', {});
  assert.equal((await act(incident, 'restore')).lifecycle_state, 'resolved');
  const timeline = await app.alice.ok<TimelineEntry[]>('GET', at(incident, '/timeline'));
  assert.deepEqual(
    timeline
      .filter(({ kind }) => kind === 'discarded' || kind === 'restored')
      .map(({ kind, actor_name, detail }) => [kind, actor_name, detail]),
    [
      ['discarded', 'Admin', 'A drill'],
      ['restored', 'Admin', null],
    ],
  );
  const found = await app.db
    .selectFrom('outbox')
    .select(['event', 'body'])
    .where('incident_id', '=', incident.id)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  assert.deepEqual(
    found.map(({ event, body }) => [event, JSON.parse(body).incident.lifecycle_state]),
    [
      ['discarded', 'discarded'],
      ['restored', 'resolved'],
    ],
  );
});

test('the evidence of an incident cannot be changed, not even with access to the database', async () => {
  const { incident } = await downFor();
  const change = sql`UPDATE incidents SET evidence = evidence || '{"version": 2}' WHERE id = ${incident.id}`;
  await assert.rejects(change.execute(app.db), /immutable/);
  assert.deepEqual((await driver.detail(incident.id)).evidence, incident.evidence);
});
