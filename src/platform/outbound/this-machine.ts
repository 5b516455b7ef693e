// Whether an address is this machine's own, however it is written.
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/** The address itself, where IPv6 carries an IPv4 one. */
export const plainAddress = (address: string): string => ipaddr.process(address).toString();

/** `address` is plain. */
export function isOfThisMachine(address: string): boolean {
  const range = ipaddr.parse(address).range();
  if (range === 'loopback' || range === 'unspecified') return true;
  return Object.values(networkInterfaces()).some((all) =>
    all?.some((own) => plainAddress(own.address) === address),
  );
}
