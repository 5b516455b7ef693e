// Browser-safe. Config of type `tcp` (docs/rules/monitor-types.md#tcp).
import { type Static, Type } from 'typebox';
import { Nullable } from '#src/platform/contract.ts';
import { config, DegradedAfter, Host, IpFamilyChoice, Port, Timeout } from '../parts.ts';

export const TcpConfig = config({
  host: Host,
  port: Port,
  tls: Type.Boolean({ default: false }),
  /** Text to send once connected; null: nothing. */
  send: Nullable(Type.String({ maxLength: 4096 })),
  /** Must occur in the first 4 KiB of the answer; null: a connection is enough. */
  expect: Nullable(Type.String({ minLength: 1, maxLength: 512 })),
  timeout_ms: Timeout(5000),
  degraded_after_ms: DegradedAfter,
  ip_family: IpFamilyChoice,
});
export type TcpConfig = Static<typeof TcpConfig>;
