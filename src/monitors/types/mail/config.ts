// Browser-safe. Config of type `mail` (docs/rules/monitor-types.md#mail).
import { type Static, Type } from 'typebox';
import { Nullable } from '#src/platform/contract.ts';
import { destination, hostOf } from '../destination.ts';
import { config, DegradedAfter, Host, IpFamilyChoice, Port, Timeout } from '../parts.ts';

export const MailAuth = config({
  username: Type.String({ minLength: 1, maxLength: 1024 }),
  password: Type.String({ minLength: 1, maxLength: 4096 }),
});

export const MailConfig = config({
  protocol: Type.Enum(['smtp', 'imap', 'pop3']),
  host: Host,
  /** null: the default of the protocol and its security. */
  port: Nullable(Port),
  security: Type.Enum(['none', 'starttls', 'tls'], { default: 'none' }),
  /** Signs in with these; null: the greeting is enough. */
  auth: Nullable(MailAuth),
  timeout_ms: Timeout(10000),
  degraded_after_ms: DegradedAfter,
  ip_family: IpFamilyChoice,
});
export type MailConfig = Static<typeof MailConfig>;

/** The registered ports (RFC 8314, RFC 6409, RFC 9051, RFC 1939). */
export const MAIL_PORTS = {
  smtp: { none: 25, starttls: 587, tls: 465 },
  imap: { none: 143, starttls: 143, tls: 993 },
  pop3: { none: 110, starttls: 110, tls: 995 },
} as const;

export function mailDestination(config: Readonly<Record<string, unknown>>): string {
  const { protocol, security = 'none', port } = config as Partial<MailConfig>;
  const usual = MAIL_PORTS[protocol as keyof typeof MAIL_PORTS]?.[security ?? 'none'];
  return destination(protocol, hostOf(config), port ?? usual, security ?? 'none');
}
