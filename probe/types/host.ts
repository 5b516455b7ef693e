import { checkHost } from '#src/domain/target.ts';

/** A config's host as it is connected to: lower case, punycode, an IPv6 literal without brackets. */
export function plainHost(host: string): string {
  const checked = checkHost(host, { allowSingleLabel: true });
  return checked.ok ? checked.host : host;
}
