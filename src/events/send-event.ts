// An event on its way to the open streams of its organization: who receives it, and its text.
import { sees } from '../platform/http/within.ts';
import type { AlarmFor } from './publish.ts';
import type { Subscriber } from './subscriber.ts';

export type LiveEvent = { seq: number; kind: string; payload: unknown };

/** Writes an event to those of an organization's streams that have not had it and may receive it. */
export function sendEvent(own: ReadonlySet<Subscriber>, event: LiveEvent): void {
  const seq = Number(event.seq);
  const { receives, data } = audienceOf(event);
  const text = `id: ${seq}\nevent: ${event.kind}\ndata: ${JSON.stringify(data)}\n\n`;
  for (const subscriber of own) {
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
