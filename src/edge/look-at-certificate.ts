// What a visitor of a domain would be shown: the certificate that an edge has for it, which the edge orders by being asked.
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

/** Shakes hands with an edge as a visitor of the name does; `now` is when the certificate has to be valid. */
export async function lookAtCertificate(
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
      // Who has issued it is the operator's choice (EDGE_CA); whom it is for is checked below.
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
