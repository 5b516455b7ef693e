// An open live stream: its state, its lag, and its end.
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { ResourceFilter } from '../platform/http/caller.ts';
import type { Holder } from './credentials.ts';

export type Subscriber = Holder & {
  within: ResourceFilter;
  response: ServerResponse;
  /** A browser shows comments to nobody: its heartbeats are events. */
  asksHeartbeats: boolean;
  /** Number of the last event handled for it. */
  lastSeq: number;
  /** Consecutive checks that found unread data. */
  beatsBehind: number;
};

/** Unread bytes of one reader. One further behind is cut off, and may reconnect and resume. */
const MAX_WAITING_BYTES = 1024 * 1024;
/** Unread bytes of all readers of this process; the one furthest behind is cut off first. */
const MAX_TOTAL_WAITING_BYTES = 64 * 1024 * 1024;
/** A reader behind at this many consecutive checks (one every 4 s) is not reading. */
const MAX_CHECKS_BEHIND = 4;
const READ_ON_WITHIN_MS = 250;
/** A stream that ended in order but is not read to its end is cut off after this. */
const LEAVE_WITHIN_MS = 500;

/** The subscribers that lag: too much unread data, or unread data for too long. */
export function laggingSubscribers(subscribers: readonly Subscriber[]): Set<Subscriber> {
  const behind = subscribers
    .map((subscriber) => ({ subscriber, waiting: subscriber.response.writableLength }))
    .filter(({ waiting }) => waiting > 0)
    .sort((a, b) => b.waiting - a.waiting);
  let sum = behind.reduce((total, { waiting }) => total + waiting, 0);
  const lagging = new Set<Subscriber>();
  for (const { subscriber, waiting } of behind) {
    const tooMuch = waiting > MAX_WAITING_BYTES || sum > MAX_TOTAL_WAITING_BYTES;
    if (!tooMuch && subscriber.beatsBehind < MAX_CHECKS_BEHIND) continue;
    lagging.add(subscriber);
    sum -= waiting;
  }
  return lagging;
}

/** Records whether the subscriber is behind; call it at each check. */
export function noteLag(subscriber: Subscriber): void {
  subscriber.beatsBehind = subscriber.response.writableLength > 0 ? subscriber.beatsBehind + 1 : 0;
}

/** Gives slow readers a moment to catch up. */
export async function letReadersCatchUp(subscribers: Iterable<Subscriber>): Promise<void> {
  const signal = AbortSignal.timeout(READ_ON_WITHIN_MS);
  const behind = [...subscribers].filter(({ response }) => response.writableNeedDrain);
  await Promise.allSettled(behind.map(({ response }) => once(response, 'drain', { signal })));
}

/** Ends a stream: in order if everything was read, abruptly otherwise. Nothing may be written to it any more. */
export function endStream({ response }: Subscriber): void {
  if (response.destroyed) return;
  if (response.writableLength > 0) return void response.destroy();
  response.end();
  setTimeout(() => response.destroy(), LEAVE_WITHIN_MS).unref();
}
