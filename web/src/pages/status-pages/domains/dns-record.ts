// The CNAME record of a custom domain, as the form of a DNS provider wants it.
import { parse } from 'tldts';

/** Providers whose forms are known; `other`: any other one. */
export const DNS_PROVIDERS = [
  ...(['other', 'cloudflare', 'route53', 'godaddy', 'namecheap'] as const),
  ...(['hetzner', 'ionos', 'squarespace'] as const),
] as const;
export type DnsProvider = (typeof DNS_PROVIDERS)[number];

/** Takes a value without a dot at the end for a name within the zone, and appends the zone to it. */
const WANTS_DOT: readonly DnsProvider[] = ['hetzner'];

export type DnsRecord = {
  /** The name within its zone; `@` where it is the zone itself. */
  name: string;
  fullName: string;
  value: string;
};

/** The zone that a name is usually managed in: what can be registered. null: it has none. */
export const zoneOf = (domain: string): string | null => parse(domain, { allowPrivateDomains: true }).domain;

/** Whether a name is a zone itself, where DNS allows no CNAME record (RFC 1034, section 3.6.2). */
export function isApex(typed: string): boolean {
  const name = typed.trim().toLowerCase().replace(/\.$/, '');
  return name !== '' && zoneOf(name) === name;
}

/** What to enter at a provider. */
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

/** The provider that a remembered word names. */
export const readProvider = (word: string | null): DnsProvider =>
  DNS_PROVIDERS.find((each) => each === word) ?? 'other';
