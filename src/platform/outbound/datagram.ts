import { createSocket } from 'node:dgram';
import { type MonotonicMs, onDeadline } from './deadline.ts';
import { cancelledByCaller, codeOf, connectFailure, endpoint, OutboundFailure } from './failures.ts';
import type { Address } from './resolve.ts';

export type DatagramExchange<T> = {
  /** Vetted ones; the next one is tried if one refuses or cannot be reached, never because one is silent. */
  addresses: readonly Address[];
  port: number;
  payload: Uint8Array;
  /** Receives every datagram from there; returns the result that ends the exchange, or undefined to go on listening. */
  take: (datagram: Buffer) => T | undefined;
  /** Sent once more at this pace until the end; absent: sent once. */
  againEveryMs?: number;
  /** The failure if no answer was accepted by the deadline. */
  onSilence: (where: string) => OutboundFailure;
  deadlineAtMs: MonotonicMs;
  signal?: AbortSignal | undefined;
};

/** The most datagrams before an answer; no honest server sends more. */
const MAX_BYTES = 1024 * 1024;

/**
 * Sends a datagram to a vetted address and listens for the answer, over a connected socket: it ignores datagrams from other
 * senders, and notices an ICMP "port unreachable". Throws OutboundFailure (`connect_refused`, `connect_unreachable`,
 * `answer_too_large`, the failure of `onSilence`, `aborted`), or the error that `take` throws.
 */
export async function exchangeDatagrams<T>(
  options: DatagramExchange<T>,
): Promise<{ value: T; address: string }> {
  let failure: unknown;
  for (const address of options.addresses) {
    try {
      return { value: await exchangeWith(address, options), address: address.address };
    } catch (error) {
      const next =
        error instanceof OutboundFailure &&
        ['connect_refused', 'connect_unreachable'].includes(error.failureClass);
      if (!next) throw error;
      failure ??= error;
    }
  }
  throw failure;
}

function exchangeWith<T>({ address, family }: Address, options: DatagramExchange<T>): Promise<T> {
  const { port, payload, take, againEveryMs, deadlineAtMs, signal } = options;
  return new Promise((resolve, reject) => {
    const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
    let open = true;
    let received = 0;
    let pause: () => void = () => undefined;
    const end = (settle: () => void) => {
      if (!open) return;
      open = false;
      release();
      pause();
      socket.close();
      settle();
    };
    const fail = (error: unknown) => end(() => reject(error));
    const release = onDeadline(deadlineAtMs, signal, (aborted) =>
      fail(aborted ? cancelledByCaller() : options.onSilence(endpoint(address, port))),
    );
    const send = () => {
      if (!open) return;
      socket.send(payload, (error) => error && fail(sendFailure(error, address, port)));
      if (againEveryMs !== undefined) pause = onDeadline(performance.now() + againEveryMs, undefined, send);
    };
    socket.on('error', (error) => fail(sendFailure(error, address, port)));
    socket.on('message', (datagram) => {
      received += datagram.length;
      try {
        const value = take(datagram);
        if (value !== undefined) return end(() => resolve(value));
      } catch (error) {
        return fail(error);
      }
      if (received > MAX_BYTES) fail(tooMuch(endpoint(address, port)));
    });
    socket.once('connect', send);
    socket.connect(port, address);
  });
}

function sendFailure(error: Error, address: string, port: number): OutboundFailure {
  if (codeOf(error) === 'EMSGSIZE')
    return new OutboundFailure('invalid_config', 'probe', 'The payload does not fit into one datagram');
  return connectFailure(error, address, port);
}

function tooMuch(where: string): OutboundFailure {
  return new OutboundFailure(
    'answer_too_large',
    'target_app',
    `${where} sent more than ${MAX_BYTES} bytes without the answer`,
  );
}
