// The live stream of an organization (docs/rules/errors-and-conventions.md#live-events): in order, resumed without a gap,
// closed to who is out.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { LIVE_CHANNEL } from '#src/events/publish.ts';
import { STREAMS_EACH } from '#src/events/seats.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import {
  checksUntilEnd,
  type EventStream,
  MAX_STREAM_CHECKS,
  openEventStream,
} from '#test/harness/event-stream.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { until } from '#test/harness/until.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

let made = 0;
function create(place: Place): Promise<Monitor> {
  made += 1;
  const body = { name: `Monitor ${made}`, type: 'http', config: { url: 'https://shop.example.com/' } };
  return app.alice.ok('POST', `/projects/${place.projectId}/monitors`, body);
}
async function say(monitor: Monitor, ...statuses: ('up' | 'down')[]): Promise<void> {
  for (const status of statuses) {
    app.clock.advance(1000);
    await app.probe().says(monitor.id, status);
  }
}
const urlOf = ({ orgId }: Place) => `${app.url}/organizations/${orgId}/events`;
/** What was told of one kind; which of two kinds comes first within one commit means nothing. */
const changesOf = ({ events }: EventStream, kind: 'monitor' | 'incident') =>
  events
    .filter(({ event }) => event === kind)
    .map(
      ({ data }) => `${String(data.change)} ${String(kind === 'monitor' ? data.last_status : data.status)}`,
    );

test('changes of monitors and incidents arrive in order, numbered without gaps', async () => {
  const place = await app.place();
  const stream = await openEventStream(urlOf(place), app.alice.cookie());
  try {
    const monitor = await create(place);
    await say(monitor, 'up', 'up', 'down', 'down', 'up', 'up');
    await app.alice.ok('DELETE', `/monitors/${monitor.id}`);
    await stream.next((e) => e.data.change === 'deleted');
    assert.deepEqual(changesOf(stream, 'monitor'), [
      'created null',
      'status passed',
      'status degraded',
      'status failed',
      'status passed',
      'deleted passed',
    ]);
    assert.deepEqual(changesOf(stream, 'incident'), ['opened open', 'resolved closed']);
    assert.deepEqual(
      stream.events.map((e) => e.id),
      // With the loud alarm, which begins and ends for alice: nobody else is on duty.
      ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'],
    );
  } finally {
    stream.stop();
  }
});

test('who asks for heartbeats gets them as events, without a number', async () => {
  const place = await app.place();
  const stream = await openEventStream(`${urlOf(place)}?heartbeats=true`, app.alice.cookie());
  try {
    const { id, data } = await stream.next(({ event }) => event === 'heartbeat');
    assert.deepEqual([id, data], ['', {}]);
  } finally {
    stream.stop();
  }
});

test('a stream resumed with Last-Event-ID has no gaps or repetitions', async () => {
  const place = await app.place();
  const monitor = await create(place);
  await say(monitor, 'up', 'down', 'down');
  const whole = await openEventStream(urlOf(place), app.alice.cookie(), '0');
  const rest = await openEventStream(urlOf(place), app.alice.cookie(), '3');
  try {
    await say(monitor, 'up', 'up');
    await whole.next((e) => e.id === '9');
    await rest.next((e) => e.id === '9');
    assert.deepEqual(
      whole.events.map((e) => e.id),
      ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
    );
    assert.deepEqual(
      rest.events.map((e) => e.id),
      ['4', '5', '6', '7', '8', '9'],
    );
    assert.deepEqual(
      rest.events.map((e) => e.data),
      whole.events.slice(3).map((e) => e.data),
    );
  } finally {
    whole.stop();
    rest.stop();
  }
});

test('resuming from an unknown position asks for a reload', async () => {
  const place = await app.place();
  await create(place);
  for (const id of ['999', '-1', '1.5']) {
    const stream = await openEventStream(urlOf(place), app.alice.cookie(), id);
    assert.equal((await stream.next(() => true)).event, 'reset', id);
    stream.stop();
  }
});

test('resuming over deleted events, or without a number, asks for a reload', async () => {
  const place = await app.place();
  const monitor = await create(place);
  await say(monitor, 'up', 'down', 'down');
  await app.db.deleteFrom('live_events').where('org_id', '=', place.orgId).where('seq', '<', 3).execute();
  for (const lastEventId of ['1', 'abc', '0x10']) {
    const stream = await openEventStream(urlOf(place), app.alice.cookie(), lastEventId);
    try {
      await stream.next((e) => e.event === 'reset');
    } finally {
      stream.stop();
    }
  }
});

test('without Last-Event-ID a stream starts now', async () => {
  const place = await app.place();
  await create(place);
  const stream = await openEventStream(urlOf(place), app.alice.cookie());
  try {
    const monitor = await create(place);
    await stream.next((e) => e.data.monitor_id === monitor.id);
    assert.equal(stream.events.length, 1);
  } finally {
    stream.stop();
  }
});

