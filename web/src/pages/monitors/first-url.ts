// The first address that a person pastes. Pure.

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
/** Single-label names and private addresses: services there seldom have a certificate. */
const AT_HOME =
  /^(?:[^.:/?#[\]]+|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+|172\.(?:1[6-9]|2\d|3[01])\.[\d.]+|\[[0-9a-f:]+\])(?::\d+)?(?:[/?#]|$)/i;

/** The URL to monitor. An address without a scheme gets https, or http on this machine and in the local network. */
export function withScheme(typed: string): string {
  const address = typed.trim();
  if (SCHEME.test(address)) return address;
  return `${AT_HOME.test(address) ? 'http' : 'https'}://${address}`;
}

/** A name for a monitor, derived from its address. */
export function nameFrom(url: string): string {
  const { host, pathname } = URL.parse(url) ?? { host: url, pathname: '/' };
  return `${host}${pathname === '/' ? '' : pathname}`.slice(0, 200) || url.slice(0, 200);
}

/** Suggested addresses; `origin` is the address of this installation. */
export const examples = (origin: string) =>
  [
    { key: 'website', url: 'https://example.com' },
    { key: 'machine', url: 'http://localhost:4010' },
    { key: 'tocsin', url: `${origin}/healthz` },
  ] as const;
