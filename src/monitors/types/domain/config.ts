// Browser-safe. Config of type `domain` (docs/rules/monitor-types.md#domain): the expiry of a registration, by RDAP.
import { type Static, Type } from 'typebox';
import { config, Host, Timeout } from '../parts.ts';

const Days = (fallback: number) => Type.Integer({ minimum: 0, maximum: 3650, default: fallback });

export const DomainConfig = config({
  domain: Host,
  warn_days: Days(30),
  fail_days: Days(7),
  timeout_ms: Timeout(20000),
});
export type DomainConfig = Static<typeof DomainConfig>;

/** A registry is asked once an hour at most. */
export const DOMAIN_LEAST_INTERVAL_SECONDS = 3600;
