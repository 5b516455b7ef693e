// The name servers of the machine as they are now. The library reads them once: a laptop in another network, or a machine whose
// lease has brought other ones, would ask the old ones until its process is started again.
import dns from 'node:dns';

/** How long the machine's servers are used before they are read again. */
const RECHECK_MS = 5_000;

type QueryLimits = { timeout: number; tries: number };
type Queries = Pick<dns.promises.Resolver, 'getServers' | 'cancel'>;

/**
 * Queries to the machine's own name servers, over the ones that it has now. Others count once they were read twice in a row: a
 * file that is being written, or cannot be read for want of a descriptor, names none.
 */
export function machineQueries<Q extends Queries>(
  open: () => Q,
  nowMs: () => number = () => performance.now(),
): { now: () => Q; cancel: () => void } {
  let current = open();
  let readAtMs = nowMs();
  let seen = serversOf(current);
  const replaced = new Set<Q>();
  return {
    now() {
      if (nowMs() - readAtMs <= RECHECK_MS) return current;
      readAtMs = nowMs();
      const next = open();
      const servers = serversOf(next);
      if (servers === seen && servers !== serversOf(current)) {
        // Its queries go on; there are none any more once it is replaced again.
        replaced.clear();
        replaced.add(current);
        current = next;
      }
      seen = servers;
      return current;
    },
    cancel() {
      for (const queries of [current, ...replaced]) queries.cancel();
    },
  };
}

const serversOf = (queries: Queries) => queries.getServers().join();

/** A resolver of the library; without servers one of the machine's as they are now. */
export function openQueries(limits: QueryLimits, servers: readonly string[] = []) {
  const open = () => new dns.promises.Resolver(limits);
  if (servers.length === 0) return machineQueries(open);
  const resolver = open();
  resolver.setServers(servers);
  return { now: () => resolver, cancel: () => resolver.cancel() };
}
