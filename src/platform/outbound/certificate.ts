import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import { utcMinute } from '#src/domain/utc.ts';
import { codeOf, OutboundFailure } from './failures.ts';

/** The expiry of the peer's certificate in Unix milliseconds; null if it presented none. */
export function expiresAtMs(socket: TLSSocket): number | null {
  const certificate = socket.getPeerCertificate();
  return certificate.valid_to ? Date.parse(certificate.valid_to) : null;
}

/**
 * Why the peer's certificate was not accepted, in a sentence that names the problem; `code` is OpenSSL's or node's, by default
 * the handshake's. OpenSSL goes by the clock of this machine: if `nowMs` proves that wrong, that is the failure.
 */
export function certificateFailure(
  socket: TLSSocket,
  host: string,
  {
    code = String(socket.authorizationError ?? ''),
    nowMs,
  }: { code?: string; nowMs?: (() => number) | undefined } = {},
): OutboundFailure {
  const chain = chainOf(socket);
  if (nowMs !== undefined && DATES.has(code) && isInForce(chain, nowMs()))
    return new OutboundFailure(
      'probe_error',
      'probe',
      `The clock of this machine is wrong: the certificate of ${host} is in force, and by that clock it is not. Set the clock`,
    );
  const leaf = chain[0];
  switch (code) {
    case 'CERT_HAS_EXPIRED': {
      const ended = chain.toSorted((a, b) => Date.parse(a.valid_to) - Date.parse(b.valid_to))[0];
      const whose = ended && ended !== leaf ? `intermediate certificate "${subject(ended)}"` : 'certificate';
      return fail('tls_expired', `The ${whose} of ${host} expired on ${day(ended?.valid_to)}`);
    }
    case 'CERT_NOT_YET_VALID': {
      const early = chain.toSorted((a, b) => Date.parse(b.valid_from) - Date.parse(a.valid_from))[0];
      return fail(
        'tls_not_yet_valid',
        `The certificate of ${host} is not valid before ${day(early?.valid_from)}`,
      );
    }
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return fail('tls_hostname_mismatch', `The certificate is for ${namesOf(leaf)}, not for ${host}`);
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return fail('tls_self_signed', `The certificate of ${host} is self-signed and not trusted here`);
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return fail(
        'tls_untrusted',
        `The certificate chain of ${host} ends in a root that is not trusted here`,
      );
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return fail(
        'tls_untrusted',
        `The issuer of the certificate of ${host} (${issuer(leaf)}) is not trusted here, or the server does not send the intermediate certificate`,
      );
    default:
      return fail(
        'tls_untrusted',
        `The certificate of ${host} was not accepted (${code || 'unknown reason'})`,
      );
  }
}

const DATES: ReadonlySet<string> = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);

const isInForce = (chain: readonly DetailedPeerCertificate[], atMs: number) =>
  chain.every(({ valid_from, valid_to }) => Date.parse(valid_from) <= atMs && atMs < Date.parse(valid_to));

/** The meaning of an error during or after a TLS handshake; undefined if it is not one of TLS. */
export function handshakeFailure(error: unknown, host: string): OutboundFailure | undefined {
  const code = codeOf(error);
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG')
    return fail('tls_handshake', `${host} did not answer in TLS: is it a plain-text port?`);
  if (code === 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' || code === 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA')
    return fail('tls_client_certificate', `${host} demands a client certificate that it accepts`);
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO')
    return fail('tls_handshake', `The TLS handshake with ${host} failed (${code.replace('ERR_SSL_', '')})`);
  return undefined;
}

const fail = (failureClass: string, detail: string) =>
  new OutboundFailure(failureClass, 'target_tls', detail);

/** The certificates that the peer presented, the leaf first, each followed by its issuer if that is known. */
export function chainOf(socket: TLSSocket): DetailedPeerCertificate[] {
  const chain: DetailedPeerCertificate[] = [];
  let certificate: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true);
  while (certificate?.valid_to && !chain.includes(certificate) && chain.length < 10) {
    chain.push(certificate);
    certificate = certificate.issuerCertificate;
  }
  return chain;
}

/** A name in a certificate is foreign text: one line, printable, short. */
function plain(value: unknown): string {
  const text = String(Array.isArray(value) ? value[0] : (value ?? 'unknown'));
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 80);
}

export const subject = (certificate: DetailedPeerCertificate) => plain(certificate.subject?.CN);
const issuer = (certificate: DetailedPeerCertificate | undefined) =>
  plain(certificate?.issuer?.CN ?? certificate?.issuer?.O);

function namesOf(certificate: DetailedPeerCertificate | undefined): string {
  const names = (certificate?.subjectaltname ?? '')
    .split(', ')
    .map((name) => name.replace(/^(DNS|IP Address):/, ''))
    .filter((name) => name !== '');
  if (names.length === 0) return certificate ? subject(certificate) : 'another name';
  const shown = names.slice(0, 3).map(plain).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

function day(date: string | undefined): string {
  const atMs = Date.parse(date ?? '');
  return Number.isNaN(atMs) ? 'an unknown date' : utcMinute(atMs);
}
