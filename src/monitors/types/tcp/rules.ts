// What a monitor of type `tcp` accepts beyond its schema (docs/rules/monitor-types.md#tcp).

import { completed } from '../completed.ts';
import { checkDegradedAfter } from '../latency.ts';
import type { TypeRules } from '../rules.ts';
import { TcpConfig } from './config.ts';

export const tcp: TypeRules<TcpConfig> = {
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