test('events of one organization do not reach another', async () => {
  const [one, two] = [await app.place(), await app.place()];
  const stream = await openEventStream(urlOf(one), app.alice.cookie());
  try {
    await create(two);
    const mine = await create(one);
    await stream.next(() => true);
    assert.deepEqual(
      stream.events.map((e) => e.data.monitor_id),
      [mine.id],
    );
  } finally {
    stream.stop();
  }
});

test('a change made on one server reaches streams of the other', async () => {
  await using other = await app.another();
  const place = await app.place();
  const path = `${other.url}/organizations/${place.orgId}/events`;
  const stream = await openEventStream(path, app.alice.cookie());
  try {
    const monitor = await create(place);
    assert.equal((await stream.next(() => true)).data.monitor_id, monitor.id);
  } finally {
    stream.stop();
  }
});

test('an event that nobody was woken for is found at the next heartbeat, one every 4 s', async () => {
  const place = await app.place();
  const stream = await openEventStream(urlOf(place), app.alice.cookie());
  try {
    const monitor = await create(place);
    await stream.next((e) => e.data.monitor_id === monitor.id);
    // As left by a server that died right behind its commit.
    await sql`WITH counter AS (UPDATE organizations SET live_seq = live_seq + 1 WHERE id = ${place.orgId} RETURNING live_seq)
      INSERT INTO live_events (org_id, seq, at, kind, payload)
      SELECT org_id, counter.live_seq, at, kind, payload || '{"change": "status"}' FROM counter, live_events
      WHERE org_id = ${place.orgId} AND payload ->> 'monitor_id' = ${monitor.id}`.execute(app.db);
    const found = await stream.next((e) => e.data.change === 'status');
    assert.equal(found.data.monitor_id, monitor.id);
  } finally {
    stream.stop();
  }
});

test('a client that does not read is disconnected before the server buffers too much for it', async () => {
  const place = await app.place();
  const response = await fetch(urlOf(place), { headers: { cookie: app.alice.cookie() } });
  assert.equal(response.status, 200);
  const events = 400;
  const each = 100_000;
  const padded = {
    monitor_id: 'mon_x',
    project_id: 'prj_x',
    change: 'updated',
    last_status: 'x'.repeat(each),
  };
  await sql`
    WITH counter AS (UPDATE organizations SET live_seq = ${events} WHERE id = ${place.orgId})
    INSERT INTO live_events (org_id, seq, at, kind, payload)
    SELECT ${place.orgId}, n, ${app.clock.now()}, 'monitor', ${JSON.stringify(padded)}::jsonb
    FROM generate_series(1, ${events}) AS n`.execute(app.db);
  await sql`SELECT pg_notify(${LIVE_CHANNEL}, ${place.orgId})`.execute(app.db);
  // What follows is told to who reads.
  const other = await openEventStream(urlOf(place), app.alice.cookie());
  try {
    await create(place);
    assert.equal((await other.next(() => true)).id, String(events + 1));
  } finally {
    other.stop();
  }
  let received = 0;
  const reader = response.body!.getReader();
  const read = async () => {
    while (received < events * each) {
      const { value, done } = await reader.read();
      if (done) return;
      received += value.length;
    }
  };
  await read().catch(() => undefined);
  await reader.cancel().catch(() => undefined);
  assert.ok(received < events * each, 'all of it came in all the same');
});

test('a visitor without rights gets no stream', async () => {
  const carol = await app.person('carol');
  const place = await app.place();
  const path = `/organizations/${place.orgId}/events`;
  assertRefused(await carol.send('GET', path), { status: 403, error: 'forbidden' });
  assertRefused(await app.visitor().send('GET', path), { status: 401, error: 'unauthenticated' });
});

test('the stream of a removed member is closed at the next check, one every 4 s', async () => {
  const place = await app.place();
  const bob = await app.person('bob', { [place.orgId]: 'member' });
  const checks = await checksUntilEnd(
    urlOf(place),
    { cookie: bob.cookie() },
    { cookie: app.alice.cookie() },
    () => app.db.deleteFrom('members').where('user_id', '=', bob.userId).execute(),
  );
  assert.ok(checks <= MAX_STREAM_CHECKS, `${checks} checks`);
});

test('the stream of a session that signed out is closed at the next check, one every 4 s', async () => {
  const place = await app.place();
  const dora = await app.person('dora', { [place.orgId]: 'member' });
  const checks = await checksUntilEnd(
    urlOf(place),
    { cookie: dora.cookie() },
    { cookie: app.alice.cookie() },
    () => dora.ok('POST', '/auth/sign-out', {}),
  );
  assert.ok(checks <= MAX_STREAM_CHECKS, `${checks} checks`);
});

test('a person’s streams at one server count at the others, from its next check on', async (t) => {
  const place = await app.place();
  await using second = await app.another();
  const atSecond = `${second.url}/organizations/${place.orgId}/events`;
  for (let i = 0; i < STREAMS_EACH; i++) {
    const stream = await openEventStream(urlOf(place), app.alice.cookie());
    t.after(() => stream.stop());
  }
  await until(async () => {
    const abort = new AbortController();
    const { status } = await fetch(atSecond, {
      headers: { cookie: app.alice.cookie() },
      signal: abort.signal,
    });
    abort.abort();
    return status === 429;
  }, 'the second server refuses one more');
});
