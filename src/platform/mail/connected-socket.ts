import { addAbortSignal } from 'node:stream';
import type { SMTPTransportOptions } from 'nodemailer';
import { connect } from '../outbound/connect.ts';
import type { SmtpServer } from './smtp-url.ts';

/**
 * Gives the mail library its connections, through our one way out. Private addresses are allowed, because the operator
 * chose the server; link-local ones (cloud metadata) are not. The library itself does STARTTLS.
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
      // The library can end a mail by a signal, but not a mere look at the server.
      ({ socket }) => callback(null, { connection: addAbortSignal(signal, socket), secured: secure }),
      (error: Error) => callback(error),
    );
  };
}
