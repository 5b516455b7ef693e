// An event on its way to the open streams of its organization: who receives it, and its text.
import { sees } from '../platform/http/within.ts';
import type { AlarmFor } from './publish.ts';
import type { Subscriber } from './subscriber.ts';

export type LiveEvent = { seq: number; kind: string; payload: unknown };

/**
 * Reads the events after the last one that every stream of an organization has had, and writes them to the streams; returns how
 * many they are. A stream that is opened meanwhile gets none of them: it may resume from an earlier one, which would be lost.
 */
export async function sendNext(
  own: ReadonlySet<Subscriber>,
  read: (afterSeq: number) => Promise<readonly LiveEvent[]>,
): Promise<number> {
  const waiting = [...own];
  const events = await read(Math.min(...waiting.map(({ lastSeq }) => lastSeq)));
  // Nothing is written to a stream that has ended meanwhile.
  const left = waiting.filter((subscriber) => own.has(subscriber));
  for (const event of events) sendEvent(left, event);
  return events.length;
}

/** Writes an event to those of these streams that have not had it and may receive it. */
function sendEvent(streams: readonly Subscriber[], event: LiveEvent): void {
  const seq = Number(event.seq);
  const { receives, data } = audienceOf(event);
  const text = `id: ${seq}\nevent: ${event.kind}\ndata: ${JSON.stringify(data)}\n\n`;
  for (const subscriber of streams) {
    if (seq <= subscriber.lastSeq) continue;
    subscriber.lastSeq = seq;
    if (receives(subscriber)) subscriber.response.write(text);
  }
}

/**
 * The audience and data of an event. The loud alarm goes only to the people it names, never to a key. Of all other events a
 * narrowed key gets those it may see; maintenance windows are not among them.
 */
function audienceOf({ kind, payload }: LiveEvent): {
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
