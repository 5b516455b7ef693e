import { type Log, reasonOf } from '../probe/log.ts';
import { pause } from '../probe/retry.ts';
import { retryDelayMs } from './backoff.ts';
import type { Buffer } from './buffer.ts';
import type { Clock } from './clock.ts';
import type { Entry, Inventory } from './heartbeat.ts';
import { MAX_HEARTBEATS } from './limits.ts';
import type { Link, Outcome } from './link.ts';
import { postOf } from './post.ts';
import type { Reply } from './reply.ts';

export type SenderOptions = {
  credential: string;
  link: Link;
  buffer: Buffer;
  clock: Clock;
  log: Log;
  onReply: (reply: Reply) => void;
  /** `removed` has changed. */
  onRemovedChange: () => void;
  signal: AbortSignal;
  random?: (() => number) | undefined;
};

export type Sender = {
  /** The server no longer knows the credential: the agent was removed there. */
  readonly removed: boolean;
  /** Accepts a heartbeat. The newest inventory is sent with the last heartbeat of a post. */
  offer(entry: Entry, inventory: Inventory | null): void;
  /** Resolves once nothing is being sent; after an abort all undelivered heartbeats are on disk. */
  settled(): Promise<void>;
};

/** A failed post is not made smaller than this. */
const MIN_AFTER_FAILURE = 20;

/**
 * Delivers heartbeats, oldest first (docs/rules/agents.md#buffering): one at a time while the server answers, and in posts of
 * many after an outage. A heartbeat that the server will never accept is found by halving the post, and dropped, so that it
 * blocks no other.
 */
export function openSender(options: SenderOptions): Sender {
  const {
    credential,
    link,
    buffer,
    clock,
    log,
    onReply,
    onRemovedChange,
    signal,
    random = Math.random,
  } = options;
  let inventory: Inventory | null = null;
  let sending: Promise<void> | undefined;
  let most = MAX_HEARTBEATS;
  let failures = 0;
  let removed = false;
  let logged: string | undefined;

  /** Sends one post; false: not now. */
  async function post(): Promise<boolean> {
    // Until the server's time is known, one alone: its answer gives the others their times.
    const {
      body,
      count,
      lastNo,
      inventory: sent,
    } = postOf(buffer.oldest(), {
      ...{ clock, most: clock.known ? most : 1 },
      ...{ size: buffer.size, inventory },
    });
    // The buffered heartbeats are gone from the disk.
    if (count === 0) return true;
    const outcome = await link.heartbeat(credential, body);
    if (outcome.kind === 'ok') {
      buffer.dropThrough(lastNo);
      if (sent === inventory) inventory = null;
      most = Math.min(MAX_HEARTBEATS, most * 2);
      arrived(outcome);
      return true;
    }
    if (outcome.kind === 'refused') {
      refused(outcome, count, lastNo, sent);
      return true;
    }
    if (outcome.kind === 'unknown') {
      if (!removed)
        log('error', 'The server no longer knows this agent: it was removed there', {
          reason: outcome.message,
          remedy: 'Stop this service; or remove the data folder, and enrol again with a new token',
        });
      removed = true;
      onRemovedChange();
      return false;
    }
    // The server, or the connection to it, may be unable to handle this many in time.
    if (count > 1) most = Math.min(most, Math.max(MIN_AFTER_FAILURE, Math.ceil(count / 2)));
    await later(outcome.retryAfterMs);
    return !signal.aborted;
  }

  function arrived({ value, sentAtMs, receivedAtMs }: Outcome<Reply> & { kind: 'ok' }): void {
    if (value.serverTimeMs !== null) clock.observe(sentAtMs, value.serverTimeMs, receivedAtMs);
    const wasRemoved = removed;
    if (wasRemoved) log('info', 'The server knows this agent again');
    if (value.dropped.length > 0)
      log('warn', 'The server dropped readings that are out of range', { dropped: value.dropped });
    removed = false;
    failures = 0;
    logged = undefined;
    onReply(value);
    if (wasRemoved) onRemovedChange();
  }

  function refused(
    { status, message }: Outcome<Reply> & { kind: 'refused' },
    posted: number,
    lastNo: number,
    sent: Inventory | null,
  ): void {
    if (posted > 1) {
      most = Math.ceil(posted / 2);
      return;
    }
    if (sent !== null) inventory = null;
    else buffer.dropThrough(lastNo);
    log(
      'error',
      `The server refuses ${sent ? 'an inventory' : 'a heartbeat'}, which is dropped: ${message}`,
      {
        status,
      },
    );
  }

  async function later(retryAfterMs: number): Promise<void> {
    buffer.save();
    await pause(retryDelayMs(failures++, retryAfterMs, random()), signal);
  }

  async function sendAll(): Promise<void> {
    while (!signal.aborted && buffer.size > 0) {
      try {
        if (!(await post())) return;
      } catch (error) {
        const reason = reasonOf(error);
        if (reason !== logged)
          log(
            'error',
            'Heartbeats could not be sent: a defect in this agent; they are kept and tried again',
            {
              reason,
            },
          );
        logged = reason;
        await later(0);
      }
    }
  }

  function wake(): void {
    sending = sendAll().finally(() => {
      sending = undefined;
      // It arrived between the last look and now.
      if (buffer.size > 0 && !removed && !signal.aborted) wake();
    });
  }

  return {
    get removed() {
      return removed;
    },
    offer(entry, found) {
      buffer.add(entry);
      inventory = found ?? inventory;
      // Nothing is only in memory while the agent waits for the server, so a kill loses nothing.
      if (sending !== undefined) {
        buffer.save();
        return;
      }
      wake();
    },
    async settled() {
      while (sending !== undefined) await sending;
      if (signal.aborted) buffer.save();
    },
  };
}
