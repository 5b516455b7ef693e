// Browser-safe. Config of type `agent` (docs/rules/monitor-types.md#agent): a threshold on a reading of a host agent.
import { type Static, Type } from 'typebox';
import { Nullable } from '#src/platform/contract.ts';
import { config } from '../parts.ts';

/** `disk_pct:<mount>` beside these. */
export const AGENT_METRICS = [
  'cpu_pct',
  'mem_pct',
  'disk_pct',
  'swap_pct',
  'load1',
  'load5',
  'load15',
  'net_rx_bps',
  'net_tx_bps',
  'temp_c',
  'online',
] as const;

export const AgentConfig = config({
  agent_id: Type.String({ maxLength: 64 }),
  metric: Type.String({ maxLength: 512 }),
  /** Down if `value op threshold` holds; null with the metric online. */
  op: Nullable(Type.Enum(['gt', 'gte', 'lt', 'lte'])),
  threshold: Nullable(Type.Number({ minimum: -1e15, maximum: 1e15 })),
  degraded_threshold: Nullable(Type.Number({ minimum: -1e15, maximum: 1e15 })),
  /** Compares the average over this time. */
  window_seconds: Type.Integer({ minimum: 60, maximum: 86400, default: 300 }),
});
export type AgentConfig = Static<typeof AgentConfig>;
