import type { HttpConfig } from '../../../../src/monitors/config/http.ts';
import type { Monitor } from '../../../../src/monitors/contract.ts';

/** The config of an `http` monitor as the contract of its type describes it; null for another type. */
export function httpConfigOf(monitor: Monitor): HttpConfig | null {
  return monitor.type === 'http' ? (monitor.config as HttpConfig) : null;
}

/** What is watched, in one line. */
export function targetOf(monitor: Monitor): string {
  const config = monitor.config as Record<string, unknown>;
  const target = config.url ?? config.host ?? config.domain ?? '';
  return String(target)
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '');
}
