import net from 'node:net';
import { type MonotonicMs, onDeadline } from './deadline.ts';
import {
  cancelledByCaller,
  connectFailure,
  connectTimeout,
  endpoint,
  type OutboundFailure,
} from './failures.ts';
import type { Address } from './resolve.ts';

/** RFC 8305, section 5: the next address is tried in parallel if this one has not answered by then. */
const NEXT_ADDRESS_MS = 250;
const MAX_ADDRESSES = 8;

/** Picks the most informative of several failed attempts. */
const BY_INFORMATIVENESS = ['connect_refused', 'connect_reset', 'connect_timeout', 'connect_unreachable'];

/**
 * A TCP connection to the first address that accepts it; the next address is tried when earlier ones fail or are slow.
 * The addresses must have been vetted. Throws OutboundFailure (`connect_*`).
 */
export function dial(
  addresses: readonly Address[],
  port: number,
  deadlineAtMs: MonotonicMs,
  signal: AbortSignal | undefined,
): Promise<{ socket: net.Socket; address: string }> {
  return new Promise((resolve, reject) => {
    const queue = addresses.slice(0, MAX_ADDRESSES);
    const open = new Set<net.Socket>();
    const failures: OutboundFailure[] = [];
    let next = 0;
    let stagger: NodeJS.Timeout | undefined;

    const finish = () => {
      release();
      clearTimeout(stagger);
      for (const socket of open) socket.on('error', () => undefined).destroy();
    };
    const release = onDeadline(deadlineAtMs, signal, (aborted) => {
      finish();
      reject(aborted ? cancelledByCaller() : connectTimeout(endpoint(queue[0]?.address ?? '', port)));
    });

    const tryNext = () => {
      clearTimeout(stagger);
      const target = queue[next];
      if (target === undefined) return;
      next += 1;
      const socket = net.connect({ host: target.address, port, noDelay: true });
      open.add(socket);
      socket.once('connect', () => {
        open.delete(socket);
        finish();
        socket.removeAllListeners('error');
        // The next owner may not listen for errors yet, or no longer; an error must not end the process then.
        socket.on('error', () => undefined);
        resolve({ socket, address: target.address });
      });
      socket.once('error', (error) => {
        open.delete(socket);
        failures.push(connectFailure(error, target.address, port));
        if (next < queue.length) return tryNext();
        if (open.size > 0) return;
        finish();
        reject(mostInformative(failures));
      });
      if (next < queue.length) stagger = setTimeout(tryNext, NEXT_ADDRESS_MS);
    };
    tryNext();
  });
}

function mostInformative(failures: readonly OutboundFailure[]): OutboundFailure | undefined {
  const rank = (failure: OutboundFailure) => {
    const index = BY_INFORMATIVENESS.indexOf(failure.failureClass);
    return index === -1 ? BY_INFORMATIVENESS.length : index;
  };
  return failures.toSorted((a, b) => rank(a) - rank(b))[0];
}
