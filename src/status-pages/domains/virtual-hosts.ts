import { isIP } from 'node:net';
import type { VirtualHosts } from '#src/platform/http/virtual-host.ts';
import type { Directory } from '../public/directory.ts';
import { pathOnDomain } from '../public/path-on-domain.ts';
import type { OwnNames } from './checked-domain.ts';

/**
 * The content of each host name (docs/rules/status-pages.md#hosts). Until the installation has custom domains, unknown names
 * serve the installation, so that its operator need not configure names before.
 */
export function makeVirtualHosts(
  { names, edgeDomain }: Pick<OwnNames, 'names' | 'edgeDomain'>,
  { atDomain, hasDomains }: Pick<Directory, 'atDomain' | 'hasDomains'>,
): VirtualHosts {
  const own = new Set(names);
  return {
    at(name) {
      if (own.has(name) || name === 'localhost' || name.endsWith('.localhost') || isIP(name) !== 0)
        return { kind: 'installation' };
      const page = atDomain(name);
      if (page) return { kind: 'page', domain: name, ...page };
      return edgeDomain !== null || hasDomains() ? { kind: 'nowhere' } : { kind: 'installation' };
    },
    pathOn: ({ slug }, url) => pathOnDomain(slug, url),
  };
}
