// Browser-safe. `host:port` of a canary: something outside that answers whenever a probe's own network works.
import { checkHost, checkPort, type TargetRefusal } from './target.ts';

export type Canary = { host: string; port: number };

/**
 * Checks `host:port`, an IPv6 address in brackets. Reasons as in `checkHost` and `checkPort`; without a port it is
 * `port_range`.
 */
export function checkCanary(
  value: string,
  options: { allowSingleLabel: boolean },
): ({ ok: true } & Canary) | TargetRefusal {
  const [, bracketed, bare, given] = /^(?:(\[[^\]]*\])|([^:]*)):([^:]*)$/.exec(value) ?? [];
  const host = checkHost(bracketed?.slice(1, -1) ?? bare ?? value, options);
  if (!host.ok) return host;
  const port = checkPort(/^\d{1,5}$/.test(given ?? '') ? Number(given) : -1);
  return port.ok ? { ok: true, host: host.host, port: port.port } : port;
}
