import { CHECK_MARK } from '#src/domain/check-mark.ts';
import type { HttpConfig } from '#src/monitors/types/http/config.ts';
import { OutboundFailure } from '#src/platform/outbound/failures.ts';

/** One request of a check: the first, or one after a redirect. */
export type Hop = {
  url: URL;
  method: string;
  /** By lower-case name: the name as written and its value. */
  headers: ReadonlyMap<string, readonly [string, string]>;
  body: Buffer | null;
  /** The request, and all before it, went to the origin in the config: credentials may be sent. */
  trusted: boolean;
};

const USER_AGENT = 'Tocsin/0.1';
/** Names that belong to the body and go when it goes (fetch standard, HTTP-redirect fetch). */
const BODY_HEADERS = [
  'content-type',
  'content-length',
  'content-encoding',
  'content-language',
  'content-location',
];
/** Marks requests of checks: this installation does not trust them when it is their target. */
const MARK: [string, readonly [string, string]] = [CHECK_MARK, ['X-Tocsin-Check', '1']];
/** Headers that only we or Node set; the server refuses them on write. */
const NOT_FOR_USERS = new Set([
  CHECK_MARK,
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
]);
const CREDENTIALS = ['authorization', 'cookie', 'proxy-authorization', 'host'];

/** The first request of a check (docs/rules/monitor-types.md#http). */
export function firstHop(config: HttpConfig, decodes: boolean): Hop {
  const url = parse(config.url);
  // Not with searchParams, which would re-encode the rest of the query.
  if (config.cache_bust) url.search += `${url.search === '' ? '?' : '&'}_tocsin=${process.hrtime.bigint()}`;
  const headers = new Map<string, readonly [string, string]>([
    ['host', ['Host', url.host]],
    ['user-agent', ['User-Agent', USER_AGENT]],
    ['accept', ['Accept', '*/*']],
    MARK,
  ]);
  if (decodes) headers.set('accept-encoding', ['Accept-Encoding', 'gzip, deflate, br']);
  if (config.cache_bust) headers.set('cache-control', ['Cache-Control', 'no-cache']);
  for (const [name, value] of Object.entries(config.headers)) {
    const key = name.toLowerCase();
    if (!NOT_FOR_USERS.has(key)) headers.set(key, [name, value]);
  }
  const authorization = authorizationOf(config, url);
  if (authorization) headers.set('authorization', ['Authorization', authorization]);
  const body = config.body === null ? null : Buffer.from(config.body);
  if (body || ['POST', 'PUT', 'PATCH'].includes(config.method))
    headers.set('content-length', ['Content-Length', String(body?.byteLength ?? 0)]);
  return { url, method: config.method, headers, body, trusted: true };
}

/**
 * The request after a redirect, as in the fetch standard: after 303, and for a POST after 301 or 302, a GET without a body.
 * From another origin (scheme, host or port) on, no request gets credentials. Throws OutboundFailure for a redirect that cannot
 * be followed.
 */
export function nextHop(hop: Hop, status: number, location: string, secretHeaders: readonly string[]): Hop {
  const from = hop.url.host;
  if (!URL.canParse(location, hop.url.href))
    throw new OutboundFailure('invalid_redirect', 'target_http', `${from} redirects to no valid address`);
  const url = new URL(location, hop.url.href);
  // Valid for URL, but not connectable: the target's mistake, not this probe's.
  if (url.port === '0')
    throw new OutboundFailure('invalid_redirect', 'target_http', `${from} redirects to port 0`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new OutboundFailure(
      'unsupported_redirect',
      'target_http',
      `${from} redirects to ${url.protocol}, which is neither http nor https`,
    );
  const headers = new Map(hop.headers);
  const trusted = hop.trusted && url.origin === hop.url.origin;
  if (!trusted) for (const name of [...CREDENTIALS, ...secretHeaders]) headers.delete(name.toLowerCase());
  headers.set(...MARK);
  if (!headers.has('host')) headers.set('host', ['Host', url.host]);

  const becomesGet = (status === 303 && hop.method !== 'HEAD') || (status <= 302 && hop.method === 'POST');
  if (becomesGet) for (const name of BODY_HEADERS) headers.delete(name);
  return {
    url,
    method: becomesGet ? 'GET' : hop.method,
    headers,
    body: becomesGet ? null : hop.body,
    trusted,
  };
}

/** Whether this status, with a Location header, is a redirect. */
export function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

function parse(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new OutboundFailure('invalid_config', 'probe', 'config.url is not an http or https address');
}

function authorizationOf(config: HttpConfig, url: URL): string | undefined {
  const basic = (user: string, password: string) =>
    `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  if (config.auth?.kind === 'basic') return basic(config.auth.username, config.auth.password);
  if (config.auth?.kind === 'bearer') return `Bearer ${config.auth.token}`;
  if (url.username === '' && url.password === '') return undefined;
  return basic(decodeURIComponent(url.username), decodeURIComponent(url.password));
}
