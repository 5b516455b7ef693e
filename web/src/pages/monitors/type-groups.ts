// Types to choose from when a monitor is made. What needs an agent is offered once agents can be enrolled.
import type { MonitorType } from '#src/domain/names.ts';

export const TYPE_GROUPS = [
  { group: 'web', types: ['http', 'websocket', 'grpc'] },
  { group: 'network', types: ['tcp', 'udp', 'ping', 'dns'] },
  { group: 'names', types: ['tls', 'domain'] },
  { group: 'servers', types: ['mail', 'database'] },
  { group: 'reporting', types: ['heartbeat'] },
  { group: 'combined', types: ['group'] },
] as const satisfies readonly { group: string; types: readonly MonitorType[] }[];

export type OfferedType = (typeof TYPE_GROUPS)[number]['types'][number];

export const OFFERED_TYPES: readonly OfferedType[] = TYPE_GROUPS.flatMap(
  ({ types }) => types as readonly OfferedType[],
);
