import dns from 'node:dns';
import { isIP } from 'node:net';
import { requireDescriptor } from './descriptors.ts';
import { codeOf, OutboundFailure } from './failures.ts';
import { hostsFile } from './hosts-file.ts';
import { openQueries } from './machine-servers.ts';

export type IpFamily = 'auto' | '4' | '6';
export type Address = { address: string; family: 4 | 6 };

/** Name to addresses, best first, at least one; throws OutboundFailure (`dns_*`, layer target_dns; or `probe_exhausted`). */
export type Resolver = {
  (host: string, family: IpFamily): Promise<Address[]>;
  /** The name servers it asks, as `address`, `address:port` or `[address]:port`; absent: the machine's own. */
  servers?: () => string[];
  /** Whether its name servers know the root of DNS now, which they do as long as they resolve anything. Never rejects. */
  knowsRoot?: () => Promise<boolean>;
};

/** RFC 8305, section 3: how long to wait for the second family once the first has answered. */
const SECOND_FAMILY_MS = 50;
/** c-ares doubles the wait per try: 1.5 s + 3 s, so a dead server costs 4.5 s at most. */
const TRY_MS = 1_500;
const TRIES = 2;
/** An answer this young is used while DNS itself fails (docs/rules/regions-and-probes.md#name-resolution). */
const STALE_MS = 60_000;
const STALE_NAMES = 10_000;

/** `cancel` ends the queries in progress, which would keep a stopping process alive for seconds. */
export type MachineResolver = Resolver & { cancel(): void };

export type ResolverOptions = {
  /** `host:port` or `host`; absent = the machine's own servers. */
  servers?: readonly string[] | undefined;
  hostsPath?: string | undefined;
};

/**
 * A resolver over real DNS queries (c-ares), so that a dead server occupies no thread and NXDOMAIN, SERVFAIL and silence stay
 * distinguishable. The hosts file comes first. If DNS denies a name, the machine's own look-up is tried as well (search
 * domains, mDNS), unless name servers were configured.
 */
export function createResolver(options: ResolverOptions = {}): MachineResolver {
  const queries = openQueries({ timeout: TRY_MS, tries: TRIES }, options.servers);
  const fromHosts = hostsFile(options.hostsPath);
  const known = new Map<string, { addresses: Address[]; atMs: number }>();

  const query = async (host: string, family: IpFamily): Promise<Address[]> => {
    const resolver = queries.now();
    const four = family === '6' ? undefined : resolver.resolve4(host);
    const six = family === '4' ? undefined : resolver.resolve6(host);
    return both(tagged(four, 4), tagged(six, 6));
  };

  const resolve: Resolver = async (host, family) => {
    const local = (await fromHosts(host))
      .map((address) => ({ address, family: isIP(address) as 4 | 6 }))
      .filter((answer) => family === 'auto' || String(answer.family) === family);
    if (local.length > 0) return local;

    const key = `${family} ${host}`;
    try {
      const addresses = await query(host, family);
      known.delete(key);
      known.set(key, { addresses, atMs: performance.now() });
      if (known.size > STALE_NAMES) known.delete(known.keys().next().value as string);
      return addresses;
    } catch (error) {
      const code = codeOf(error);
      if (code === 'ENOTFOUND' || code === 'ENODATA') {
        const found = options.servers ? [] : await machineLookup(host, family);
        if (found.length > 0) return found;
        known.delete(key);
        throw dnsFailure(code, host, family);
      }
      const last = known.get(key);
      if (last && performance.now() - last.atMs <= STALE_MS) return last.addresses;
      if (code === 'ECONNREFUSED') await requireDescriptor();
      throw dnsFailure(code, host, family);
    }
  };
  return Object.assign(resolve, {
    cancel: queries.cancel,
    servers: () => queries.now().getServers(),
    knowsRoot: () =>
      queries
        .now()
        .resolveNs('.')
        .then((names) => names.length > 0)
        .catch(() => false),
  });
}

