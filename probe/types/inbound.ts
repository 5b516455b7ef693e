import type { Socket } from 'node:net';
import { type MonotonicMs, onDeadline } from '#src/platform/outbound/deadline.ts';
import { cancelledByCaller, type OutboundFailure } from '#src/platform/outbound/failures.ts';
import { cut } from '#src/platform/outbound/handshake.ts';
import {
  answerFailure,
  answerTimeout,
  answerTooLarge,
  connectionClosed,
  MAX_PIECES,
  tooManyPieces,
} from './answer-failures.ts';
import type { RunningCheck } from './run-check.ts';

/** The deadline and the cancellation of a wait. */
export type Bounds = Pick<RunningCheck, 'deadlineAtMs' | 'signal'>;

export type Inbound = {
  /**
   * Waits until `take` finds a value at the beginning of the unread bytes, and then consumes `used` bytes. Throws
   * OutboundFailure (`answer_timeout`, `connection_closed`, `connection_reset`, `answer_too_large`, `aborted`), or the error
   * that `take` throws.
   */
  until<T>(take: (unread: Buffer) => { value: T; used: number } | undefined, byMs?: MonotonicMs): Promise<T>;
  /** The bytes received and not consumed. */
  unread(): Buffer;
  /** Stops listening and leaves the socket as it was. */
  release(): void;
};

type Taker = { tryTake: () => boolean; fail: (failure: unknown) => void };

/**
 * Reads from a socket within the check's deadline, at most `maxBytes` and `MAX_PIECES`; a socket that sends more is
 * destroyed. A piece is one arriving segment, or one consumed value (a line). One reader at a time. `where` names the target in
 * failures.
 */
export function inbound(socket: Socket, where: string, maxBytes: number, bounds: Bounds): Inbound {
  let unread: Buffer = Buffer.alloc(0);
  let received = 0;
  let pieces = 0;
  let ended: OutboundFailure | undefined = endOf(socket, where);
  let waiting: Taker | undefined;

  const end = (failure: OutboundFailure) => {
    ended ??= failure;
    waiting?.fail(ended);
  };
  const exceed = (failure: OutboundFailure) => {
    end(failure);
    cut(socket);
  };
  const onData = (chunk: Buffer) => {
    if (ended) return;
    received += chunk.length;
    pieces += 1;
    unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk]);
    waiting?.tryTake();
    if (received > maxBytes) exceed(answerTooLarge(where, maxBytes));
    else if (pieces > MAX_PIECES) exceed(tooManyPieces(where, MAX_PIECES));
  };
  const onEnd = () => end(connectionClosed(where));
  const onError = (error: Error) => end(answerFailure(error, where));
  socket.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onError);

  return {
    until(take, byMs = bounds.deadlineAtMs) {
      return new Promise((resolve, reject) => {
        const settle = (done: () => void) => {
          waiting = undefined;
          stopWaiting();
          done();
        };
        const taker: Taker = {
          tryTake() {
            try {
              const found = take(unread);
              if (found === undefined) return false;
              unread = unread.subarray(found.used);
              settle(() => resolve(found.value));
            } catch (error) {
              taker.fail(error);
            }
            return true;
          },
          fail: (failure) => settle(() => reject(failure)),
        };
        const stopWaiting = onDeadline(byMs, bounds.signal, (aborted) =>
          taker.fail(aborted ? cancelledByCaller() : answerTimeout(where)),
        );
        waiting = taker;
        pieces += 1;
        if (pieces > MAX_PIECES) exceed(tooManyPieces(where, MAX_PIECES));
        else if (!taker.tryTake() && ended) taker.fail(ended);
      });
    },
    unread: () => unread,
    release() {
      socket.pause();
      socket.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onError);
    },
  };
}

/** The failure of a socket that has already closed, since it emits no further event. */
function endOf(socket: Socket, where: string): OutboundFailure | undefined {
  if (socket.errored) return answerFailure(socket.errored, where);
  return socket.destroyed || socket.readableEnded ? connectionClosed(where) : undefined;
}
