// The name that a request came under, and what it serves: the installation, the page of a custom domain, or nothing
// (docs/rules/status-pages.md#hosts). Decided before the request is routed, so that a foreign name reaches no route.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import parseForwarded from 'forwarded-parse';

export type VirtualHost =
  | { kind: 'installation' }
  | {
      kind: 'page';
      domain: string;
      slug: string;
      /** The edge has a certificate for it: from now on it is reached by https only. */
      isCertified: boolean;
      /** Its record pointed elsewhere when it was last looked up, so somebody else may answer under it. */
      isDangling: boolean;
    }
  | { kind: 'nowhere' };

export type VirtualHosts = {
  /** The content of a name in the notation of DNS: lower case, no port, no dot at the end. */
  at: (name: string) => VirtualHost;
  /** The path of the installation that a page's domain shows at this path. */
  pathOn: (page: Extract<VirtualHost, { kind: 'page' }>, url: string) => string;
};

const INSTALLATION: VirtualHost = { kind: 'installation' };
const virtualHosts = new WeakMap<IncomingMessage, VirtualHost>();
const addresses = new WeakMap<IncomingMessage, string>();

/** The destination of a request. */
export const virtualHostOf = (request: IncomingMessage): VirtualHost =>
  virtualHosts.get(request) ?? INSTALLATION;

/** Rewrites the address of a request to a page's own domain; remembers its destination and its original address. */
export function makeRewrite(
  { at, pathOn }: VirtualHosts,
  trustProxy: number,
): (request: IncomingMessage) => string {
  const rewritten = (request: IncomingMessage): string => {
    const url = request.url ?? '/';
    if (trustProxy > 0) adoptForwarded(request.headers);
    const name = nameOf(request.headers, trustProxy);
    const host = name === null ? INSTALLATION : at(name);
    if (host.kind === 'installation') return url;
    virtualHosts.set(request, host);
    return host.kind === 'page' ? pathOn(host, url) : url;
  };
  return (request) => {
    const known = addresses.get(request);
    if (known !== undefined) return known;
    const url = rewritten(request);
    addresses.set(request, url);
    return url;
  };
}

/**
 * Translates the standard header of proxies (RFC 7239) into the headers that the rest of the code reads. If a proxy sends
 * those, they count: then anybody may have sent `Forwarded`.
 */
function adoptForwarded(headers: IncomingHttpHeaders): void {
  const given = headers.forwarded;
  if (given === undefined || headers['x-forwarded-for'] !== undefined) return;
  try {
    const entries = parseForwarded(given);
    headers['x-forwarded-for'] = entries.map((entry) => addressOf(entry.for ?? 'unknown')).join(', ');
    const last = entries.at(-1);
    if (last?.host !== undefined) headers['x-forwarded-host'] ??= last.host;
    if (last?.proto !== undefined) headers['x-forwarded-proto'] ??= last.proto;
  } catch {
    // A header that cannot be parsed is ignored.
  }
}

/** Without brackets and port. */
const addressOf = (node: string) =>
  /^\[([^\]]+)\]/.exec(node)?.[1] ?? (node.split(':').length === 2 ? (node.split(':')[0] ?? node) : node);

/**
 * The name that the client asked for; null: none. A proxy that calls us by our address gives the name in a header of its own.
 */
function nameOf(headers: IncomingHttpHeaders, trustProxy: number): string | null {
  const host = bareName(headers.host ?? '');
  if (trustProxy === 0 || (host?.includes('.') && isIP(host) === 0)) return host;
  const forwarded = headers['x-forwarded-host'];
  const last = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '')).split(',').at(-1);
  return bareName(last?.trim() ?? '') ?? host;
}

/** A Host header without its port, brackets and final dot, in lower case; null: empty. */
function bareName(host: string): string | null {
  const name = (/^\[([^\]]*)\]/.exec(host)?.[1] ?? host.replace(/:\d*$/, ''))
    .toLowerCase()
    .replace(/\.$/, '');
  return name === '' ? null : name;
}
