// The live stream of an organization over Server-Sent Events (decisions, section 3).
import type { ServerResponse } from 'node:http';
import type { Notifications } from '../platform/db/notifications.ts';
import type { Within } from '../platform/http/caller.ts';
import type { Call } from '../platform/http/mount.ts';
import { sees } from '../platform/http/within.ts';
import { refuse } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';
import type { streamEvents } from './contract.ts';
import { type Credential, credentialOf, type Holder, validHolders } from './credentials.ts';
import { type AlarmFor, LIVE_CHANNEL } from './publish.ts';

type Subscriber = Holder & {
  within: Within;
  response: ServerResponse;
  lastSeq: number;
};

const MAX_STREAMS = 500;
/** Of one person, or of one key. */
const MAX_STREAMS_EACH = 20;
/** A resume further back than this is answered with `event: reset`: reload instead. */
const RESUME_LIMIT = 1000;
const HEARTBEAT_MS = 4_000;
/** What waits here for somebody who does not read. Further behind than this they may come back and resume. */
const MOST_UNSENT_BYTES = 1024 * 1024;

/** Cuts off who does not read; a burst is no fault of the reader's, so it is judged before the next one. */
function cutOffWhoLags(subscribers: Iterable<Subscriber>): void {
  for (const { response } of subscribers) if (response.writableLength > MOST_UNSENT_BYTES) response.destroy();
}

/**
 * Who is told of an event, and what. The loud alarm is for the people it names, and for nobody else: for no key either.
 * Of everything else a narrowed key hears what it may see; a maintenance window lies outside of it.
 */
function audienceOf({ kind, payload }: { kind: string; payload: unknown }): {
  told: (subscriber: Subscriber) => boolean;
  data: unknown;
} {
  if (kind === 'alarm') {
    const { user_ids: userIds, ...data } = payload as AlarmFor;
    return { told: ({ credential: { kind: by, id } }) => by === 'user' && userIds.includes(id), data };
  }
  const { project_id, monitor_id } = payload as { project_id?: string | null; monitor_id?: string };
  const place = { projectId: project_id ?? null, monitorId: monitor_id ?? '' };
  return { told: ({ within }) => sees(within, place), data: payload };
}

export type LiveStreams = {
  open: (call: Call<typeof streamEvents>) => Promise<unknown>;
  stop: () => void;
};

/**
 * Starts the fan-out of this process: one LISTEN, one query per organization and wake-up, whatever number of
 * dashboards is connected. A stream is closed within 5 s when its user is no longer a member, or has signed out, and
 * when its key was revoked or has run out.
 */
export function startLiveStreams(db: Database, notifications: Notifications, clock: () => Date): LiveStreams {
  const subscribers = new Map<string, Set<Subscriber>>();
  const pumping = new Map<string, Promise<void>>();

  notifications.listen(LIVE_CHANNEL, (orgId) => {
    for (const id of orgId === null ? subscribers.keys() : [orgId]) wake(id);
  });
  const heartbeat = setInterval(() => void beat().catch(() => {}), HEARTBEAT_MS);
  heartbeat.unref();

  /** At most one query per organization at a time; a wake-up during it makes another follow. */
  function wake(orgId: string): void {
    if (!subscribers.has(orgId)) return;
    const running = pumping.get(orgId) ?? Promise.resolve();
    const next = running.then(() => pump(orgId)).catch(() => {});
    pumping.set(orgId, next);
    void next.then(() => {
      if (pumping.get(orgId) === next) pumping.delete(orgId);
    });
  }

  async function pump(orgId: string): Promise<void> {
    const own = subscribers.get(orgId);
    if (!own || own.size === 0) return;
    cutOffWhoLags(own);
    const from = Math.min(...[...own].map((s) => s.lastSeq));
    const events = await db
      .selectFrom('live_events')
      .select(['seq', 'kind', 'payload'])
      .where('org_id', '=', orgId)
      .where('seq', '>', from)
      .orderBy('seq')
      .execute();
    for (const event of events) {
      const seq = Number(event.seq);
      const { told, data } = audienceOf(event);
      const text = `id: ${seq}\nevent: ${event.kind}\ndata: ${JSON.stringify(data)}\n\n`;
      for (const subscriber of own) {
        if (seq <= subscriber.lastSeq) continue;
        subscriber.lastSeq = seq;
        if (told(subscriber)) subscriber.response.write(text);
      }
    }
  }

  async function beat(): Promise<void> {
    if (subscribers.size === 0) return;
    const all = [...subscribers.values()].flatMap((own) => [...own]);
    cutOffWhoLags(all);
    const valid = await validHolders(db, all, clock());
    for (const subscriber of all) {
      if (valid.has(subscriber)) subscriber.response.write(': still here\n\n');
      else subscriber.response.end();
    }
  }

  function countOf(credential: Credential): [total: number, ofOne: number] {
    const all = [...subscribers.values()].flatMap((own) => [...own]);
    return [all.length, all.filter((subscriber) => subscriber.credential.id === credential.id).length];
  }

  /** Whether everything after `asked` is still there: old events are dropped with their day. */
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

  async function open(call: Call<typeof streamEvents>): Promise<unknown> {
    const orgId = call.subject.orgId;
    const credential = credentialOf(call.caller);
    const [total, ofOne] = countOf(credential);
    if (total >= MAX_STREAMS || ofOne >= MAX_STREAMS_EACH)
      refuse('rate_limited', 'Too many live streams are open; close one and try again.', {
        retryAfterSeconds: 10,
      });

    const { live_seq } = await db
      .selectFrom('organizations')
      .select('live_seq')
      .where('id', '=', orgId)
      .executeTakeFirstOrThrow();
    const newest = Number(live_seq);
    const given = call.request.headers['last-event-id'];
    const asked = typeof given === 'string' && /^[0-9]{1,15}$/.test(given) ? Number(given) : null;
    const resumes = asked !== null && (await canResume(orgId, asked, newest));

    call.reply.hijack();
    const response = call.reply.raw;
    response.writeHead(200, {
      ...(call.reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    const missed = !resumes && given !== undefined;
    response.write(`retry: 2000\n${missed ? `event: reset\nid: ${newest}\ndata: {}\n` : ': connected\n'}\n`);

    const subscriber: Subscriber = {
      orgId,
      credential,
      within: call.within,
      response,
      lastSeq: resumes ? (asked ?? newest) : newest,
    };
    const own = subscribers.get(orgId) ?? new Set();
    own.add(subscriber);
    subscribers.set(orgId, own);
    response.on('close', () => {
      own.delete(subscriber);
      if (own.size === 0 && subscribers.get(orgId) === own) subscribers.delete(orgId);
    });
    wake(orgId);
    return call.reply;
  }

  return {
    open,
    stop() {
      clearInterval(heartbeat);
      for (const own of subscribers.values()) for (const { response } of own) response.end();
    },
  };
}
