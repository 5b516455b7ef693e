import { userOf } from '../url-user.ts';

export type SmtpServer = {
  host: string;
  port: number;
  /** TLS from the first byte (smtps:). */
  secure: boolean;
  auth: { user: string; pass: string } | null;
  /** The connection must be upgraded before anything else is sent. */
  requireTLS: boolean;
};

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/i;

/**
 * The parts of SMTP_URL; the ports default to 465 and 587. `smtp:` upgrades to TLS if the server offers it, and requires it if
 * the URL has a password: no password crosses a network in clear.
 */
export function readSmtpUrl(smtpUrl: string): SmtpServer {
  const url = new URL(smtpUrl);
  const secure = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1') || 'localhost';
  const auth = url.username === '' ? null : userOf(url);
  return {
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    auth,
    requireTLS: !secure && auth !== null && !LOOPBACK.test(host),
  };
}
