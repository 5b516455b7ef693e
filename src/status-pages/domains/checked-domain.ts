import { checkHost, isAddress } from '#src/domain/target.ts';
import { refuse } from '#src/platform/refusals.ts';
import { whenNeeded } from '#src/platform/when-needed.ts';

/** The list of public suffixes. */
const suffixes = whenNeeded<typeof import('tldts')>('tldts');

/** The installation's own names, and the domain below which it creates CNAME targets; null: none. */
export type OwnNames = { names: readonly string[]; edgeDomain: string | null; allowTest: boolean };

/** Names that no public DNS has (RFC 2606, RFC 6761, RFC 6762). */
const NOT_PUBLIC = ['local', 'internal', 'localhost'];

/**
 * A custom domain in the notation of DNS: lower case, punycode, without the final dot
 * (docs/rules/status-pages.md#custom-domains). Refuses anything that is no host name (400 `invalid_request`), and names that
 * nobody may use: the installation's own, single labels, addresses, public suffixes, names without public DNS (400
 * `reserved_domain`).
 */
export function checkedDomain(given: string, own: OwnNames): string {
  const name = given.trim().replace(/\.$/, '');
  if (isAddress(name)) reserved(name, 'is an IP address: a custom domain is a name');
  const checked = checkHost(name, { allowSingleLabel: true });
  // Certificates are for host names, which have no underscore (RFC 1123, section 2.1).
  if (!checked.ok || /_|\.$/.test(checked.host))
    return refuse(
      'invalid_request',
      'domain must be a host name such as status.example.com: labels of letters, digits and hyphens, at most 253 characters, without scheme, port, path or wildcard.',
      { field: 'domain' },
    );
  const domain = checked.host;
  if (!domain.includes('.')) reserved(domain, 'has only one label');
  if (own.names.includes(domain)) reserved(domain, 'is the address of this installation');
  if (own.edgeDomain !== null && isAtOrBelow(domain, own.edgeDomain))
    reserved(domain, `belongs to this installation (${own.edgeDomain})`);
  const notPublic = own.allowTest ? NOT_PUBLIC : [...NOT_PUBLIC, 'test'];
  if (notPublic.some((suffix) => isAtOrBelow(domain, suffix)))
    reserved(domain, 'is in a domain that exists in no public DNS');
  if (suffixes().parse(domain, { allowPrivateDomains: true }).publicSuffix === domain)
    reserved(domain, 'is a public suffix, under which others register their names');
  return domain;
}

const isAtOrBelow = (name: string, parent: string) => name === parent || name.endsWith(`.${parent}`);

function reserved(domain: string, why: string): never {
  return refuse('reserved_domain', `domain cannot be ${domain}: it ${why}.`, { field: 'domain' });
}
