// Reads the certificate that an edge presents for a domain, as a visitor would; the handshake also makes the edge order it.
import { connect } from '#src/platform/outbound/connect.ts';
import { OutboundFailure } from '#src/platform/outbound/failures.ts';

export type CertificateSeen =
  | { status: 'issued' }
  /** `missing`: the edge ended the handshake, since it has none. */
  | { status: 'failed'; kind: 'missing' | 'foreign' | 'expired' }
  /** `late`: it is being ordered. `unreached`: nobody knows. */
  | { status: 'pending'; kind: 'late' | 'unreached'; reason: string };

/** An order takes seconds, or minutes where the authority does not reach the edge; it goes on when nobody waits for it. */
const WITHIN_MS = 30_000;

/** Connects to an edge as a visitor of the name does; the certificate must be valid at `now`. */
export async function readCertificate(
  edge: { host: string; port: number },
  name: string,
  now: Date,
  signal?: AbortSignal,
): Promise<CertificateSeen> {
  try {
    const { socket, secure } = await connect({
      ...edge,
      family: 'auto',
      // The operator has named the edge.
      policy: { allowPrivate: true },
      // The operator chooses the issuer (EDGE_CA); the name is verified below.
      tls: { verify: false, serverName: name, alpn: ['http/1.1'] },
      deadlineAtMs: performance.now() + WITHIN_MS,
      signal,
    });
    const certificate = secure?.getPeerX509Certificate();
    socket.destroy();
    if (certificate?.checkHost(name) === undefined) return { status: 'failed', kind: 'foreign' };
    const isValid = new Date(certificate.validFrom) <= now && now < new Date(certificate.validTo);
    return isValid ? { status: 'issued' } : { status: 'failed', kind: 'expired' };
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error;
    if (error.failureClass === 'tls_handshake') return { status: 'failed', kind: 'missing' };
    const kind = error.failureClass === 'tls_timeout' ? 'late' : 'unreached';
    return { status: 'pending', kind, reason: error.message };
  }
}
