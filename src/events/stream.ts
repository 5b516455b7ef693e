// The live stream of an organization over Server-Sent Events (docs/rules/errors-and-conventions.md#live-events).
import type { FastifyReply } from 'fastify';
import { sql } from 'kysely';
import type { Listener } from '../platform/db/listener.ts';
import { pgArray } from '../platform/db/pg-array.ts';
import type { Call } from '../platform/http/route.ts';
import type { Database } from '../platform/work.ts';
import type { streamEvents } from './contract.ts';
import { credentialOf, validHolders } from './credentials.ts';
import { LIVE_CHANNEL } from './publish.ts';
import { startOf } from './resume.ts';
import { makeSeats, refuseFull, type Seat } from './seats.ts';
import { sendNext } from './send-event.ts';
import { makeStreamsElsewhere } from './streams-elsewhere.ts';
import { endStream, laggingSubscribers, letReadersCatchUp, noteLag, type Subscriber } from './subscriber.ts';
import { makeWakeUps } from './wake-ups.ts';

const HEARTBEAT_MS = 4_000;
/** Events per batch: between two batches readers catch up, and lagging ones are detected. */
const BATCH = 100;

export type LiveStreams = {
  open: (call: Call<typeof streamEvents>) => Promise<unknown>;
  stop: () => void;
};

/**
 * Starts the fan-out of this process: one LISTEN, and one query per organization and wake-up for any number of dashboards,
 * `most` at a time. A stream is closed within 5 s after its user left or signed out, or its key was revoked or expired. A
 * client that does not read is cut off, and may reconnect.
 */
export function startLiveStreams(
  db: Database,
  listener: Listener,
  clock: () => Date,
  most: number,
): LiveStreams {
  const subscribers = new Map<string, Set<Subscriber>>();
  const seated = new Map<Seat, Subscriber>();
  const wakeUps = makeWakeUps(pump);
  const elsewhere = makeStreamsElsewhere(db, listener);
  const giveUp = (seat: Seat) => {
    const subscriber = seated.get(seat);
    if (subscriber) endStreams([subscriber]);
  };
  const seats = makeSeats(most, giveUp, elsewhere.count);

  listener.listen(LIVE_CHANNEL, (orgId) => {
    for (const id of orgId === null ? subscribers.keys() : [orgId]) wake(id);
  });
  const heartbeat = setInterval(() => void beat().catch(() => {}), HEARTBEAT_MS);
  heartbeat.unref();

  /** Removes subscribers before ending their streams, so that nothing is written to an ended stream. */
  function endStreams(leaving: Iterable<Subscriber>): void {
    for (const subscriber of leaving) {
      forget(subscriber);
      endStream(subscriber);
    }
  }

  function forget(subscriber: Subscriber): void {
    const own = subscribers.get(subscriber.orgId);
    own?.delete(subscriber);
    if (own?.size === 0) subscribers.delete(subscriber.orgId);
  }

  const everybody = () => [...subscribers.values()].flatMap((own) => [...own]);

  function wake(orgId: string): void {
    if (subscribers.has(orgId)) wakeUps.wake(orgId);
  }

  /** Reads an organization's new events and writes them to its streams, until there are none. */
  async function pump(orgId: string): Promise<void> {
    for (;;) {
      endStreams(laggingSubscribers(everybody()));
      const own = subscribers.get(orgId);
      if (!own) return;
      const sent = await sendNext(own, (afterSeq) => eventsAfter(db, orgId, afterSeq));
      if (sent < BATCH) return;
      await letReadersCatchUp(own);
    }
  }

  /** Ends the streams that lag or whose credential is no longer valid, and keeps the others alive. */
  async function beat(): Promise<void> {
    wakeUps.retryFailed((orgId) => subscribers.has(orgId));
    if (subscribers.size === 0) return;
    // If this fails, the next heartbeat announces the counts.
    void elsewhere.announce(seats.counts()).catch(() => undefined);
    const all = everybody();
    for (const subscriber of all) noteLag(subscriber);
    endStreams(laggingSubscribers(all));
    const asked = everybody();
    const valid = await validHolders(db, asked, clock());
    endStreams(asked.filter((subscriber) => !valid.has(subscriber)));
    for (const { response, asksHeartbeats } of everybody())
      response.write(asksHeartbeats ? 'event: heartbeat\ndata: {}\n\n' : ': still here\n\n');
    // A server that died right behind a commit woke nobody.
    for (const orgId of await behind(db, everybody())) wake(orgId);
  }

  async function open(call: Call<typeof streamEvents>): Promise<unknown> {
    const orgId = call.resource.orgId;
    const credential = credentialOf(call.caller);
    const response = call.reply.raw;
    // Taken before the first await, so that concurrent requests cannot exceed the limit.
    const seat = seats.take(call.tenant ?? { id: orgId, owner: null }, credential);
    response.once('close', () => seats.leave(seat));
    const { lastSeq, missed } = await startOf(db, orgId, call.request.headers['last-event-id']).catch(
      (error) => {
        seats.leave(seat);
        throw error;
      },
    );
    // Somebody with fewer streams got the seat meanwhile. Who hung up has left it, too, and hears nothing.
    if (!response.destroyed && !seats.has(seat)) refuseFull();

    call.reply.hijack();
    // The client may have hung up meanwhile: its close event is over, and it would stay subscribed for ever.
    if (response.destroyed) {
      seats.leave(seat);
      return call.reply;
    }
    begin(call.reply, missed ? lastSeq : null);
    const asksHeartbeats = call.query.heartbeats === 'true';
    subscribe(
      { orgId, credential, within: call.within, response, asksHeartbeats, lastSeq, beatsBehind: 0 },
      seat,
    );
    return call.reply;
  }

  function subscribe(subscriber: Subscriber, seat: Seat): void {
    const { orgId, response } = subscriber;
    const own = subscribers.get(orgId) ?? new Set();
    own.add(subscriber);
    subscribers.set(orgId, own);
    seated.set(seat, subscriber);
    response.on('close', () => {
      forget(subscriber);
      seated.delete(seat);
    });
    wake(orgId);
  }

  return {
    open,
    stop() {
      clearInterval(heartbeat);
      endStreams(everybody());
    },
  };
}

/** Writes the head of a stream. `resetAt`: the client missed events, and must reload as of this one. */
function begin(reply: FastifyReply, resetAt: number | null): void {
  const response = reply.raw;
  // The connection ends with the stream.
  response.shouldKeepAlive = false;
  response.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  const first = resetAt === null ? ': connected\n' : `event: reset\nid: ${resetAt}\ndata: {}\n`;
  response.write(`retry: 2000\n${first}\n`);
}

/** Organizations with events that one of these subscribers was not sent. */
async function behind(db: Database, subscribers: readonly Subscriber[]): Promise<string[]> {
  const oldest = new Map<string, number>();
  for (const { orgId, lastSeq } of subscribers)
    oldest.set(orgId, Math.min(lastSeq, oldest.get(orgId) ?? lastSeq));
  const { rows } = await sql<{ id: string }>`
    SELECT o.id FROM unnest(${[...oldest.keys()]}::text[], ${pgArray([...oldest.values()])}::bigint[]) AS s (id, seq)
    JOIN organizations o ON o.id = s.id AND o.live_seq > s.seq`.execute(db);
  return rows.map(({ id }) => id);
}

const eventsAfter = (db: Database, orgId: string, seq: number) =>
  db
    .selectFrom('live_events')
    .select(['seq', 'kind', 'payload'])
    .where('org_id', '=', orgId)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(BATCH)
    .execute();
