// "What would these settings have done?": a changed policy with the stored checks of a monitor.
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { AlertProfile } from '#src/alarm-policy/contract.ts';
import { DAY_MS, MINUTE_MS } from '#src/domain/durations.ts';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { inTransaction } from '#src/platform/db/transaction.ts';
import type { Call } from '#src/platform/http/route.ts';
import { Refusal } from '#src/platform/refusals.ts';
import type { PolicyReplay, replayPolicy } from '#src/policy-replay/contract.ts';
import { draftOf } from '#src/policy-replay/draft.ts';
import { REPLAY_LIMITS, type ReplayLimits, replay, replayed } from '#src/policy-replay/replay.ts';
import { makeSlots, REPLAYS_AT_A_TIME } from '#src/policy-replay/slots.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import type { Probe } from '#test/harness/probe.ts';
import { resultOf } from '#test/harness/probe.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { until } from '#test/harness/until.ts';

const DAYS = 4;
const EVERY_MS = 10 * MINUTE_MS;
const CHECKS_A_DAY = 2 * (DAY_MS / EVERY_MS);
/** Of every day, these checks of both regions fail. */
const FAILS = { from: 61, to: 67 };

let app: TestApp;
let far: Probe;
let monitor: Monitor;
let startMs: number;
before(async () => {
  app = await startAppOfFile();
  far = await app.region('far');
  monitor = await create('Shop');
  startMs = Math.floor(app.clock.ms() / DAY_MS - DAYS) * DAY_MS;
  // Results of earlier times are those of probes that were cut off.
  for (let day = 0; day < DAYS; day++)
    for (const [i, probe] of [app.probe(), far].entries()) {
      const results = Array.from({ length: DAY_MS / EVERY_MS }, (_, n) =>
        resultOf(monitor.id, atMs(day, n) + i * 1000, n >= FAILS.from && n <= FAILS.to ? 'down' : 'up'),
      );
      assert.equal((await probe.post(results)).body.accepted, results.length);
    }
});

const atMs = (day: number, n: number) => startMs + day * DAY_MS + n * EVERY_MS;
const unix = (ms: number) => Math.floor(ms / 1000);

function create(name: string, more: object = {}): Promise<Monitor> {
  return app.alice.ok('POST', `/projects/${app.home.projectId}/monitors`, {
    name,
    type: 'http',
    config: { url: 'https://shop.example.com/' },
    regions: ['local', 'far'],
    interval_seconds: EVERY_MS / 1000,
    ...more,
  });
}

const pathOf = ({ id }: Monitor) => `/monitors/${id}/policy-replay`;
const replays = (policy: object, of = monitor) => app.alice.ok<PolicyReplay>('POST', pathOf(of), { policy });
const asks = (body: unknown, of = monitor) => app.alice.send('POST', pathOf(of), body);

test('the current settings change nothing', async () => {
  const { now, draft, differences, outages, ...rest } = await replays({});
  assert.deepEqual(now, draft);
  assert.deepEqual(differences, { unchanged: DAYS, later: 0, earlier: 0, only_now: 0, only_draft: 0 });
  assert.equal(now.open_seconds, DAYS * 7 * 600);
  // Both regions have failed twice with the second check of the second one.
  const started_at_unix = unix(atMs(DAYS - 1, FAILS.from + 1) + 1000);
  assert.deepEqual(outages[0], {
    now: {
      started_at_unix,
      opened_at_unix: started_at_unix,
      ended_at_unix: started_at_unix + 7 * 600,
      reason: 'quorum_reached',
      down_regions: ['far', 'local'],
    },
    draft: outages[0]?.now,
    later_seconds: 0,
    cause: 'HTTP 503 (2 of 2 regions)',
    incident_id: null,
  });
  assert.deepEqual(rest, {
    from_unix: unix(startMs),
    until_unix: unix(app.clock.ms()),
    complete: true,
    check_count: DAYS * CHECKS_A_DAY,
    caveats: ['arrival_unknown', 'online_unknown'],
  });
});

test('a minimum duration delays every alarm by it', async () => {
  const { now, draft, differences, outages } = await replays({ alarm_min_duration_seconds: 3600 });
  assert.deepEqual([now.alarm_count, draft.alarm_count, differences.later], [DAYS, DAYS, DAYS]);
  assert.deepEqual(
    outages.map(({ later_seconds }) => later_seconds),
    Array(DAYS).fill(3600),
  );
});

test('more failures in a row than occurred raise no alarm, and fewer an earlier one', async () => {
  const none = await replays({ alarm_consecutive: 8 });
  assert.deepEqual([none.draft.alarm_count, none.differences.only_now], [0, DAYS]);
  assert.ok(none.outages.every(({ draft, later_seconds }) => draft === null && later_seconds === null));
  const sooner = await replays({ alarm_consecutive: 1 });
  assert.deepEqual([sooner.differences.earlier, sooner.outages[0]?.later_seconds], [DAYS, -600]);
});

