// The CNAME record of a custom domain, as a DNS provider's form expects it.
import { parse } from 'tldts';

/** Providers with known forms; `other`: any other one. */
export const DNS_PROVIDERS = [
  ...(['other', 'cloudflare', 'route53', 'godaddy', 'namecheap'] as const),
  ...(['hetzner', 'ionos', 'squarespace'] as const),
] as const;
export type DnsProvider = (typeof DNS_PROVIDERS)[number];

/** Treats a value without a trailing dot as a name within the zone, and appends the zone. */
const WANTS_DOT: readonly DnsProvider[] = ['hetzner'];

export type DnsRecord = {
  /** The name within its zone; `@` for the zone itself. */
  name: string;
  fullName: string;
  value: string;
};

/** The zone that usually contains a name: the registrable domain. null: there is none. */
export const zoneOf = (domain: string): string | null => parse(domain, { allowPrivateDomains: true }).domain;

/** Whether a name is a zone itself, for which DNS allows no CNAME record (RFC 1034, section 3.6.2). */
export function isApex(typed: string): boolean {
  const name = typed.trim().toLowerCase().replace(/\.$/, '');
  return name !== '' && zoneOf(name) === name;
}

/** The values to enter at a provider. */
export function recordAt(
  provider: DnsProvider,
  { domain, cname_target: target }: { domain: string; cname_target: string },
): DnsRecord {
  const zone = zoneOf(domain);
  return {
    name: zone === null ? domain : domain === zone ? '@' : domain.slice(0, -zone.length - 1),
    fullName: domain,
    value: WANTS_DOT.includes(provider) ? `${target}.` : target,
  };
}

/** The stored provider, if it is a known one. */
export const readProvider = (word: string | null): DnsProvider =>
  DNS_PROVIDERS.find((each) => each === word) ?? 'other';
