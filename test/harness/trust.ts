// Certificates of a test's own authority, trusted by this process where a config has no field for a root.
import tls from 'node:tls';
import { type Authority, authority } from './certificates.ts';

/** An authority that this process trusts from now on; to be called before its first TLS connection. */
export async function trustedAuthority(): Promise<Authority> {
  const trusted = await authority('Trusted Test Authority');
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), trusted.cert]);
  return trusted;
}
