// Browser-safe. `host:port` of a canary: something outside that answers whenever a probe's own network works.
import { checkHost, checkPort, type TargetRefusal } from './target.ts';

/**
 * Contacted if a region names none, and only while a check fails: the resolvers of Cloudflare, Google and Quad9, which answer
 * everywhere.
 */
export const DEFAULT_CANARIES = ['1.1.1.1:53', '8.8.8.8:53', '9.9.9.9:53'] as const;

/** The value of CANARIES: `none`, or `host:port` separated by commas, ten at most; undefined where it is neither. */
export function canariesIn(text: string): readonly string[] | undefined {
  if (text.trim().toLowerCase() === 'none') return [];
  const names = text.split(',').map((name) => name.trim());
  const areFine = names.every((name) => checkCanary(name, { allowSingleLabel: true }).ok);
  return areFine && names.length <= MAX_CANARIES ? [...new Set(names)] : undefined;
}

const MAX_CANARIES = 10;

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
