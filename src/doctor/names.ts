// The doctor's checks of name resolution: the name servers, and the host of BASE_URL.
import { isIP } from 'node:net';
import { endpoint, OutboundFailure } from '../platform/outbound/failures.ts';
import { createResolver, type MachineResolver, nameServers } from '../platform/outbound/resolve.ts';
import { type Finding, finding } from './finding.ts';

/** No name server has it, and every one that works says so (RFC 6761, section 6.4). */
const NOBODYS = 'doctor.invalid';
/** The failure classes of a working name server for this name. */
const ANSWERS = ['dns_nxdomain', 'dns_nodata'];
const MAX_SERVERS = 4;

/** Whether every name server answers; `servers` as `host` or `host:port`, none: the machine's own. */
export async function checkNameServers(servers: readonly string[]): Promise<Finding[]> {
  const asked =
    servers.length > 0 ? servers : nameServers(undefined).map(({ address, port }) => endpoint(address, port));
  if (asked.length === 0) return [finding('fail', 'dns', 'dns_none')];
  const silent = await Promise.all(asked.slice(0, MAX_SERVERS).map(checkServer));
  const findings = silent.filter((found) => found !== null);
  if (findings.length > 0) return findings;
  return [finding('ok', 'dns', 'dns_answers', { count: silent.length })];
}

async function checkServer(server: string): Promise<Finding | null> {
  const failed = await asking({ servers: [server] }, (resolver) => resolver(NOBODYS, 'auto'));
  if (!(failed instanceof OutboundFailure) || ANSWERS.includes(failed.failureClass)) return null;
  return finding('fail', 'dns', 'dns_silent', { server, reason: failed.message });
}

/** Whether the host of BASE_URL resolves. */
export async function checkBaseName(baseUrl: string): Promise<Finding> {
  const host = new URL(baseUrl).hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 || host === 'localhost') return finding('ok', 'dns', 'base_url_unnamed', { host });
  const found = await asking({}, (resolver) => resolver(host, 'auto'));
  if (found instanceof OutboundFailure)
    return finding('warn', 'dns', 'base_url_unresolved', { host, reason: found.message });
  const addresses = found.map(({ address }) => address).join(', ');
  return finding('ok', 'dns', 'base_url_resolves', { host, addresses });
}

/** The answer of a resolver made for this question; a failure is returned, not thrown. */
async function asking<T>(
  options: Parameters<typeof createResolver>[0],
  ask: (resolver: MachineResolver) => Promise<T>,
): Promise<T | OutboundFailure> {
  let resolver: MachineResolver | undefined;
  try {
    resolver = createResolver(options);
    return await ask(resolver);
  } catch (error) {
    // A name server that is given by its name cannot be asked.
    if (error instanceof OutboundFailure) return error;
    return new OutboundFailure('invalid_config', 'probe', (error as Error).message);
  } finally {
    resolver?.cancel();
  }
}
