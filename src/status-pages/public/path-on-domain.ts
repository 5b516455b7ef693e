// The short addresses of a page on its own domain.

/** The other documents of a page, by their path on the page's own domain. Existing widgets read the last one. */
const BESIDE: Readonly<Record<string, string>> = Object.fromEntries([
  ...['badge.svg', 'feed.rss', 'feed.atom', 'maintenance.ics', 'summary.json', 'logo', 'logo-dark'].map(same),
  ...['unlock', 'login', 'logout', 'subscriptions'].map(same),
  ['/api/v2/summary.json', '/summary.json'],
]);

function same(name: string): [string, string] {
  return [`/${name}`, `/${name}`];
}

/**
 * The installation's path for a path on the page's own domain, with the query. Returns only public paths of this page, whatever
 * the input (docs/rules/status-pages.md#hosts).
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
  // Any other path is a page of the status page, or a not-found page of it.
  return path === '/' ? `${home}${query}` : `${home}${path.startsWith('/') ? '' : '/'}${path}${query}`;
}

const isAtOrBelow = (path: string, parent: string) => path === parent || path.startsWith(`${parent}/`);
