// A cookie must not act for another site: unsafe requests that carry one come from our own pages
// (docs/rules/access.md#same-origin).

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** What of a request tells where it comes from; `protocol` and `host` as our proxy rules see them. */
export type Sent = {
  method: string;
  protocol: string;
  host: string;
  headers: Record<string, string | string[] | undefined>;
};

/**
 * Whether a browser says that a request which changes something comes from somewhere else. Ours are BASE_URL and the
 * address it was asked at (a page may be reached under several names); under an https BASE_URL never a page served over
 * http, which anybody on the way could have written. Neither Origin nor Sec-Fetch-Site: no browser, and nothing to abuse.
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
