import { X509Certificate } from 'node:crypto';
import tls, { type TLSSocket } from 'node:tls';
import { certificateFailure, chainOf, subject } from './certificate.ts';
import type { OutboundFailure } from './failures.ts';

export type Link = {
  /** "certificate", or "intermediate certificate" with its name. */
  what: string;
  /** Unix milliseconds. */
  startsAtMs: number;
  endsAtMs: number;
};

/**
 * The certificates that a client depends on, the peer's own first, up to the first one that a locally trusted root has issued.
 * Further certificates of the peer (an expired cross-signed root, for example) do not matter.
 */
export function dependedOn(socket: TLSSocket): Link[] {
  const links: Link[] = [];
  for (const certificate of chainOf(socket)) {
    links.push({
      what: links.length === 0 ? 'certificate' : `intermediate certificate "${subject(certificate)}"`,
      startsAtMs: Date.parse(certificate.valid_from),
      endsAtMs: Date.parse(certificate.valid_to),
    });
    if (isIssuedByTrusted(new X509Certificate(certificate.raw))) break;
  }
  return links;
}

/** Why the chain is not trusted here, whatever the name; undefined if it is. */
export function chainFailure(
  socket: TLSSocket,
  host: string,
  nowMs?: () => number,
): OutboundFailure | undefined {
  const code = String(socket.authorizationError ?? '');
  return code === '' || code === NOT_ITS_NAME ? undefined : certificateFailure(socket, host, { code, nowMs });
}

/** Why the certificate is not for this name, whatever the chain; undefined if it is. */
export function nameFailure(socket: TLSSocket, host: string): OutboundFailure | undefined {
  const wrong = tls.checkServerIdentity(host, socket.getPeerCertificate());
  return wrong === undefined ? undefined : certificateFailure(socket, host, { code: NOT_ITS_NAME });
}

const NOT_ITS_NAME = 'ERR_TLS_CERT_ALTNAME_INVALID';

let roots: Map<string, X509Certificate[]> | undefined;

function isIssuedByTrusted(certificate: X509Certificate): boolean {
  roots ??= Map.groupBy(
    tls.getCACertificates('default').map((pem) => new X509Certificate(pem)),
    (root) => root.subject,
  );
  const named = roots.get(certificate.issuer) ?? [];
  return named.some((root) => certificate.checkIssued(root) && certificate.verify(root.publicKey));
}
