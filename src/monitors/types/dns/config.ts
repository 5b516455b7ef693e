// Browser-safe. Config of type `dns` (docs/rules/monitor-types.md#dns).
import { type Static, Type } from 'typebox';
import { Nullable } from '#src/platform/contract.ts';
import { config, DegradedAfter, Host, PortOr, Timeout } from '../parts.ts';

export const RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT', 'SOA', 'SRV', 'CAA', 'PTR'] as const;
export const RCODES = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED'] as const;

export const DnsExpectation = config({
  /** any: one of the values is in the answer · all: each of them is · exact: they are the whole answer. */
  mode: Type.Enum(['any', 'all', 'exact']),
  values: Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), { minItems: 1, maxItems: 50 }),
});

export const DnsConfig = config({
  /** The name to look up. */
  host: Host,
  record_type: Type.Enum([...RECORD_TYPES]),
  /** Name server to ask, a host or an address; null: the probe's own. */
  resolver: Nullable(Host),
  port: PortOr(53),
  transport: Type.Enum(['udp', 'tcp'], { default: 'udp' }),
  expected_rcode: Type.Enum([...RCODES], { default: 'NOERROR' }),
  expected: Nullable(DnsExpectation),
  timeout_ms: Timeout(5000),
  degraded_after_ms: DegradedAfter,
});
export type DnsConfig = Static<typeof DnsConfig>;
