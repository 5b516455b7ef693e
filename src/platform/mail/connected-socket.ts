import type { SMTPTransportOptions } from 'nodemailer';
import { connect } from '../outbound/connect.ts';
import type { SmtpServer } from './smtp-url.ts';

/**
 * What the mail library gets its connections from: our one way out. Private addresses are allowed, as the operator
 * named the server; link-local ones (cloud metadata) are not. An upgrade in mid-conversation is the library's.
 */
export function connectedSocket(
  { host, port, secure }: SmtpServer,
  timeoutMs: number,
  signal: AbortSignal,
): NonNullable<SMTPTransportOptions['getSocket']> {
  return (_options, callback) => {
    connect({
      host,
      port,
      ...(secure ? { tls: { verify: true } } : {}),
      family: 'auto',
      policy: { allowPrivate: true },
      deadlineAtMs: performance.now() + timeoutMs,
      signal,
    }).then(
      ({ socket }) => callback(null, { connection: socket, secured: secure }),
      (error: Error) => callback(error),
    );
  };
}
