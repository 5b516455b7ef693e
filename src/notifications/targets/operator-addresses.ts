// Addresses that the operator of the installation has configured: further hosts of chat targets, and base addresses of the
// paging providers (docs/rules/notifications.md#addresses-of-targets). Unlike an address of an organization, they are trusted.
import { CHANNEL_FAMILIES, type ChannelName, type PagingRegion } from '#src/domain/names.ts';

/** A host with one port, or with every port (null). */
export type HostPort = Readonly<{ host: string; port: number | null }>;

export type OperatorAddresses = Readonly<{
  chatHosts: readonly HostPort[];
  /** Base addresses, without the provider's path: `https://events.pagerduty.com`. */
  paging: Readonly<Record<'pagerduty' | 'opsgenie', Readonly<Record<PagingRegion, string>>>>;
}>;

const PATHS = { pagerduty: '/v2/enqueue', opsgenie: '/v2/alerts' } as const;
export type PagingKind = keyof typeof PATHS;

export const isPaging = (kind: string): kind is PagingKind => Object.hasOwn(PATHS, kind);

/** The address of a paging target: it follows from its kind, its region and the configured base. */
export function pagingUrl(kind: PagingKind, region: PagingRegion, { paging }: OperatorAddresses): string {
  return `${paging[kind][region].replace(/\/+$/, '')}${PATHS[kind]}`;
}

/** Whether the operator has named this host for chat targets. */
export function isChatHost(url: URL, { chatHosts }: OperatorAddresses): boolean {
  const name = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return chatHosts.some(({ host, port }) => host === name && (port === null || port === portOf(url)));
}

/** Whether the address of a target of this kind is the operator's: the network policy does not apply to it. */
export function isOperators(kind: ChannelName, address: string, addresses: OperatorAddresses): boolean {
  const url = URL.parse(address);
  if (url === null) return false;
  if (isPaging(kind))
    return Object.values(addresses.paging[kind]).some((base) => URL.parse(base)?.origin === url.origin);
  return CHANNEL_FAMILIES[kind] === 'chat' && isChatHost(url, addresses);
}

/** The port of a connection to this address. */
export const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
