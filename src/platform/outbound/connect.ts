import type net from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { MonotonicMs } from './deadline.ts';
import { dial } from './dial.ts';
import { OutboundFailure, ownFailure } from './failures.ts';
import { handshake, type TlsOptions } from './handshake.ts';
import type { IpFamily, Resolver } from './resolve.ts';
import { type NetworkPolicy, resolveVetted } from './vetted.ts';

export type { NetworkPolicy };

export type ConnectOptions = {
  /** A name or an IP literal, without brackets. */
  host: string;
  port: number;
  /** Absent: plain TCP. */
  tls?: TlsOptions | undefined;
  family: IpFamily;
  policy: NetworkPolicy;
  /** Called like `policy.onPrivate`, for this connection alone. */
  onPrivate?: (() => void) | undefined;
  /**
   * The connection carries the mark of a check, or sends nothing: it may therefore reach the addresses of
   * `policy.isOwn`.
   */
  isTame?: boolean | undefined;
  deadlineAtMs: MonotonicMs;
  resolver?: Resolver | undefined;
  signal?: AbortSignal | undefined;
};

export type ConnectTimings = { dns?: number; connect?: number; tls?: number };

export type Connection = {
  socket: net.Socket | TLSSocket;
  /** The same socket if TLS was asked for. */
  secure: TLSSocket | undefined;
  /** The vetted address the socket is connected to. */
  address: string;
  timings: ConnectTimings;
};

/**
 * The only way out (docs/rules/regions-and-probes.md#one-way-out): resolves once, vets every answer, connects only to a vetted
 * address, literals included, and secures the connection. Fills `timings` (milliseconds) phase by phase, also if a later phase
 * fails. Throws only OutboundFailure.
 */
export async function connect(options: ConnectOptions, timings: ConnectTimings = {}): Promise<Connection> {
  const { host, port, deadlineAtMs, signal } = options;
  try {
    if (!Number.isInteger(port) || port < 1 || port > 65535)
      throw new OutboundFailure('invalid_config', 'probe', `${port} is not a port`);
    const addresses = await resolveVetted(options, timings);
    if (addresses.some(({ address }) => options.policy.isOffLimits?.(address, port)))
      throw new OutboundFailure(
        'blocked_target',
        'probe',
        'This is the admin API of the edge of this installation, which only Tocsin itself may use',
      );
    if (!options.isTame && addresses.some(({ address }) => options.policy.isOwn?.(address, port)))
      throw new OutboundFailure(
        'blocked_target',
        'probe',
        'Tocsin itself listens here: use a check of type http, or one of type tcp that sends nothing',
      );

    let startMs = performance.now();
    const { socket, address } = await dial(addresses, port, deadlineAtMs, signal);
    timings.connect = performance.now() - startMs;
    if (options.tls === undefined) return { socket, secure: undefined, address, timings };

    startMs = performance.now();
    const secure = await handshake(
      socket,
      host,
      { ...options.tls, nowMs: options.policy.nowMs },
      deadlineAtMs,
      signal,
    );
    timings.tls = performance.now() - startMs;
    return { socket: secure, secure, address, timings };
  } catch (error) {
    throw error instanceof OutboundFailure ? error : ownFailure(error);
  }
}
