// Browser-safe. Config of type `service` (docs/rules/monitor-types.md#service): one service that a host agent watches.
import { type Static, Type } from 'typebox';
import { SERVICE_KINDS } from '#src/domain/names.ts';
import { Nullable } from '#src/platform/contract.ts';
import { config } from '../parts.ts';

export const ServiceConfig = config({
  agent_id: Type.String({ maxLength: 64 }),
  service: Type.String({ maxLength: 1024 }),
  kind: Type.Enum([...SERVICE_KINDS]),
  expect: Type.Enum(['running', 'stopped'], { default: 'running' }),
  max_cpu_pct: Nullable(Type.Number({ minimum: 0, maximum: 1e6 })),
  max_mem_mb: Nullable(Type.Number({ minimum: 0, maximum: 1e9 })),
});
export type ServiceConfig = Static<typeof ServiceConfig>;
