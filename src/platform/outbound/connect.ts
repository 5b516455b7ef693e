import net from 'node:net';
import type { TLSSocket } from 'node:tls';
import { verdict } from '../../domain/network-policy.ts';
import { guard, type MonotonicMs } from './deadline.ts';
import { dial } from './dial.ts';
import { calledOff, OutboundFailure, ownFailure } from './failures.ts';
import { handshake, type TlsOptions } from './handshake.ts';
import { type Address, createResolver, dnsTimeout, type IpFamily, type Resolver } from './resolve.ts';

export type NetworkPolicy = { allowPrivate: boolean };

export type ConnectOptions = {
  /** A name or an IP literal, without brackets. */
  host: string;
  port: number;
  /** Absent: plain TCP. */
  tls?: TlsOptions | undefined;
  family: IpFamily;
  policy: NetworkPolicy;
  deadlineAtMs: MonotonicMs;
  resolver?: Resolver | undefined;
  signal?: AbortSignal | undefined;
};

export type ConnectTimings = { dns?: number; connect?: number; tls?: number };

export type Connection = {
  socket: net.Socket | TLSSocket;
  /** The same socket where TLS was asked for. */
  secure: TLSSocket | undefined;
  /** The vetted address the socket is connected to. */
  address: string;
  timings: ConnectTimings;
};

let machineResolver: Resolver | undefined;

/**
 * The one way out (reliability, section 1, rule 7): resolves once, vets every answer, connects to an address that was
 * vetted, literals included, and secures the connection. `timings` (milliseconds) is filled phase by phase, also when
 * a later phase fails. Throws OutboundFailure and nothing else.
 */
export async function connect(options: ConnectOptions, timings: ConnectTimings = {}): Promise<Connection> {
  const { host, port, deadlineAtMs, signal } = options;
  try {
    if (!Number.isInteger(port) || port < 1 || port > 65535)
      throw new OutboundFailure('invalid_config', 'probe', `${port} is not a port`);
    let startMs = performance.now();
    let addresses = literal(host, options.family);
    if (addresses === undefined) {
      addresses = await resolveInTime(options);
      timings.dns = performance.now() - startMs;
    }
    for (const { address } of addresses) vet(host, address, options.policy);

    startMs = performance.now();
    const { socket, address } = await dial(addresses, port, deadlineAtMs, signal);
    timings.connect = performance.now() - startMs;
    if (options.tls === undefined) return { socket, secure: undefined, address, timings };

    startMs = performance.now();
    const secure = await handshake(socket, host, options.tls, deadlineAtMs, signal);
    timings.tls = performance.now() - startMs;
    return { socket: secure, secure, address, timings };
  } catch (error) {
    throw error instanceof OutboundFailure ? error : ownFailure(error);
  }
}

function literal(host: string, family: IpFamily): Address[] | undefined {
  const kind = net.isIP(host);
  if (kind === 0) return undefined;
  if (family !== 'auto' && family !== String(kind))
    throw new OutboundFailure('invalid_config', 'probe', `${host} is not an IPv${family} address`);
  return [{ address: host, family: kind as 4 | 6 }];
}

function vet(host: string, address: string, policy: NetworkPolicy): void {
  const judged = verdict(address, policy);
  if (judged.allowed) return;
  const what = host === address ? host : `${host}, which resolves to ${address},`;
  throw new OutboundFailure(
    'blocked_target',
    'probe',
    `The network policy of this region does not allow connecting to ${what} (${judged.why})`,
  );
}

function resolveInTime(options: ConnectOptions): Promise<Address[]> {
  const { host, family, deadlineAtMs, signal } = options;
  machineResolver ??= createResolver();
  const answer = (options.resolver ?? machineResolver)(host, family);
  return new Promise((resolve, reject) => {
    const release = guard(deadlineAtMs, signal, (aborted) =>
      reject(aborted ? calledOff() : dnsTimeout(host)),
    );
    answer.finally(release).then(resolve, reject);
  });
}
