// Whether an address is this machine's own, in any notation.
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/** The IPv4 address inside an IPv6 one, or the address itself. */
export const plainAddress = (address: string): string => ipaddr.process(address).toString();

/** `address` is plain. */
export function isOfThisMachine(address: string): boolean {
  const range = ipaddr.parse(address).range();
  if (range === 'loopback' || range === 'unspecified') return true;
  return Object.values(networkInterfaces()).some((all) =>
    all?.some((own) => plainAddress(own.address) === address),
  );
}
