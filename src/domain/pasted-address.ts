// Browser-safe. What somebody pastes as an address: a URL, a host, or host:port. Pure.

import type { InvalidTargetReason } from './names.ts';
import { checkHost, checkUrl, isAddress } from './target.ts';

export type PastedAddress = {
  /** Normalised; IPv6 without brackets. */
  host: string;
  /** As given, or of the scheme; null: neither says. */
  port: number | null;
  /** Complete, with its path; null where only a host was given. */
  url: string | null;
  isIp: boolean;
};

/** Reads a pasted address; blanks around it do not count. */
export function readPastedAddress(
  text: string,
  { allowSingleLabel }: { allowSingleLabel: boolean },
): ({ ok: true } & PastedAddress) | { ok: false; reason: InvalidTargetReason } {
  const address = text.trim();
  if (/^https?:\/\//i.test(address)) {
    const checked = checkUrl(address, { schemes: ['http', 'https'], allowSingleLabel });
    if (!checked.ok) return checked;
    const { hostname, port, protocol } = checked.url;
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    const usual = protocol === 'https:' ? 443 : 80;
    return { ok: true, host, port: port === '' ? usual : Number(port), url: address, isIp: isAddress(host) };
  }
  const [, bare = address, port] = /^(\[[^\]]*\]|[^:/]*):(\d{1,9})$/.exec(address) ?? [];
  const asHost = checkHost(port === undefined ? bare.replace(/\/+$/, '') : bare, { allowSingleLabel });
  if (asHost.ok) {
    if (port === undefined)
      return { ok: true, host: asHost.host, port: null, url: null, isIp: isAddress(bare) };
    if (Number(port) < 1 || Number(port) > 65_535) return { ok: false, reason: 'port_range' };
    return { ok: true, host: asHost.host, port: Number(port), url: null, isIp: isAddress(bare) };
  }
  // "example.com/shop" is meant as a page.
  if (asHost.reason === 'path_in_host') return readPastedAddress(`https://${address}`, { allowSingleLabel });
  return asHost;
}
