// Addresses with control over others' data, such as the admin API of an edge, which needs no password. They may be in a network
// that checks and webhooks may reach.
import { isIP } from 'node:net';
import { networkAccess } from '#src/domain/network-policy.ts';
import { isOfThisMachine, plainAddress } from './this-machine.ts';

/**
 * Whether an address and port are one of these URLs'. If a URL has a name, all private addresses count at its port, because the
 * name may resolve to another one later.
 */
export function offLimits(urls: readonly string[]): (address: string, port: number) => boolean {
  const ruled = urls.map((url) => {
    const { protocol, hostname, port } = new URL(url);
    const host = hostname.replace(/^\[|\]$/g, '');
    return { port: Number(port || (protocol === 'https:' ? 443 : 80)), host };
  });
  return (address, port) => {
    const plain = plainAddress(address);
    return ruled.some((each) => each.port === port && isAt(plain, each.host));
  };
}

function isAt(address: string, host: string): boolean {
  if (isIP(host) === 0 && host !== 'localhost')
    return !networkAccess(address, { allowPrivate: false }).allowed;
  const own = host === 'localhost' ? '127.0.0.1' : plainAddress(host);
  return address === own || (isOfThisMachine(own) && isOfThisMachine(address));
}
