/** The theme that a wall's URL asks for, dark by default; null: not a wall. Pure. */
export function wallScheme({
  pathname,
  search,
}: Pick<Location, 'pathname' | 'search'>): 'dark' | 'light' | null {
  if (!/^\/app\/wall\/?$/.test(pathname)) return null;
  return new URLSearchParams(search).get('theme') === 'light' ? 'light' : 'dark';
}
