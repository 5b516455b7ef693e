import ipaddr from 'ipaddr.js';

/** Why an address may not be connected to. */
export type NetworkRefusal =
  | 'not_an_address'
  | 'metadata'
  | 'link_local'
  | 'unspecified'
  | 'multicast'
  | 'broadcast'
  | 'reserved'
  | 'loopback'
  | 'private';

/** `isPrivate`: allowed only where private targets are. */
export type NetworkAccess = { allowed: true; isPrivate: boolean } | { allowed: false; why: NetworkRefusal };

/** Addresses of cloud metadata services, including those outside the link-local ranges. */
const METADATA = new Set([
  '169.254.169.254', // AWS, Azure, Google, OpenStack and most others
  '169.254.170.2', // AWS ECS task credentials
  '169.254.169.123', // AWS time, on the same link
  '169.254.0.23', // Tencent
  '100.100.100.200', // Alibaba
  '168.63.129.16', // Azure wire server
  '192.0.0.192', // Oracle classic
  'fd00:ec2::254', // AWS
  'fd00:ec2::23', // AWS EKS pod identity
  'fd20:ce::254', // Google
]);

const WHY: Readonly<Record<string, NetworkRefusal>> = {
  linkLocal: 'link_local',
  unspecified: 'unspecified',
  multicast: 'multicast',
  broadcast: 'broadcast',
  loopback: 'loopback',
  private: 'private',
  carrierGradeNat: 'private',
  uniqueLocal: 'private',
  deprecatedSiteLocal: 'private',
};

/** Ranges that a region with private targets may connect to. */
const OWN_NETWORK: ReadonlySet<NetworkRefusal> = new Set(['loopback', 'private', 'unspecified']);

/**
 * Whether a probe, or a webhook delivery, may connect to an IP literal (docs/rules/regions-and-probes.md#network-policy).
 * Cloud metadata, link-local, multicast, broadcast and reserved addresses are always refused; loopback, private
 * (carrier-grade NAT and unique-local included) and "this host" (0.0.0.0/8, ::) addresses unless `allowPrivate`. An address
 * that carries an IPv4 one (mapped, compatible, NAT64, 6to4, Teredo) is judged by that too. Brackets and zone ids are not
 * accepted: `not_an_address`.
 */
export function networkAccess(ip: string, { allowPrivate }: { allowPrivate: boolean }): NetworkAccess {
  const why = refusalOfText(ip);
  if (why === null) return { allowed: true, isPrivate: false };
  return allowPrivate && OWN_NETWORK.has(why) ? { allowed: true, isPrivate: true } : { allowed: false, why };
}

/** Addresses that were looked at, with their refusals: a probe connects to the same ones again and again. */
const known = new Map<string, NetworkRefusal | null>();
const MAX_KNOWN = 4_096;

/** Why this address needs permission, or is never allowed; null: it needs none. */
function refusalOfText(ip: string): NetworkRefusal | null {
  const before = known.get(ip);
  if (before !== undefined) return before;
  const address = parse(ip);
  if (address === null) return 'not_an_address';
  const why = worst([address, ...carriedBy(address)].map(refusalOf));
  if (known.size === MAX_KNOWN) known.clear();
  known.set(ip, why);
  return why;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** NAT64 for local use (RFC 8215): only the network that uses it knows the position of the IPv4 address in it. */
const LOCAL_NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b:1::/48');

/** Four decimal parts or IPv6: `0177.1` and the like are for URL parsers and must never reach a socket. */
function parse(ip: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(ip)) return ipaddr.IPv4.parse(ip);
  return ipaddr.IPv6.isValid(ip) && !ip.includes('%') ? ipaddr.IPv6.parse(ip) : null;
}

function refusalOf(address: Address): NetworkRefusal | null {
  if (METADATA.has(address.toString())) return 'metadata';
  if (address instanceof ipaddr.IPv6) {
    if (address.match(LOCAL_NAT64)) return 'reserved';
    // A prefix that carries an IPv4 address says nothing; the inner address is judged.
    if (carriedBy(address).length > 0) return null;
    if (address.range() === 'unicast') return address.match(GLOBAL_UNICAST) ? null : 'reserved';
  }
  const range = address.range();
  return range === 'unicast' ? null : (WHY[range] ?? 'reserved');
}

/** The IPv4 addresses that packets to an IPv6 address are forwarded to. */
function carriedBy(address: Address): ipaddr.IPv4[] {
  if (address instanceof ipaddr.IPv4) return [];
  const bytes = address.toByteArray();
  const inner = (at: number, flip = 0) => new ipaddr.IPv4(bytes.slice(at, at + 4).map((byte) => byte ^ flip));
  switch (address.range()) {
    case 'ipv4Mapped':
    case 'rfc6145':
    case 'rfc6052':
      return [inner(12)];
    case '6to4':
      return [inner(2)];
    case 'teredo':
      return [inner(4), inner(12, 0xff)]; // the server, and the client with its bits inverted
  }
  // IPv4-compatible (::a.b.c.d), long deprecated; :: and ::1 are addresses of their own.
  const compatible =
    bytes.slice(0, 12).every((byte) => byte === 0) && bytes.slice(12, 15).some((byte) => byte !== 0);
  return compatible ? [inner(12)] : [];
}

/** One refusal of several: a reason that can be allowed must not hide one that never is. */
function worst(found: readonly (NetworkRefusal | null)[]): NetworkRefusal | null {
  const refusals = found.filter((why) => why !== null);
  return refusals.find((why) => !OWN_NETWORK.has(why)) ?? refusals[0] ?? null;
}
