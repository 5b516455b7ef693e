// What a monitor of type `tcp` accepts beyond its schema (docs/rules/monitor-types.md#tcp).
import { completed } from '../completed.ts';
import { TcpConfig } from '../config/tcp.ts';
import type { Kind } from '../kind.ts';
import { checkDegradedAfter } from '../latency.ts';

export const tcp: Kind<TcpConfig> = {
  type: 'tcp',
  schema: TcpConfig,
  complete: completed(TcpConfig),
  secrets: () => [],
  checkTarget(config, context) {
    context.host(config.host, 'config.host');
    context.port(config.port, 'config.port');
  },
  check: checkDegradedAfter,
};
