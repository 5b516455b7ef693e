/** The layer at fault, as far as one connection can tell (docs/rules/monitor-types.md#cause-layers). */
export type OutboundLayer =
  | 'probe'
  | 'target_dns'
  | 'target_connect'
  | 'target_tls'
  | 'target_http'
  | 'target_app';

/**
 * Why something outside could not be reached: a stable snake_case class, the layer at fault, and a sentence for people. The
 * sentence names hosts and addresses, never paths, query strings, header values or bodies.
 */
export class OutboundFailure extends Error {
  readonly failureClass: string;
  readonly layer: OutboundLayer;

  constructor(failureClass: string, layer: OutboundLayer, detail: string) {
    super(detail);
    this.name = 'OutboundFailure';
    this.failureClass = failureClass;
    this.layer = layer;
  }
}

/** The code of a node system error ('ECONNREFUSED', 'ERR_SSL_…', 'HPE_…'), or '' if it has none. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

/** Our own side has run out of something: never the target's fault. EADDRNOTAVAIL means no free local port or address. */
const EXHAUSTED = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL', 'EAGAIN']);
export const isExhausted = (error: unknown): boolean => EXHAUSTED.has(codeOf(error));
/** The failure class for that. */
export const PROBE_EXHAUSTED = 'probe_exhausted';
const REFUSED_LOCALLY = new Set(['EPERM', 'EACCES']);
const UNREACHABLE = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETDOWN']);
const RESET = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/** The meaning of a failed TCP connect to `address:port`. */
export function connectFailure(error: unknown, address: string, port: number): OutboundFailure {
  const code = codeOf(error);
  const where = endpoint(address, port);
  if (code === 'ECONNREFUSED')
    return new OutboundFailure('connect_refused', 'target_connect', `${where} refused the connection`);
  if (code === 'ETIMEDOUT') return connectTimeout(where);
  if (RESET.has(code))
    return new OutboundFailure('connect_reset', 'target_connect', `${where} reset the connection`);
  if (UNREACHABLE.has(code))
    return new OutboundFailure(
      'connect_unreachable',
      'target_connect',
      `No route to ${where} (${code}): the network or the host is unreachable from here`,
    );
  return ownFailure(error);
}

/** The deadline passed before a TCP connection was established. */
export function connectTimeout(where: string): OutboundFailure {
  return new OutboundFailure(
    'connect_timeout',
    'target_connect',
    `No connection to ${where} within the time limit`,
  );
}

/** The caller cancelled it (the probe stops, the monitor is gone): no result at all. */
export function cancelledByCaller(): OutboundFailure {
  return new OutboundFailure('aborted', 'probe', 'The check was called off');
}

/** A failure that is not the target's: the probe lacks descriptors, ports or permission, or a bug of ours. */
export function ownFailure(error: unknown): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  const code = codeOf(error);
  if (isExhausted(error))
    return new OutboundFailure(
      PROBE_EXHAUSTED,
      'probe',
      `This machine has no free ${code === 'EMFILE' || code === 'ENFILE' ? 'file descriptor' : 'local port or memory'} for the connection (${code})`,
    );
  if (REFUSED_LOCALLY.has(code))
    return new OutboundFailure('probe_forbidden', 'probe', `This machine forbids the connection (${code})`);
  return new OutboundFailure(
    'probe_error',
    'probe',
    `The connection could not be tried: ${code || 'unexpected error'}`,
  );
}

/** `host:port`, IPv6 in brackets. */
export function endpoint(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
