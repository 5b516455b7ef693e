// A member opens live streams, does not read them, fills them with a storm, and has their keys revoked (once, the next
// event then ended the server).
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { sql } from 'kysely';
import { LIVE_CHANNEL } from '#src/events/publish.ts';
import { STREAMS_EACH, STREAMS_PER_ORGANIZATION } from '#src/events/seats.ts';
import { type Place, startTestApp, type TestApp } from '../harness/app.ts';
import { openEventStream } from '../harness/event-stream.ts';
import { makeKeyHolder } from '../harness/keys.ts';
import { until } from '../harness/until.ts';
import { scaled } from './scale.ts';

const DEAF = 20;
/** More than the kernel buffers for a reader who does not read; the rest waits in the server. */
const EVENT_BYTES = 20_000;
const STORM = scaled(100, 2000);

/** Opens a stream and never reads what comes. */
async function openDeaf(app: TestApp, place: Place, key: string, lastEventId: number): Promise<Socket> {
  const { port, hostname } = new URL(app.url);
  const socket = connect({ port: Number(port), host: hostname });
  socket.on('error', () => undefined);
  socket.write(
    `GET /organizations/${place.orgId}/events HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${key}\r\n` +
      `Last-Event-ID: ${lastEventId}\r\n\r\n`,
  );
  await new Promise<void>((resolve) => socket.once('readable', resolve));
  assert.match(String(socket.read()), /^HTTP\/1.1 200 /);
  return socket.pause();
}

/** Events of a storm of incidents, only larger. */
async function storm(app: TestApp, { orgId }: Place, events: number): Promise<number> {
  const payload = {
    monitor_id: 'mon_x',
    project_id: 'prj_x',
    change: 'updated',
    last_status: 'x'.repeat(EVENT_BYTES),
  };
  const { rows } = await sql<{ seq: number }>`
    WITH counter AS (
      UPDATE organizations SET live_seq = live_seq + ${events} WHERE id = ${orgId} RETURNING live_seq
    ), written AS (
      INSERT INTO live_events (org_id, seq, at, kind, payload)
      SELECT ${orgId}, live_seq - n, ${app.clock.now()}, 'monitor', ${JSON.stringify(payload)}::jsonb
      FROM counter, generate_series(0, ${events - 1}) AS n
    )
    SELECT live_seq AS seq FROM counter`.execute(app.db);
  await sql`SELECT pg_notify(${LIVE_CHANNEL}, ${orgId})`.execute(app.db);
  return Number(rows[0]!.seq);
}

test('unread streams end neither the server nor the streams beside them', async () => {
  await using app = await startTestApp();
  const place = await app.place();
  const keys = await Promise.all(
    Array.from({ length: 2 }, () =>
      makeKeyHolder(app, app.alice, place.orgId, { scopes: ['incidents:read', 'monitors:read'] }),
    ),
  );
  const roles = { [place.orgId]: 'member' as const };
  const readers = await Promise.all(['rita', 'rob', 'ruth'].map((name) => app.person(name, roles)));
  const urlOf = `${app.url}/organizations/${place.orgId}/events`;
  const good = await openEventStream(urlOf, app.alice.cookie());
  const read = (last: number) => good.next((event) => event.id === String(last), 20_000);
  // In parts below the megabyte that may wait for one reader: the good one shares this process, and may be slow.
  let first = 0;
  for (let i = 0; i < 3; i++) {
    first = await storm(app, place, 50);
    await read(first);
  }
  // Each from a different number on, so that some have few events waiting and others many.
  const deaf = await Promise.all(
    Array.from({ length: DEAF }, (_, no) => openDeaf(app, place, keys[no % 2]!.key, first - no * 7)),
  );
  const opened: { stop: () => void }[] = [];
  try {
    let last = first;
    for (let stormed = 0; stormed < STORM; stormed += 50) {
      last = await storm(app, place, 50);
      await read(last);
    }
    for (const { id } of keys) await app.alice.ok('DELETE', `/organizations/${place.orgId}/api-keys/${id}`);
    // Their seats are free again once they are gone.
    await until(
      async () => {
        const reader = readers[Math.floor(opened.length / STREAMS_EACH)]!;
        await openEventStream(urlOf, reader.cookie()).then(
          (stream) => opened.push(stream),
          () => undefined,
        );
        return opened.length === STREAMS_PER_ORGANIZATION - 1;
      },
      'all other seats of the organization',
      15_000,
    );
    last = await storm(app, place, 1);
    await read(last);
    const ids = good.events.map((event) => Number(event.id));
    assert.deepEqual(
      ids,
      Array.from({ length: last }, (_, no) => no + 1),
      'every event, in order',
    );
  } finally {
    for (const stream of [good, ...opened]) stream.stop();
    for (const socket of deaf) socket.destroy();
  }
});
