// What a monitor of type `ping` accepts beyond its schema (docs/rules/monitor-types.md#ping).

import { completed } from '../completed.ts';
import { checkDegradedAfter } from '../latency.ts';
import { invalidConfig, type TypeRules } from '../rules.ts';
import { PingConfig } from './config.ts';

export const ping: TypeRules<PingConfig> = {
  type: 'ping',
  schema: PingConfig,
  complete: completed(PingConfig),
  secrets: () => [],
  checkTarget(config, context) {
    context.host(config.host, 'config.host');
  },
  check(config) {
    checkDegradedAfter(config);
    if (config.degraded_loss_pct > config.max_loss_pct)
      invalidConfig('config.degraded_loss_pct', 'must not be above max_loss_pct');
  },
};
