// The rules of type `tcp` that its schema cannot state (docs/rules/monitor-types.md#tcp).

import type { TypeRules } from '../rules.ts';
import { checkDegradedAfter } from '../thresholds.ts';
import { TcpConfig } from './config.ts';

export const tcp: TypeRules<TcpConfig> = {
  type: 'tcp',
  schema: TcpConfig,
  secrets: () => [],
  checkTarget(config, context) {
    context.host(config.host, 'config.host');
    context.port(config.port, 'config.port');
  },
  check: checkDegradedAfter,
};
