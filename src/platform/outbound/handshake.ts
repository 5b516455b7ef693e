import { createHash } from 'node:crypto';
import net from 'node:net';
import tls from 'node:tls';
import { certificateFailure, handshakeFailure } from './certificate.ts';
import { type MonotonicMs, onDeadline } from './deadline.ts';
import { cancelledByCaller, codeOf, OutboundFailure, ownFailure } from './failures.ts';

export type TlsOptions = {
  /** false: accepts any certificate (an option of checks, never of webhooks). */
  verify: boolean;
  /** Name to ask for and to verify instead of the host. */
  serverName?: string | null | undefined;
  /** Trusted roots instead of the public ones. */
  caPem?: string | null | undefined;
  clientCertPem?: string | null | undefined;
  clientKeyPem?: string | null | undefined;
  alpn?: string[] | undefined;
  /** The right time (NetworkPolicy). */
  nowMs?: (() => number) | undefined;
};

/** Which TLS session a plain socket belongs to. */
const sessions = new WeakMap<net.Socket, tls.TLSSocket>();

/**
 * Destroys a connection, also one that TLS has meanwhile taken over: such a socket must not be destroyed by itself. When
 * it and its TLS session are destroyed in one turn, in this order, node ends with a segmentation fault (26.10).
 */
export function cut(socket: net.Socket): void {
  (sessions.get(socket) ?? socket).destroy();
}

/** TLS over a connected socket; throws OutboundFailure (`tls_*`). Nothing was sent to a peer that is not accepted. */
export function handshake(
  socket: net.Socket,
  host: string,
  options: TlsOptions,
  deadlineAtMs: MonotonicMs,
  signal: AbortSignal | undefined,
): Promise<tls.TLSSocket> {
  return new Promise((resolve, reject) => {
    // A final dot is part of no server's name (RFC 6066, section 3), and many servers refuse it.
    const name = (options.serverName || host).replace(/\.$/, '');
    let secure: tls.TLSSocket;
    try {
      secure = tls.connect({
        socket,
        host: name,
        // Server names are for names only (RFC 6066, section 3); an address is verified against the IP entries.
        ...(net.isIP(name) === 0 ? { servername: name } : {}),
        secureContext: contextFor(options),
        // Verified below rather than by node, so that the error can name the problem of the certificate.
        rejectUnauthorized: false,
        ...(options.alpn ? { ALPNProtocols: options.alpn } : {}),
      });
      sessions.set(socket, secure);
      // For its whole life: the next owner may not listen for errors yet, or no longer.
      secure.on('error', () => undefined);
    } catch (error) {
      socket.destroy();
      reject(error instanceof OutboundFailure ? error : ownFailure(error));
      return;
    }
    const fail = (failure: OutboundFailure) => {
      release();
      secure.destroy();
      reject(failure);
    };
    const release = onDeadline(deadlineAtMs, signal, (aborted) =>
      fail(
        aborted
          ? cancelledByCaller()
          : new OutboundFailure(
              'tls_timeout',
              'target_tls',
              `The TLS handshake with ${name} took longer than the time limit`,
            ),
      ),
    );
    const onError = (error: Error) => fail(broken(error, name));
    secure.once('error', onError);
    secure.once('secureConnect', () => {
      if (options.verify && !secure.authorized) return fail(certificateFailure(secure, name, options));
      release();
      secure.off('error', onError);
      resolve(secure);
    });
  });
}

function broken(error: Error, host: string): OutboundFailure {
  const failure = handshakeFailure(error, host);
  if (failure) return failure;
  const how = ['ECONNRESET', 'EPIPE'].includes(codeOf(error))
    ? 'closed the connection during the TLS handshake'
    : `broke the TLS handshake (${codeOf(error) || 'unknown error'})`;
  return new OutboundFailure('tls_handshake', 'target_tls', `${host} ${how}`);
}

/** Making a context parses certificates (about a millisecond); checks repeat, so the last ones are kept. */
const contexts = new Map<string, tls.SecureContext>();
const MAX_CONTEXTS = 200;

function contextFor(options: TlsOptions): tls.SecureContext {
  const { caPem, clientCertPem, clientKeyPem } = options;
  const key =
    caPem || clientCertPem || clientKeyPem
      ? createHash('sha256')
          .update(JSON.stringify([caPem, clientCertPem, clientKeyPem]))
          .digest('base64')
      : '';
  const known = contexts.get(key);
  if (known) return known;
  let context: tls.SecureContext;
  try {
    context = tls.createSecureContext({
      ...(caPem ? { ca: caPem } : {}),
      ...(clientCertPem ? { cert: clientCertPem } : {}),
      ...(clientKeyPem ? { key: clientKeyPem } : {}),
    });
  } catch {
    // The reason would quote OpenSSL on the key's text; the name of the faulty field is enough to act on.
    throw new OutboundFailure(
      'invalid_config',
      'probe',
      'tls: ca_pem, client_cert_pem and client_key_pem could not be read as PEM, or the key does not fit the certificate',
    );
  }
  if (contexts.size >= MAX_CONTEXTS) contexts.delete(contexts.keys().next().value as string);
  contexts.set(key, context);
  return context;
}
