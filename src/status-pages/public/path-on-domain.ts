// The short addresses of a page on its own domain.

/** What stands beside a page, by its path on the page's own domain. Existing widgets read the last one. */
const BESIDE: Readonly<Record<string, string>> = Object.fromEntries([
  ...['badge.svg', 'feed.rss', 'feed.atom', 'maintenance.ics', 'summary.json', 'logo', 'logo-dark'].map(same),
  ...['unlock', 'login', 'logout', 'subscriptions'].map(same),
  ['/api/v2/summary.json', '/summary.json'],
]);

function same(name: string): [string, string] {
  return [`/${name}`, `/${name}`];
}

/**
 * The installation's path for one on the page's own domain, the query kept. Only public paths of this page come out, whatever
 * goes in (docs/rules/status-pages.md#hosts).
 */
export function pathOnDomain(slug: string, url: string): string {
  const queryAt = url.search(/[?#]/);
  const path = queryAt < 0 ? url : url.slice(0, queryAt);
  const query = queryAt < 0 ? '' : url.slice(queryAt);
  const home = `/status/${slug}`;
  const besides = `/public/status-pages/${slug}`;
  const beside = Object.hasOwn(BESIDE, path) ? BESIDE[path] : undefined;
  if (beside !== undefined) return `${besides}${beside}${query}`;
  if (isAtOrBelow(path, home) || isAtOrBelow(path, besides)) return url;
  // Everything else is a page of the status page, or not found among them.
  return path === '/' ? `${home}${query}` : `${home}${path.startsWith('/') ? '' : '/'}${path}${query}`;
}

const isAtOrBelow = (path: string, parent: string) => path === parent || path.startsWith(`${parent}/`);
