// Browser-safe. Config of type `tls` (docs/rules/monitor-types.md#tls).
import { type Static, Type } from 'typebox';
import { Nullable } from '#src/platform/contract.ts';
import { config, DegradedAfter, Host, IpFamilyChoice, PortOr, Timeout } from '../parts.ts';

const Days = (fallback: number) => Type.Integer({ minimum: 0, maximum: 3650, default: fallback });

export const TlsConfig = config({
  host: Host,
  port: PortOr(443),
  /** The name to ask for and to verify; null: the host. */
  server_name: Nullable(Type.String({ maxLength: 253 })),
  /** The plain protocol that the connection starts with before it asks for TLS; none: TLS from the first byte. */
  starttls: Type.Enum(['none', 'smtp', 'imap', 'pop3', 'postgres'], { default: 'none' }),
  /** Degraded with fewer days left. */
  warn_days: Days(14),
  /** Down with fewer days left. */
  fail_days: Days(3),
  verify_chain: Type.Boolean({ default: true }),
  verify_hostname: Type.Boolean({ default: true }),
  timeout_ms: Timeout(10000),
  degraded_after_ms: DegradedAfter,
  ip_family: IpFamilyChoice,
});
export type TlsConfig = Static<typeof TlsConfig>;
