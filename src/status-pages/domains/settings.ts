import { isIP } from 'node:net';
import { hostPortText } from '#src/platform/host-port.ts';
import type { OwnNames } from './checked-domain.ts';
import type { DomainOptions } from './row.ts';

export type DomainSettings = DomainOptions & {
  own: OwnNames;
  /** The port of custom domains in addresses: `:8443` if the edge does not listen on 443; otherwise ''. */
  edgePort: string;
  /** Name servers to ask for records, `host` or `host:port`; empty: the machine's own. */
  nameServers: string[];
};

type Given = {
  baseUrl: string;
  edge: 'none' | 'caddy';
  edgeDomain: string | null;
  edgeHttpsPort: number;
  hosts: readonly { host: string }[];
  dnsServers: readonly { host: string; port: number | null }[];
  allowTestDomains: boolean;
};

/**
 * The configuration of custom domains. Without EDGE_DOMAIN their records point below the name of BASE_URL; if that is an
 * address, below localhost, which is enough to try domains on this machine.
 */
export function domainSettings(config: Given): DomainSettings {
  const { edge, edgeDomain, edgeHttpsPort, hosts, dnsServers, allowTestDomains } = config;
  const base = new URL(config.baseUrl).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const isName = isIP(base) === 0 && base.includes('.');
  return {
    edge,
    edgePort: edge === 'none' || edgeHttpsPort === 443 ? '' : `:${edgeHttpsPort}`,
    targetDomain: edgeDomain ?? (isName ? base : 'localhost'),
    own: {
      names: [base, ...hosts.map(({ host }) => host.toLowerCase().replace(/\.$/, ''))],
      edgeDomain,
      allowTest: allowTestDomains,
    },
    nameServers: dnsServers.map(hostPortText),
  };
}
