// The first address that somebody pastes. Pure.

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
/** Names of one label and private addresses: what is there seldom has a certificate. */
const AT_HOME =
  /^(?:[^.:/?#[\]]+|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+|172\.(?:1[6-9]|2\d|3[01])\.[\d.]+|\[[0-9a-f:]+\])(?::\d+)?(?:[/?#]|$)/i;

/** The address as it is watched: without a scheme https, and http for what is on this machine or in the network at home. */
export function withScheme(typed: string): string {
  const address = typed.trim();
  if (SCHEME.test(address)) return address;
  return `${AT_HOME.test(address) ? 'http' : 'https'}://${address}`;
}

/** A name for a monitor that was made from nothing but its address. */
export function nameFrom(url: string): string {
  const { host, pathname } = URL.parse(url) ?? { host: url, pathname: '/' };
  return `${host}${pathname === '/' ? '' : pathname}`.slice(0, 200) || url.slice(0, 200);
}

/** Addresses to begin with; `origin` is where this installation is open. */
export const examples = (origin: string) =>
  [
    { key: 'website', url: 'https://example.com' },
    { key: 'machine', url: 'http://localhost:4010' },
    { key: 'tocsin', url: `${origin}/healthz` },
  ] as const;
