// The checks that a proposal runs, and the monitors that it derives from their results. Pure.
import type { PastedAddress } from '#src/domain/pasted-address.ts';
import type { MonitorCreate } from '#src/monitors/contract.ts';
import type { Shown } from '../private-values.ts';

/** A check that runs once; `config` is without what only shortens the wait. */
export type Check = { type: string; config: Record<string, unknown>; timeoutMs: number };
/** Its result; null: no probe could run it. */
export type Seen = Shown | null;

/** Shorter than the timeout of a monitor: somebody is waiting. */
export const WAIT_MS = 5_000;
/** Registries are slow. */
const REGISTRY_WAIT_MS = 10_000;

const bracketed = (host: string) => (host.includes(':') ? `[${host}]` : host);

/** Pages to try one after the other, until one answers. */
export function pageChecks({ host, port, url }: PastedAddress): Check[] {
  if (url !== null) return [httpCheck(url)];
  const at = `${bracketed(host)}${port === null ? '' : `:${port}`}`;
  return [httpCheck(`https://${at}/`), httpCheck(`http://${at}/`)];
}

const httpCheck = (url: string): Check => ({ type: 'http', config: { url }, timeoutMs: WAIT_MS });

export const tlsCheck = ({ host, port }: PastedAddress): Check => ({
  type: 'tls',
  config: { host, ...(port === null || port === 443 ? {} : { port }) },
  timeoutMs: WAIT_MS,
});

export const tcpCheck = (host: string, port: number): Check => ({
  type: 'tcp',
  config: { host, port },
  timeoutMs: WAIT_MS,
});

export const domainCheck = (domain: string): Check => ({
  type: 'domain',
  config: { domain },
  timeoutMs: REGISTRY_WAIT_MS,
});

export const dnsCheck = (host: string, record_type: 'A' | 'AAAA' | 'MX'): Check => ({
  type: 'dns',
  config: { host, record_type },
  timeoutMs: WAIT_MS,
});

/** The ports of a mail server: between servers, for people who send, and for their mailboxes. */
export const mailChecks = (host: string, isFirst: boolean): Check[] =>
  [
    { protocol: 'smtp', host, port: 25, security: 'starttls' },
    ...(isFirst
      ? [
          { protocol: 'smtp', host, port: 465, security: 'tls' },
          { protocol: 'imap', host, port: 993, security: 'tls' },
        ]
      : []),
  ].map((config) => ({ type: 'mail', config, timeoutMs: WAIT_MS }));

/** Whether the target is there: it answered, well or badly. */
export const isThere = (seen: Seen): seen is Shown =>
  seen !== null && seen.status !== 'down' && seen.cause_layer !== 'probe';

const actualOf = (seen: Seen, what: string): string | undefined =>
  seen?.judgements.find((judgement) => judgement.what === what && judgement.ok)?.actual;

/** The registration that a name belongs to; undefined if no registry has answered. */
export const registeredName = (seen: Seen): string | undefined => actualOf(seen, 'Registration') || undefined;

/** The records that were answered; none where they are hidden. */
export function recordsIn(seen: Seen, type: string): string[] {
  if (!isThere(seen)) return [];
  return (actualOf(seen, `${type} records`) ?? '').split(', ').filter((value) => value !== '');
}

/** Mail servers, the most preferred first; none for a domain that takes no mail (RFC 7505). */
export function mailServers(records: readonly string[]): string[] {
  const servers = records.flatMap((record) => {
    const [, preference = '', name = ''] = /^(\d+) (\S*?)\.?$/.exec(record) ?? [];
    return name === '' ? [] : [{ preference: Number(preference), name: name.toLowerCase() }];
  });
  servers.sort((a, b) => a.preference - b.preference || a.name.localeCompare(b.name));
  return [...new Set(servers.map(({ name }) => name))];
}

/** Whether it said anything, be it that it is out of order. */
export const hasAnswered = (seen: Shown): boolean =>
  seen.response_code !== undefined || seen.metric_value !== undefined || isThere(seen);

export type Watching = Pick<MonitorCreate, 'name' | 'type'> & { config: Record<string, unknown> };

/** The monitor for a check. Its name is the target: it needs no translation. */
export function monitorOf({ type, config }: Check, seen: Shown): Watching {
  const name = nameOf(type, config).slice(0, 200);
  const records = type === 'dns' && config.record_type === 'MX' ? recordsIn(seen, 'MX') : [];
  // Mail servers change by somebody's decision, addresses by themselves.
  const expected = records.length > 0 ? { expected: { mode: 'exact', values: records } } : {};
  return { name, type, config: { ...config, ...expected } };
}

function nameOf(type: string, config: Record<string, unknown>): string {
  const { url, host, domain, port, protocol, record_type } = config;
  switch (type) {
    case 'http': {
      const { host: at, pathname } = new URL(String(url));
      return pathname === '/' ? at : `${at}${pathname}`;
    }
    case 'tls':
      return `${host}${port === undefined ? '' : `:${port}`} · TLS`;
    case 'domain':
      return `${domain} · Domain`;
    case 'dns':
      return `${host} · DNS ${record_type}`;
    case 'mail':
      return `${host} · ${String(protocol).toUpperCase()} ${port}`;
    default:
      return `${host}:${port}`;
  }
}
