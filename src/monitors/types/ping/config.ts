// Browser-safe. Config of type `ping` (docs/rules/monitor-types.md#ping).
import { type Static, Type } from 'typebox';
import { config, DegradedAfter, Host, IpFamilyChoice, Timeout } from '../parts.ts';

export const PingConfig = config({
  host: Host,
  /** Echo requests of one check. */
  count: Type.Integer({ minimum: 1, maximum: 20, default: 3 }),
  timeout_ms: Timeout(5000),
  /** Down above this share of lost packets. */
  max_loss_pct: Type.Number({ minimum: 0, maximum: 100, default: 50 }),
  /** Degraded at or above this share. */
  degraded_loss_pct: Type.Number({ minimum: 0, maximum: 100, default: 1 }),
  degraded_after_ms: DegradedAfter,
  ip_family: IpFamilyChoice,
});
export type PingConfig = Static<typeof PingConfig>;
