// The block of addresses that a limit per client counts as one client.
import ipaddr from 'ipaddr.js';

/**
 * The block of addresses that one client controls: an IPv4 address, or the /64 of an IPv6 address (a subscriber gets at
 * least that much, and could use a new address of it for every request). An IPv4 address written as IPv6 counts as the
 * IPv4 one; a port that a proxy added is dropped. Text that is not an address stands for itself.
 */
export function clientBlock(address: string): string {
  const bare = withoutPort(address.trim());
  if (!ipaddr.isValid(bare)) return bare;
  const parsed = ipaddr.process(bare);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const [a, b, c, d] = (parsed as ipaddr.IPv6).parts;
  return `${[a, b, c, d].map((part) => part?.toString(16)).join(':')}::/64`;
}

function withoutPort(address: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address;
}
