// Certificates of a test authority that this process trusts, for configs without a field for a root.
import tls from 'node:tls';
import { type Authority, authority } from './certificates.ts';

/** An authority that this process trusts from now on; call it before the first TLS connection. */
export async function trustedAuthority(): Promise<Authority> {
  const trusted = await authority('Trusted Test Authority');
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), trusted.cert]);
  return trusted;
}
