// The addresses on which this probe's server listens, if no proxy is in between.
import { isOfThisMachine, plainAddress } from '#src/platform/outbound/this-machine.ts';

export type OwnServer = {
  /** Whether this address and port are the server's own. */
  isOwn: (address: string, port: number) => boolean;
  /** Records that the link reached the server at this address. */
  met: (address: string) => void;
};

/** Over https there is a proxy in front, which may serve other sites too: then no address is the server's own. */
export function ownServer(url: string): OwnServer {
  const { protocol, port } = new URL(url);
  const ownPort = protocol === 'http:' ? Number(port || 80) : null;
  let met: string | null = null;
  return {
    isOwn(address, to) {
      if (to !== ownPort || met === null) return false;
      const plain = plainAddress(address);
      return plain === met || (isOfThisMachine(met) && isOfThisMachine(plain));
    },
    met(address) {
      met = plainAddress(address);
    },
  };
}
