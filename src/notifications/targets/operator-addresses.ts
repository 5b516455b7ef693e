// Addresses that the operator of the installation has configured: further hosts of chat kinds, and the bases of the
// paging providers (docs/rules/notifications.md#addresses-of-targets). They are trusted where an address of an organization
// is not.
import { type PagingRegion, WEBHOOK_FAMILIES, type WebhookKind } from '#src/domain/names.ts';

/** A host with every port (null), or with one. */
export type HostPort = Readonly<{ host: string; port: number | null }>;

export type OperatorAddresses = Readonly<{
  chatHosts: readonly HostPort[];
  /** Bases without a path of the provider: `https://events.pagerduty.com`. */
  paging: Readonly<Record<'pagerduty' | 'opsgenie', Readonly<Record<PagingRegion, string>>>>;
}>;

const PATHS = { pagerduty: '/v2/enqueue', opsgenie: '/v2/alerts' } as const;
export type PagingKind = keyof typeof PATHS;

export const isPaging = (kind: string): kind is PagingKind => Object.hasOwn(PATHS, kind);

/** Where a paging target sends to: it follows from kind, region and the configured base. */
export function pagingUrl(kind: PagingKind, region: PagingRegion, { paging }: OperatorAddresses): string {
  return `${paging[kind][region].replace(/\/+$/, '')}${PATHS[kind]}`;
}

/** Whether a host is one that the operator has named for chat kinds. */
export function isChatHost(url: URL, { chatHosts }: OperatorAddresses): boolean {
  const name = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return chatHosts.some(({ host, port }) => host === name && (port === null || port === portOf(url)));
}

/** Whether a target of this kind sends to an address of the operator's there: the rules for strangers are not for it. */
export function isOperators(kind: WebhookKind, address: string, addresses: OperatorAddresses): boolean {
  const url = URL.parse(address);
  if (url === null) return false;
  if (isPaging(kind))
    return Object.values(addresses.paging[kind]).some((base) => URL.parse(base)?.origin === url.origin);
  return WEBHOOK_FAMILIES[kind] === 'chat' && isChatHost(url, addresses);
}

/** The port that is connected to. */
export const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