/** The name servers that a resolver asks; by default the machine's own. The operator chose them, so no policy applies. */
export function nameServers(resolver: Resolver | undefined): { address: string; port: number }[] {
  return (resolver?.servers?.() ?? new dns.promises.Resolver().getServers()).map((server) => {
    const [, address = server, port = '53'] =
      /^\[(.+)\](?::(\d+))?$/.exec(server) ?? /^([^:]+):(\d+)$/.exec(server) ?? [];
    return { address, port: Number(port) };
  });
}

/** Two queries as one: the addresses of those that answered, or the more informative error if none did. */
function both(four: Promise<Address[]> | undefined, six: Promise<Address[]> | undefined): Promise<Address[]> {
  if (!four || !six) return (four ?? six) as Promise<Address[]>;
  return new Promise((resolve, reject) => {
    const answers: Address[][] = [[], []];
    const errors: unknown[] = [];
    let open = 2;
    let timer: NodeJS.Timeout | undefined;
    const finish = () => {
      clearTimeout(timer);
      const addresses = answers.flat();
      if (addresses.length > 0) return resolve(addresses);
      // ENODATA of one family means that the name exists: a SERVFAIL or silence of the other is then the real problem.
      reject(errors.find((error) => !['ENODATA', 'ENOTFOUND'].includes(codeOf(error))) ?? errors[0]);
    };
    [four, six].forEach((query, index) => {
      query.then(
        (found) => {
          answers[index] = found;
          open -= 1;
          if (open === 0) finish();
          else timer = setTimeout(finish, SECOND_FAMILY_MS);
        },
        (error: unknown) => {
          errors.push(error);
          open -= 1;
          if (open === 0) finish();
        },
      );
    });
  });
}

function tagged(query: Promise<string[]> | undefined, family: 4 | 6): Promise<Address[]> | undefined {
  return query?.then((addresses) => {
    if (addresses.length === 0) throw Object.assign(new Error('no records'), { code: 'ENODATA' });
    return addresses.map((address) => ({ address, family }));
  });
}

async function machineLookup(host: string, family: IpFamily): Promise<Address[]> {
  try {
    const found = await dns.promises.lookup(host, {
      all: true,
      family: family === 'auto' ? 0 : Number(family),
    });
    return found.map(({ address }) => ({ address, family: isIP(address) as 4 | 6 }));
  } catch {
    return [];
  }
}

function dnsFailure(code: string, host: string, family: IpFamily): OutboundFailure {
  const fail = (failureClass: string, detail: string) =>
    new OutboundFailure(failureClass, 'target_dns', detail);
  switch (code) {
    case 'ENOTFOUND':
      return fail('dns_nxdomain', `The name ${host} does not exist (NXDOMAIN)`);
    case 'ENODATA':
      return fail(
        'dns_nodata',
        `The name ${host} has no ${family === 'auto' ? 'address' : `IPv${family} address`}`,
      );
    case 'ETIMEOUT':
    case 'ECANCELLED':
      return dnsTimeout(host);
    case 'ESERVFAIL':
      return fail('dns_servfail', `The name servers failed on ${host} (SERVFAIL)`);
    case 'EREFUSED':
      return fail('dns_refused', `The name server refused to answer for ${host} (REFUSED)`);
    case 'EBADNAME':
      return fail('dns_bad_name', 'The host is not a valid DNS name');
    case 'ECONNREFUSED':
      return fail('dns_unreachable', `No name server could be reached to resolve ${host}`);
    default:
      return fail('dns_error', `The name ${host} could not be resolved (${code || 'unknown error'})`);
  }
}

/** No answer for a name in time. */
export function dnsTimeout(host: string): OutboundFailure {
  return new OutboundFailure('dns_timeout', 'target_dns', `No answer from DNS for ${host} in time`);
}
