import { isIP } from 'node:net';
import { hostPortText } from '#src/platform/host-port.ts';
import type { OwnNames } from './checked-domain.ts';
import type { DomainOptions } from './row.ts';

export type DomainSettings = DomainOptions & {
  own: OwnNames;
  /** What follows a domain in addresses: `:8443` where the edge does not listen on 443; else ''. */
  edgePort: string;
  /** Name servers that are asked for records, `host` or `host:port`; empty: the machine's own. */
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
 * What the configuration says of custom domains. Without EDGE_DOMAIN their records point below the name of BASE_URL; where that is
 * an address, below localhost, which serves to try things out on this machine only.
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
