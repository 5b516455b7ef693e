// Other sites must not act with our cookies: an unsafe request with a cookie must come from our own pages
// (docs/rules/access.md#same-origin).

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The parts of a request that show its origin; `protocol` and `host` as our proxy rules determine them. */
export type Sent = {
  method: string;
  protocol: string;
  host: string;
  headers: Record<string, string | string[] | undefined>;
};

/**
 * Whether a browser says that a write comes from another site. Our own origins are BASE_URL and the address of the request
 * (an installation may have several names). If BASE_URL is https, a page served over http is foreign: anybody on the way
 * could have written it. Without Origin and Sec-Fetch-Site the client is no browser, so there is nothing to abuse.
 */
export function isForeign({ method, protocol, host, headers }: Sent, base: URL): boolean {
  if (SAFE.has(method) || headers.cookie === undefined) return false;
  const { origin } = headers;
  if (typeof origin === 'string') {
    const scheme = base.protocol === 'https:' ? 'https' : protocol;
    return origin !== base.origin && !isSameOrigin(origin, `${scheme}://${host}`);
  }
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin';
}

function isSameOrigin(origin: string, own: string): boolean {
  return URL.canParse(origin) && URL.canParse(own) && new URL(origin).origin === new URL(own).origin;
}
