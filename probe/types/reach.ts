import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type Connection, connect } from '#src/platform/outbound/connect.ts';
import { endpoint } from '#src/platform/outbound/failures.ts';
import { cut, handshake, type TlsOptions } from '#src/platform/outbound/handshake.ts';
import type { IpFamily } from '#src/platform/outbound/resolve.ts';
import { plainHost } from './host.ts';
import type { RunningCheck } from './run-check.ts';

export type Where = { host: string; port: number; ip_family: IpFamily };

/**
 * Connects as the config says, under the region's network policy and within the check's deadline, and judges connection and
 * TLS; `isTame`: the check will send nothing. The end of the check destroys the socket. Throws OutboundFailure.
 */
export async function reach(
  running: RunningCheck,
  where: Where,
  tls?: TlsOptions,
  { isTame = false } = {},
): Promise<Connection> {
  const { port } = where;
  const host = plainHost(where.host);
  const { policy, resolver, deadlineAtMs, signal } = running;
  const connection = await connect(
    { host, port, tls, family: where.ip_family, policy, isTame, resolver, deadlineAtMs, signal },
    running.timings,
  );
  closedAtTheEnd(connection.socket, running);
  running.judge('Connection', {
    expected: 'a connection',
    actual: `to ${endpoint(connection.address, port)}`,
  });
  if (connection.secure) judgeSession(connection.secure, tls, running);
  return connection;
}

/**
 * Starts TLS on a plain connection made by `reach` (STARTTLS). Nothing else may read from the socket. Throws OutboundFailure
 * (`tls_*`).
 */
export async function secured(
  running: RunningCheck,
  socket: Socket,
  host: string,
  tls: TlsOptions,
): Promise<TLSSocket> {
  const startedAtMs = performance.now();
  const { policy, deadlineAtMs, signal } = running;
  const secure = await handshake(
    socket,
    plainHost(host),
    { ...tls, nowMs: policy.nowMs },
    deadlineAtMs,
    signal,
  );
  running.timings.tls = performance.now() - startedAtMs;
  closedAtTheEnd(secure, running);
  judgeSession(secure, tls, running);
  return secure;
}

function closedAtTheEnd(socket: Socket, { signal }: RunningCheck): void {
  // An error between two readers must not end the process; the next reader finds a closed socket.
  socket.on('error', () => undefined);
  if (signal.aborted) cut(socket);
  else signal.addEventListener('abort', () => cut(socket), { once: true });
}

function judgeSession(session: TLSSocket, tls: TlsOptions | undefined, running: RunningCheck): void {
  running.judge('TLS', {
    expected: tls?.verify ? 'a handshake and a valid certificate' : 'a handshake',
    actual: session.getProtocol() ?? 'secured',
  });
}
