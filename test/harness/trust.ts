// The test authority that this process trusts, for configs without a field for a root. Whom a process trusts is settled with its
// first TLS connection, so all files of a shard share one.
import tls from 'node:tls';
import { type Authority, authority } from './certificates.ts';

let ours: Promise<Authority> | null = null;

/** The authority that this process trusts; the first call must come before its first TLS connection. */
export function trustedAuthority(): Promise<Authority> {
  ours ??= trustOne();
  return ours;
}

async function trustOne(): Promise<Authority> {
  const trusted = await authority('Trusted Test Authority');
  tls.setDefaultCACertificates([...tls.getCACertificates('default'), trusted.cert]);
  return trusted;
}
