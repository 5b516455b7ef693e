// Under which name a request came, and what is served there: the installation, the page of a custom domain, or nothing
// (docs/rules/status-pages.md#hosts). Decided before the request is routed, so that no route is reached under a foreign name.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import parseForwarded from 'forwarded-parse';

export type VirtualHost =
  | { kind: 'installation' }
  | {
      kind: 'page';
      domain: string;
      slug: string;
      /** The edge has a certificate for it: it is reached by https, from now on only. */
      isCertified: boolean;
      /** Its record pointed elsewhere when it was last looked up: somebody else may answer under it. */
      isDangling: boolean;
    }
  | { kind: 'nowhere' };

export type VirtualHosts = {
  /** What is served under a name, as DNS has it: lower case, no port, no dot at the end. */
  at: (name: string) => VirtualHost;
  /** The path of the installation's own that a page's domain shows at this one. */
  pathOn: (page: Extract<VirtualHost, { kind: 'page' }>, url: string) => string;
};

const INSTALLATION: VirtualHost = { kind: 'installation' };
const virtualHosts = new WeakMap<IncomingMessage, VirtualHost>();
const addresses = new WeakMap<IncomingMessage, string>();

/** Where a request came to. */
export const virtualHostOf = (request: IncomingMessage): VirtualHost =>
  virtualHosts.get(request) ?? INSTALLATION;

/** Rewrites the address of a request that came to a page's own domain; remembers where it came to, and the address. */
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
 * What a proxy says in the standard's header (RFC 7239) as the headers that are read everywhere. Where it sends those, they
 * count: `Forwarded` may then come from anybody.
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
    // What cannot be read says nothing.
  }
}

/** Without brackets and port. */
const addressOf = (node: string) =>
  /^\[([^\]]+)\]/.exec(node)?.[1] ?? (node.split(':').length === 2 ? (node.split(':')[0] ?? node) : node);

/** The name that the client asked for; null: none. A proxy that asks by our address says it in a header of its own. */
function nameOf(headers: IncomingHttpHeaders, trustProxy: number): string | null {
  const host = bareName(headers.host ?? '');
  if (trustProxy === 0 || (host?.includes('.') && isIP(host) === 0)) return host;
  const forwarded = headers['x-forwarded-host'];
  const last = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '')).split(',').at(-1);
  return bareName(last?.trim() ?? '') ?? host;
}

/** A Host header without its port, in lower case, without brackets and the dot at the end; null: empty. */
function bareName(host: string): string | null {
  const name = (/^\[([^\]]*)\]/.exec(host)?.[1] ?? host.replace(/:\d*$/, ''))
    .toLowerCase()
    .replace(/\.$/, '');
  return name === '' ? null : name;
}
