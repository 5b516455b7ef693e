// The live stream of an organization over Server-Sent Events (docs/rules/errors-and-conventions.md#live-events).
import type { Listener } from '../platform/db/listener.ts';
import type { Call } from '../platform/http/mount.ts';
import { sees } from '../platform/http/within.ts';
import type { Database } from '../platform/work.ts';
import type { streamEvents } from './contract.ts';
import { credentialOf, validHolders } from './credentials.ts';
import { type AlarmFor, LIVE_CHANNEL } from './publish.ts';
import { makeSeats, type Seat } from './seats.ts';
import { makeStreamsElsewhere } from './streams-elsewhere.ts';
import { endStream, noteLag, type Subscriber, whileTheyRead, whoLags } from './subscriber.ts';

/** A resume further back than this gets `event: reset`: the client must reload. */
const RESUME_LIMIT = 1000;
const HEARTBEAT_MS = 4_000;
/** Events per batch: between two batches readers catch up, and lagging ones are detected. */
const BATCH = 100;

/**
 * The audience and data of an event. The loud alarm goes only to the people it names, never to a key. Of all other events a
 * narrowed key gets those it may see; maintenance windows are not among them.
 */
function audienceOf({ kind, payload }: { kind: string; payload: unknown }): {
  receives: (subscriber: Subscriber) => boolean;
  data: unknown;
} {
  if (kind === 'alarm') {
    const { user_ids: userIds, ...data } = payload as AlarmFor;
    return { receives: ({ credential: { kind: by, id } }) => by === 'user' && userIds.includes(id), data };
  }
  const { project_id, monitor_id } = payload as { project_id?: string | null; monitor_id?: string };
  const place = { projectId: project_id ?? null, monitorId: monitor_id ?? '' };
  return { receives: ({ within }) => sees(within, place), data: payload };
}

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
  const pumping = new Map<string, Promise<unknown>>();
  /** Organizations whose events could not be read: the next heartbeat reads them. */
  const unread = new Set<string>();
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

  /** Runs at most one query per organization at a time; a wake-up meanwhile queues another. */
  function wake(orgId: string): void {
    if (!subscribers.has(orgId)) return;
    const running = pumping.get(orgId) ?? Promise.resolve();
    const next = running
      .then(() => pump(orgId))
      .then(
        () => unread.delete(orgId),
        () => unread.add(orgId),
      );
    pumping.set(orgId, next);
    void next.then(() => {
      if (pumping.get(orgId) === next) pumping.delete(orgId);
    });
  }

  async function pump(orgId: string): Promise<void> {
    for (;;) {
      endStreams(whoLags(everybody()));
      const own = subscribers.get(orgId);
      if (!own) return;
      const from = Math.min(...[...own].map((s) => s.lastSeq));
      const events = await db
        .selectFrom('live_events')
        .select(['seq', 'kind', 'payload'])
        .where('org_id', '=', orgId)
        .where('seq', '>', from)
        .orderBy('seq')
        .limit(BATCH)
        .execute();
      for (const event of events) send(own, event);
      if (events.length < BATCH) return;
      await whileTheyRead(own);
    }
  }

  function send(own: Set<Subscriber>, event: { seq: number; kind: string; payload: unknown }): void {
    const seq = Number(event.seq);
    const { receives, data } = audienceOf(event);
    const text = `id: ${seq}\nevent: ${event.kind}\ndata: ${JSON.stringify(data)}\n\n`;
    for (const subscriber of own) {
      if (seq <= subscriber.lastSeq) continue;
      subscriber.lastSeq = seq;
      if (receives(subscriber)) subscriber.response.write(text);
    }
  }

  async function beat(): Promise<void> {
    for (const orgId of unread) if (!subscribers.has(orgId)) unread.delete(orgId);
    if (subscribers.size === 0) return;
    // What was not announced now will be with the next heartbeat.
    void elsewhere.announce(seats.counts()).catch(() => undefined);
    for (const orgId of unread) wake(orgId);
    const all = everybody();
    for (const subscriber of all) noteLag(subscriber);
    endStreams(whoLags(all));
    const asked = everybody();
    const valid = await validHolders(db, asked, clock());
    endStreams(asked.filter((subscriber) => !valid.has(subscriber)));
    for (const subscriber of everybody()) subscriber.response.write(': still here\n\n');
  }

  /** Are all events after `asked` still there? Old ones are dropped with their day. */
  async function canResume(orgId: string, asked: number, newest: number): Promise<boolean> {
    if (asked > newest || newest - asked > RESUME_LIMIT) return false;
    if (asked === newest) return true;
    const next = await db
      .selectFrom('live_events')
      .select('seq')
      .where('org_id', '=', orgId)
      .where('seq', '=', asked + 1)
      .limit(1)
      .executeTakeFirst();
    return next !== undefined;
  }

  /** The event after which a stream starts, and whether the reader missed events that are gone. */
  async function startOf(orgId: string, given: unknown): Promise<{ lastSeq: number; missed: boolean }> {
    const { live_seq } = await db
      .selectFrom('organizations')
      .select('live_seq')
      .where('id', '=', orgId)
      .executeTakeFirstOrThrow();
    const newest = Number(live_seq);
    const asked = typeof given === 'string' && /^[0-9]{1,15}$/.test(given) ? Number(given) : null;
    const resumes = asked !== null && (await canResume(orgId, asked, newest));
    return { lastSeq: resumes ? asked : newest, missed: !resumes && given !== undefined };
  }

  async function open(call: Call<typeof streamEvents>): Promise<unknown> {
    const orgId = call.resource.orgId;
    const credential = credentialOf(call.caller);
    const response = call.reply.raw;
    // Taken before the first await, so that concurrent requests cannot exceed the limit.
    const seat = seats.take(call.tenant ?? { id: orgId, owner: null }, credential);
    response.once('close', () => seats.leave(seat));
    const { lastSeq, missed } = await startOf(orgId, call.request.headers['last-event-id']).catch((error) => {
      seats.leave(seat);
      throw error;
    });

    call.reply.hijack();
    // The client may have hung up meanwhile: its close event is over, and it would stay subscribed for ever.
    if (response.destroyed) {
      seats.leave(seat);
      return call.reply;
    }
    // The connection ends with the stream.
    response.shouldKeepAlive = false;
    response.writeHead(200, {
      ...(call.reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    response.write(`retry: 2000\n${missed ? `event: reset\nid: ${lastSeq}\ndata: {}\n` : ': connected\n'}\n`);

    const subscriber: Subscriber = {
      orgId,
      credential,
      within: call.within,
      response,
      lastSeq,
      looksBehind: 0,
    };
    const own = subscribers.get(orgId) ?? new Set();
    own.add(subscriber);
    subscribers.set(orgId, own);
    seated.set(seat, subscriber);
    response.on('close', () => {
      forget(subscriber);
      seated.delete(seat);
    });
    wake(orgId);
    return call.reply;
  }

  return {
    open,
    stop() {
      clearInterval(heartbeat);
      endStreams(everybody());
    },
  };
}
