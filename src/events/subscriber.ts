// One open live stream: what is written to it, what waits for a reader who does not read, and how it ends.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Within } from '../platform/http/caller.ts';
import type { Holder } from './credentials.ts';

export type Subscriber = Holder & {
  within: Within;
  response: ServerResponse;
  /** Number of the last event it was told of. */
  lastSeq: number;
  /** How many looks in a row found something waiting for it. */
  looksBehind: number;
};

/** What waits here for one reader. Further behind than this they may come back and resume. */
const MOST_WAITING_BYTES = 1024 * 1024;
/** What waits for all readers of this process together; whoever is furthest behind goes first. */
const MOST_WAITING_IN_SUM_BYTES = 64 * 1024 * 1024;
/** Somebody who was behind at so many looks in a row (one every 4 s) is not reading. */
const MOST_LOOKS_BEHIND = 4;
const READ_ON_WITHIN_MS = 250;
/** A stream that ended well and is not read to its end is cut off after this. */
const LEAVE_WITHIN_MS = 500;

/** Of these, who does not read: too much waits for them, or something has been waiting for too long. */
export function whoLags(subscribers: readonly Subscriber[]): Set<Subscriber> {
  const behind = subscribers
    .map((subscriber) => ({ subscriber, waiting: subscriber.response.writableLength }))
    .filter(({ waiting }) => waiting > 0)
    .sort((a, b) => b.waiting - a.waiting);
  let sum = behind.reduce((total, { waiting }) => total + waiting, 0);
  const lagging = new Set<Subscriber>();
  for (const { subscriber, waiting } of behind) {
    const tooMuch = waiting > MOST_WAITING_BYTES || sum > MOST_WAITING_IN_SUM_BYTES;
    if (!tooMuch && subscriber.looksBehind < MOST_LOOKS_BEHIND) continue;
    lagging.add(subscriber);
    sum -= waiting;
  }
  return lagging;
}

/** Notes whether something waits for it; to be called at each look. */
export function noteLag(subscriber: Subscriber): void {
  subscriber.looksBehind = subscriber.response.writableLength > 0 ? subscriber.looksBehind + 1 : 0;
}

/** Waits until whoever is behind has read on, or a moment is over. */
export async function whileTheyRead(subscribers: Iterable<Subscriber>): Promise<void> {
  const signal = AbortSignal.timeout(READ_ON_WITHIN_MS);
  const behind = [...subscribers].filter(({ response }) => response.writableNeedDrain);
  await Promise.allSettled(behind.map(({ response }) => once(response, 'drain', { signal })));
}

/** Ends a stream that nobody writes to any more: in order where everything was read, at once where it was not. */
export function endStream({ response }: Subscriber): void {
  if (response.destroyed) return;
  if (response.writableLength > 0) return void response.destroy();
  response.end();
  setTimeout(() => response.destroy(), LEAVE_WITHIN_MS).unref();
}
