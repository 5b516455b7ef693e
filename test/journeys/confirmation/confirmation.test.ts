// From results to an incident and back, through the probe's endpoint and the API (docs/rules/confirmation.md).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { resultOf } from '#test/harness/probe.ts';
import { readIncident } from '#test/harness/read-incident.ts';

let app: TestApp;
let place: Place;
before(async () => {
  app = await startAppOfFile();
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
const read = (monitor: Monitor) => app.alice.ok<Monitor>('GET', `/monitors/${monitor.id}`);
const statusOf = async (monitor: Monitor) => {
  const { last_status, last_severity } = await read(monitor);
  return [last_status, last_severity];
};
const incidentsOf = (monitor: Monitor) =>
  app.alice.ok<IncidentSummary[]>('GET', `/monitors/${monitor.id}/incidents`);
const detail = (id: string) => readIncident(app.alice, place.orgId, id);

/** Lets a second pass, then reports. */
async function say(monitor: Monitor, ...statuses: ('up' | 'down' | 'degraded')[]): Promise<number> {
  for (const status of statuses) {
    app.clock.advance(1000);
    await app.probe().says(monitor.id, status);
  }
  return Math.floor(app.clock.ms() / 1000);
}

test('an outage opens one incident with exact times and consistent evidence, and recovery resolves it', async () => {
  const monitor = await create();
  await say(monitor, 'up');
  const first = await say(monitor, 'down');
  assert.deepEqual(await incidentsOf(monitor), []);
  const second = await say(monitor, 'down');
  const [summary, ...others] = await incidentsOf(monitor);
  assert.equal(others.length, 0);
  assert.deepEqual(summary, {
    id: summary?.id,
    monitor_id: monitor.id,
    monitor_name: monitor.name,
    project_name: 'Shop',
    cause: 'HTTP 503 (Local)',
    severity: 'critical',
    status: 'open',
    down_regions: ['local'],
    region_count: 1,
    started_at_unix: second,
    resolved_at_unix: null,
    lifecycle_state: 'triggered',
    acknowledged_by_email: null,
    acknowledged_by_name: null,
    commander_name: null,
    alarm_held_until_unix: null,
    group_id: null,
    group_name: null,
    example: false,
  });
  const incident = await detail(summary?.id ?? '');
  const { evidence, ...rest } = incident;
  assert.deepEqual(rest, {
    ...summary,
    project_id: place.projectId,
    check_kind: 'http',
    summary: `${monitor.name}: HTTP 503 (Local). Expected a status in 200-299 within 8 s.`,
    lifecycle_state: 'triggered',
    severity_level: null,
    auto_resolved: false,
    acknowledged_at_unix: null,
    acknowledged_by_email: null,
    commander_email: null,
    alarm_held_until_unix: null,
    alarm_held_by_name: null,
    failure_phase_started_at_unix: second,
  });
  const { checks, findings, ...facts } = evidence!;
  assert.deepEqual(facts, {
    version: 1,
    reason: 'quorum_reached',
    confirmation_state: 'confirmed',
    check_kind: 'http',
    failure_class: 'http_status',
    expected_summary: 'Expected a status in 200-299 within 8 s.',
    actual_summary: 'HTTP 503 (Local).',
    monitor_id: monitor.id,
    monitor_name: monitor.name,
    project_id: place.projectId,
    project_name: 'Shop',
    first_failure_at_unix: first,
    confirmed_outage_since_unix: second,
    triggered_at_unix: second,
    consecutive_failures_observed: 2,
    consecutive_failures_required: 2,
    expected_regions: 1,
    failed_regions: 1,
    reporting_regions: 1,
    required_regions: 1,
    minimum_confirmed_outage_seconds: 0,
  });
  const stored = await app.alice.ok<{ id: string; checked_at_unix: number; status: string }[]>(
    'GET',
    `/monitors/${monitor.id}/checks`,
  );
  assert.deepEqual(
    checks.map((check) => [check.check_id, check.checked_at_unix, check.status]),
    stored.map((check) => [check.id, check.checked_at_unix, check.status]),
  );
  assert.deepEqual(
    [findings.length, findings[0]?.occurrence_count, findings[0]?.latest_checked_at_unix],
    [1, 2, second],
  );

  await say(monitor, 'up');
  assert.equal((await detail(incident.id)).status, 'open');
  const resolvedAt = await say(monitor, 'up');
  const after = await detail(incident.id);
  assert.deepEqual(
    [after.status, after.lifecycle_state, after.auto_resolved, after.resolved_at_unix],
    ['closed', 'resolved', true, resolvedAt],
  );
  assert.deepEqual(after.evidence, evidence);
});

test('the evidence cannot be changed, not even by Tocsin’s own SQL', async () => {
  const monitor = await create();
  await say(monitor, 'down', 'down');
  const [incident] = await incidentsOf(monitor);
  const change = (evidence: string | null) =>
    app.db
      .updateTable('incidents')
      .set({ evidence })
      .where('id', '=', incident?.id ?? '')
      .execute();
  await assert.rejects(change('{}'), /immutable/);
  await assert.rejects(change(null), /immutable/);
});

test('last_status and last_severity: null before the first check, then passed, degraded, failed and back', async () => {
  const monitor = await create();
  assert.deepEqual(await statusOf(monitor), [null, null]);
  await say(monitor, 'up');
  assert.deepEqual(await statusOf(monitor), ['passed', 'ok']);
  await say(monitor, 'degraded');
  assert.deepEqual(await statusOf(monitor), ['degraded', 'degraded']);
  await say(monitor, 'up');
  assert.deepEqual(await statusOf(monitor), ['passed', 'ok']);
  await say(monitor, 'down');
  assert.deepEqual(await statusOf(monitor), ['degraded', 'critical']);
  await say(monitor, 'down');
  assert.deepEqual(await statusOf(monitor), ['failed', 'critical']);
  await say(monitor, 'up');
  assert.deepEqual(await statusOf(monitor), ['failed', 'ok']);
  await say(monitor, 'up');
  assert.deepEqual(await statusOf(monitor), ['passed', 'ok']);
});

test('a first check that fails is degraded, and one degraded result breaks a failing streak', async () => {
  const monitor = await create();
  await say(monitor, 'down');
  assert.deepEqual(await statusOf(monitor), ['degraded', 'critical']);
  await say(monitor, 'degraded', 'down', 'degraded', 'down');
  assert.deepEqual(await incidentsOf(monitor), []);
  await say(monitor, 'down');
  assert.equal((await incidentsOf(monitor)).length, 1);
});

test('a fault of the probe itself is no result', async () => {
  const monitor = await create();
  await say(monitor, 'up');
  for (let i = 0; i < 4; i++) {
    app.clock.advance(1000);
    await app
      .probe()
      .says(monitor.id, { status: 'down', cause_layer: 'probe', failure_class: 'probe_offline' });
  }
  assert.deepEqual(await incidentsOf(monitor), []);
  assert.deepEqual(await statusOf(monitor), ['passed', 'ok']);
  const { stats } = await app.alice.ok<{ stats: { checks: number } }>(
    'GET',
    `/monitors/${monitor.id}/series?range=3h`,
  );
  assert.equal(stats.checks, 1);
});

test('a failing result measured before a fault of the probe still counts', async () => {
  const monitor = await create();
  await say(monitor, 'up');
  const at = app.clock.ms();
  app.clock.advance(31_000);
  const fault = { status: 'down', cause_layer: 'probe', failure_class: 'probe_network' } as const;
  await app
    .probe()
    .post([
      resultOf(monitor.id, at + 10_000, 'down'),
      resultOf(monitor.id, at + 20_000, 'down'),
      resultOf(monitor.id, at + 30_000, fault),
    ]);
  const [incident] = await incidentsOf(monitor);
  assert.equal(incident?.started_at_unix, Math.floor((at + 20_000) / 1000));
});

test('the same batch again changes nothing, even if it opened and resolved an incident', async () => {
  const monitor = await create();
  const start = app.clock.ms();
  app.clock.advance(10_000);
  const batch = (['up', 'down', 'down', 'up', 'up'] as const).map((status, i) =>
    resultOf(monitor.id, start + i * 1000, status),
  );
  assert.equal((await app.probe().post(batch)).body.accepted, 5);
  const [once, ...others] = await incidentsOf(monitor);
  assert.deepEqual([others.length, once?.status], [0, 'closed']);
  assert.deepEqual([once?.started_at_unix, once?.resolved_at_unix], [start / 1000 + 2, start / 1000 + 4]);
  const before = { incident: await detail(once?.id ?? ''), state: await stateOf(monitor) };
  for (let i = 0; i < 3; i++) {
    app.clock.advance(1000);
    assert.equal((await app.probe().post(batch)).body.duplicates, 5);
  }
  assert.deepEqual({ incident: await detail(once?.id ?? ''), state: await stateOf(monitor) }, before);
  assert.equal((await incidentsOf(monitor)).length, 1);
});

function stateOf(monitor: Monitor) {
  return app.db
    .selectFrom('monitor_state')
    .innerJoin('monitors', 'monitors.no', 'monitor_state.monitor_no')
    .selectAll('monitor_state')
    .where('monitors.id', '=', monitor.id)
    .executeTakeFirstOrThrow();
}

test('of a batch that repeats half of an earlier one, only the new results count', async () => {
  const monitor = await create();
  const start = app.clock.ms();
  app.clock.advance(10_000);
  const down = (second: number) => resultOf(monitor.id, start + second * 1000, 'down');
  await app.probe().post([resultOf(monitor.id, start, 'up'), down(1)]);
  await app.probe().post([down(1), resultOf(monitor.id, start, 'up')]);
  assert.deepEqual(await incidentsOf(monitor), []);
  await app.probe().post([down(1), down(2)]);
  assert.equal((await incidentsOf(monitor)).length, 1);
});

test('the order within a batch does not matter', async () => {
  const start = app.clock.ms();
  app.clock.advance(20_000);
  const statuses = ['up', 'down', 'up', 'down', 'down', 'up', 'up', 'down'] as const;
  const seen: unknown[] = [];
  for (const turn of [0, 3, 5]) {
    const monitor = await create();
    // A monitor judges nothing from before it was made: these were checked after.
    await app.db
      .updateTable('monitor_state')
      .set({ not_before: new Date(start) })
      .execute();
    const batch = statuses.map((status, i) => resultOf(monitor.id, start + i * 1000, status));
    await app.probe().post([...batch.slice(turn), ...batch.slice(0, turn)].reverse());
    const list = await incidentsOf(monitor);
    seen.push([list.map((i) => [i.status, i.started_at_unix, i.resolved_at_unix]), await statusOf(monitor)]);
  }
  assert.deepEqual(seen[0], [[['closed', start / 1000 + 4, start / 1000 + 6]], ['degraded', 'critical']]);
  assert.deepEqual(seen[1], seen[0]);
  assert.deepEqual(seen[2], seen[0]);
});

test('a result older than the newest is history: it is stored and changes nothing', async () => {
  const monitor = await create();
  await say(monitor, 'up', 'down', 'up');
  const at = app.clock.ms();
  await app.probe().post([resultOf(monitor.id, at - 1500, 'down'), resultOf(monitor.id, at - 500, 'down')]);
  assert.deepEqual(await incidentsOf(monitor), []);
  assert.deepEqual(await statusOf(monitor), ['passed', 'ok']);
  assert.equal((await app.alice.ok<unknown[]>('GET', `/monitors/${monitor.id}/checks`)).length, 5);
});

test('results older than the reporting window when they arrive open nothing and resolve nothing', async () => {
  const monitor = await create();
  await say(monitor, 'up');
  const gap = app.clock.ms();
  app.clock.advance(120_000);
  await app.probe().post([10, 20, 30].map((s) => resultOf(monitor.id, gap + s * 1000, 'down')));
  assert.deepEqual(await incidentsOf(monitor), []);
  const { stats } = await app.alice.ok<{ stats: { checks: number; uptime_pct: number } }>(
    'GET',
    `/monitors/${monitor.id}/series?range=3h`,
  );
  assert.deepEqual([stats.checks, stats.uptime_pct], [4, 25]);

  await say(monitor, 'down', 'down');
  const [incident] = await incidentsOf(monitor);
  assert.equal(incident?.started_at_unix, app.clock.ms() / 1000);
  const later = app.clock.ms();
  app.clock.advance(120_000);
  await app.probe().post([10, 20, 30].map((s) => resultOf(monitor.id, later + s * 1000, 'up')));
  assert.equal((await incidentsOf(monitor))[0]?.status, 'open');
  await say(monitor, 'up', 'up');
  assert.equal((await incidentsOf(monitor))[0]?.status, 'closed');
});

test('two regions: one failing is degraded, both failing is an outage that starts when the second one fails', async () => {
  const slug = 'second';
  const second = await app.region(slug);
  const monitor = await create({ regions: ['local', slug] });
  const reports = async (status: 'up' | 'down', probe = app.probe()) => {
    app.clock.advance(1000);
    await probe.says(monitor.id, status);
  };
  await reports('up');
  await reports('up', second);
  await reports('down');
  await reports('down');
  assert.deepEqual(await statusOf(monitor), ['degraded', 'critical']);
  assert.deepEqual(await incidentsOf(monitor), []);
  await reports('down', second);
  await reports('down', second);
  const [incident] = await incidentsOf(monitor);
  assert.deepEqual([incident?.down_regions, incident?.region_count], [['local', slug], 2]);
  assert.equal(incident?.started_at_unix, app.clock.ms() / 1000);
  const { evidence } = await detail(incident?.id ?? '');
  assert.deepEqual(
    [evidence?.failed_regions, evidence?.required_regions, evidence?.reporting_regions],
    [2, 2, 2],
  );
  assert.deepEqual([...new Set(evidence?.checks.map((check) => check.region))].sort(), ['local', slug]);
});

test('a region that goes offline alone confirms nothing for a monitor that asked for two', async () => {
  const slug = 'far';
  const far = await app.region(slug);
  const monitor = await create({ regions: ['local', slug] });
  await far.says(monitor.id, 'up');
  app.clock.advance(40_000);
  await say(monitor, 'down', 'down', 'down');
  assert.deepEqual(await incidentsOf(monitor), []);
  assert.deepEqual(await statusOf(monitor), ['degraded', 'critical']);
});

test('a new target starts over: results of the old one open nothing', async () => {
  const monitor = await create();
  await say(monitor, 'up', 'down');
  await app.alice.ok('PATCH', `/monitors/${monitor.id}`, { config: { url: 'https://other.example.com/' } });
  const old = resultOf(monitor.id, app.clock.ms() - 500, 'down');
  await app.probe().post([old]);
  await say(monitor, 'down');
  assert.deepEqual(await incidentsOf(monitor), []);
  await say(monitor, 'down');
  assert.equal((await incidentsOf(monitor)).length, 1);
});

test('a rename or a new policy during an outage changes no measurement', async () => {
  const monitor = await create();
  await say(monitor, 'down', 'down');
  await app.alice.ok('PATCH', `/monitors/${monitor.id}`, {
    name: `${monitor.name} renamed`,
    policy: { recovery_consecutive: 3 },
  });
  await say(monitor, 'up', 'up');
  assert.equal((await incidentsOf(monitor))[0]?.status, 'open');
  await say(monitor, 'up');
  assert.equal((await incidentsOf(monitor))[0]?.status, 'closed');
});