test('another interval of a failing monitor is reported as impossible to replay', async () => {
  const { caveats, differences } = await replays({ failed_interval_seconds: 300 });
  assert.ok(caveats.includes('rhythm_unchanged'));
  assert.equal(differences.unchanged, DAYS);
});

test('an alert profile counts as if it were chosen', async () => {
  const profile = await app.alice.ok<AlertProfile>(
    'POST',
    `/organizations/${app.home.orgId}/alert-profiles`,
    {
      name: 'Patient',
      alarm_min_duration_seconds: 1200,
    },
  );
  const { outages } = await replays({ alert_profile_id: profile.id });
  assert.equal(outages[0]?.later_seconds, 1200);
});

test('nothing is stored', async () => {
  await replays({ alarm_consecutive: 9 });
  const { policy } = await app.alice.ok<Monitor>('GET', `/monitors/${monitor.id}`);
  assert.equal(policy?.alarm_consecutive, null);
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM incidents`.execute(app.db);
  assert.equal(rows[0]?.n, 0);
});

test('maintenance, a pause and a manual close count as they did, and incidents are named', async () => {
  const lived = await create('Lived', { policy: { alarm_consecutive: 1, recovery_consecutive: 1 } });
  const probes = [app.probe(), far];
  const round = async (status: 'up' | 'down') => {
    app.clock.advance(MINUTE_MS);
    for (const probe of probes) await probe.says(lived.id, status);
  };
  const incidents = () => app.alice.ok<IncidentSummary[]>('GET', `/monitors/${lived.id}/incidents`);
  await round('up');
  await round('down');
  const [first] = await incidents();
  app.clock.advance(10_000);
  await app.alice.ok('POST', `/organizations/${app.home.orgId}/incidents/${first?.id}/resolve`);
  await round('down');
  app.clock.advance(10_000);
  await app.alice.ok('PATCH', `/monitors/${lived.id}`, { enabled: false });
  app.clock.advance(10 * MINUTE_MS);
  await app.alice.ok('PATCH', `/monitors/${lived.id}`, { enabled: true });
  await round('up');
  await round('down');
  await round('up');

  const there = await incidents();
  assert.equal(there.length, 3);
  const { outages, differences, caveats } = await replays({}, lived);
  assert.equal(differences.unchanged, 3);
  assert.deepEqual(
    outages.map(({ now, incident_id, cause }) => ({
      id: incident_id,
      cause,
      started: now?.started_at_unix,
      ended: now?.ended_at_unix,
    })),
    there.map(({ id, cause, started_at_unix: started, resolved_at_unix: ended }) => ({
      ...{ id, cause, started, ended },
    })),
  );
  assert.ok(caveats.includes('settings_of_now'));
});

test('an interval that shortens the default timeout is no edit: a failure goes on being confirmed', async () => {
  const faster = await create('Faster', { regions: ['local'], interval_seconds: 60 });
  const fails = async () => {
    app.clock.advance(1000);
    await app.probe().says(faster.id, 'down');
  };
  await fails();
  app.clock.advance(1000);
  await app.alice.ok('PATCH', `/monitors/${faster.id}`, { interval_seconds: 5 });
  await fails();
  const incidents = await app.alice.ok<IncidentSummary[]>('GET', `/monitors/${faster.id}/incidents`);
  const { outages } = await replays({}, faster);
  assert.deepEqual(
    outages.map(({ incident_id }) => incident_id),
    incidents.map(({ id }) => id),
  );
  assert.equal(incidents.length, 1);
});

test('a replay is refused in the same words as an update, and a group has nothing to replay', async () => {
  const { id } = await create('Other');
  for (const policy of [
    { alarm_consecutive: 0 },
    { alarm_quorum_mode: 'count' },
    { alarm_quorum_mode: 'count', alarm_quorum_value: 3 },
    { recovery_quorum_mode: 'most' },
    { failed_interval_seconds: 0 },
    { alert_profile_id: 'alp_01h455vb4pex5vsknk084sn02q' },
    { effective_alarm: { source: 'monitor' } },
    { alarm_consecutve: 2 },
  ]) {
    const written = await app.alice.send('PATCH', `/monitors/${id}`, { policy });
    const asked = await asks({ policy });
    assert.deepEqual([asked.status, asked.body], [written.status, written.body], JSON.stringify(policy));
    assert.equal(asked.status, 400);
  }
  assertRefused(await asks({}), { status: 400, error: 'invalid_request', field: 'policy' });
  const group = await create('All', {
    type: 'group',
    config: { members: [id], rule: 'any_failed' },
    regions: [],
  });
  assertRefused(await asks({ policy: {} }, group), { status: 400, error: 'invalid_request' });
});

test('a monitor without checks has no alarms, and is answered at once', async () => {
  const { check_count, now, draft, complete } = await replays({ alarm_consecutive: 1 }, await create('New'));
  assert.deepEqual([check_count, now.alarm_count, draft.alarm_count, complete], [0, 0, 0, true]);
});

async function withLimits(limits: Partial<ReplayLimits>, signal = new AbortController().signal) {
  const drafted = await draftOf(app.db, monitor.id, {}, null);
  return replayed(app.db, drafted, app.clock.now(), { ...REPLAY_LIMITS, ...limits }, signal);
}

test('beyond the maximum number of checks only the newest days are replayed, and the answer says since when', async () => {
  const { complete, from_unix, check_count, now } = await withLimits({ checks: 2 * CHECKS_A_DAY + 5 });
  assert.deepEqual(
    [complete, from_unix, check_count, now.alarm_count],
    [false, unix(atMs(DAYS - 2, 0)), 2 * CHECKS_A_DAY, 2],
  );
});

test('at its time limit a replay answers for the part it has replayed', async () => {
  const { complete, until_unix, check_count, now } = await withLimits({
    takesMs: 0,
    // However slow the machine, it looks at the time after each day, and not within one.
    sliceMs: Number.POSITIVE_INFINITY,
  });
  assert.deepEqual(
    [complete, until_unix, check_count, now.alarm_count],
    [false, unix(atMs(1, 0) - EVERY_MS + 1000), CHECKS_A_DAY, 1],
  );
});

test('beyond the maximum number of alarms a replay ends', async () => {
  const { complete, now } = await withLimits({ alarms: 2 });
  assert.deepEqual([complete, now.alarm_count], [false, 2]);
});

test('a replay that nobody waits for ends', async () => {
  await assert.rejects(withLimits({}, AbortSignal.abort()), { name: 'AbortError' });
});

/** Holds up every replay while `act` runs. */
async function heldUp(act: (waiting: () => Promise<number>) => Promise<void>): Promise<void> {
  const waiting = async () => {
    const { rows } = await sql<{ n: number }>`
      SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted AND relation = 'packing_state'::regclass`.execute(
      app.db,
    );
    return rows[0]?.n ?? 0;
  };
  const over = Promise.withResolvers<void>();
  const isLocked = Promise.withResolvers<void>();
  const lock = inTransaction(app.db, async (tx) => {
    await sql`LOCK TABLE packing_state IN ACCESS EXCLUSIVE MODE`.execute(tx);
    isLocked.resolve();
    await over.promise;
  });
  await isLocked.promise;
  try {
    await act(waiting);
  } finally {
    over.resolve();
    await lock;
  }
}

test('an organization has two replays at a time; closing the connection frees the slot', async () => {
  const gone = new AbortController();
  const ask = (signal: AbortSignal) =>
    fetch(app.url + pathOf(monitor), {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: app.alice.cookie() },
      body: '{"policy":{}}',
      signal,
    }).catch(() => null);
  const asked: Promise<unknown>[] = [];
  await heldUp(async (waiting) => {
    for (let i = 0; i < REPLAYS_AT_A_TIME; i++) asked.push(ask(gone.signal));
    await until(async () => (await waiting()) === REPLAYS_AT_A_TIME, 'both have begun');
    const third = await asks({ policy: {} });
    assertRefused(third, { status: 429, error: 'rate_limited' });
    assert.ok(Number(third.headers.get('retry-after')) >= 1);
    gone.abort();
    await Promise.all(asked);
  });
  await until(async () => (await asks({ policy: {} })).status === 200, 'there is a slot again');
});

test('the work ends with the connection', async () => {
  const socket = Object.assign(new EventEmitter(), { destroyed: false });
  const call = {
    ...{ db: app.db, params: { monitor_id: monitor.id }, body: { policy: {} }, within: null },
    ...{ resource: { orgId: app.home.orgId }, request: { raw: { socket } }, now: app.clock.now() },
  } as unknown as Call<typeof replayPolicy>;
  const slots = makeSlots();
  let asked: Promise<unknown> = Promise.resolve();
  await heldUp(async (waiting) => {
    asked = replay(call, slots, REPLAY_LIMITS).catch((error: unknown) => error);
    await until(async () => (await waiting()) === 1, 'it has begun');
    socket.emit('close');
  });
  const error = await asked;
  assert.ok(error instanceof Refusal && error.code === 'unavailable', String(error));
  assert.equal(socket.listenerCount('close'), 0);
});
