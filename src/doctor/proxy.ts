// The doctor's check of the settings about a proxy in front: TRUST_PROXY and BASE_URL, by themselves and by how a request came.
import { type Finding, finding } from './finding.ts';

export type ProxySettings = {
  host: string;
  port: number;
  baseUrl: string;
  trustProxy: number;
  edge: 'none' | 'caddy';
};

/** The headers of a request that show how it arrived; absent on the command line. */
export type Arrival = {
  host: string | undefined;
  forwardedFor: string | undefined;
  forwardedHost: string | undefined;
};

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

export function checkProxy(settings: ProxySettings, arrival: Arrival | null): Finding[] {
  const findings = [localBase(settings), uncounted(settings, arrival), overcounted(settings, arrival)];
  const wrong = [...findings, arrival && opened(settings, arrival)].filter((found) => found !== null);
  return wrong.length > 0 ? wrong : [finding('ok', 'proxy', 'proxy_fits')];
}

/** Whoever lets other machines in wants links that these can open. */
function localBase({ host, baseUrl }: ProxySettings): Finding | null {
  if (LOOPBACK.test(host) || !isLocal(baseUrl)) return null;
  return finding('warn', 'proxy', 'base_url_local', { url: baseUrl, host });
}

function uncounted(
  { port, baseUrl, trustProxy, edge }: ProxySettings,
  arrival: Arrival | null,
): Finding | null {
  // An edge on this machine is counted without it.
  if (trustProxy > 0 || edge === 'caddy') return null;
  if (arrival !== null)
    return arrival.forwardedFor === undefined ? null : finding('warn', 'proxy', 'proxy_forwards');
  return isProxied(baseUrl, port) ? finding('warn', 'proxy', 'proxy_in_front', { url: baseUrl, port }) : null;
}

function overcounted({ port, baseUrl, trustProxy }: ProxySettings, arrival: Arrival | null): Finding | null {
  if (trustProxy === 0) return null;
  if (arrival === null)
    return isProxied(baseUrl, port) ? null : finding('warn', 'proxy', 'proxy_absent', { count: trustProxy });
  const passed = arrival.forwardedFor?.split(',').length ?? 0;
  if (passed >= trustProxy) return null;
  return finding('warn', 'proxy', 'proxy_fewer', { count: trustProxy, passed });
}

/** A name that people open, and that is not the one in links. A proxy that keeps its name to itself shows none. */
function opened(
  { port, baseUrl, trustProxy }: ProxySettings,
  { host, forwardedHost }: Arrival,
): Finding | null {
  const name = trustProxy > 0 ? forwardedHost : host;
  // With PORT=0 the configured address does not know its port.
  const at = name === undefined || port === 0 ? null : URL.parse(`http://${name}`);
  const base = new URL(baseUrl);
  if (at === null || at.host === base.host) return null;
  if (isLoopback(at.hostname) && isLoopback(base.hostname)) return null;
  return finding('warn', 'proxy', 'base_url_differs', { opened: at.host, url: baseUrl });
}

const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname.replace(/^\[|\]$/g, ''));

/** Only a proxy speaks TLS in front of Tocsin, or passes on from another port. */
function isProxied(baseUrl: string, port: number): boolean {
  const { protocol, port: given } = new URL(baseUrl);
  return protocol === 'https:' || (port !== 0 && Number(given || 80) !== port);
}

function isLocal(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return isLoopback(hostname) || /^(0\.0\.0\.0|\[::\])$/.test(hostname);
}
