// Browser-safe. Config of type `udp` (docs/rules/monitor-types.md#udp).
import { type Static, Type } from 'typebox';
import { Nullable } from '#src/platform/contract.ts';
import { config, DegradedAfter, Host, IpFamilyChoice, Port, Timeout } from '../parts.ts';

export const UdpConfig = config({
  host: Host,
  port: Port,
  /** One datagram, in `encoding`. */
  payload: Type.String({ maxLength: 2800 }),
  encoding: Type.Enum(['text', 'hex', 'base64'], { default: 'text' }),
  /** Must occur in the answer, in the same `encoding`; null: any answer passes, silence fails. */
  expect: Nullable(Type.String({ minLength: 1, maxLength: 512 })),
  timeout_ms: Timeout(3000),
  degraded_after_ms: DegradedAfter,
  ip_family: IpFamilyChoice,
});
export type UdpConfig = Static<typeof UdpConfig>;
