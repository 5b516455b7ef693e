/** The appearance that an address asks for: a wall is dark unless it says otherwise; null: no wall. Pure. */
export function wallScheme({
  pathname,
  search,
}: Pick<Location, 'pathname' | 'search'>): 'dark' | 'light' | null {
  if (!/^\/app\/wall\/?$/.test(pathname)) return null;
  return new URLSearchParams(search).get('theme') === 'light' ? 'light' : 'dark';
}
