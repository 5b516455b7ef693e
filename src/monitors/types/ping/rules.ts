// The rules of type `ping` that its schema cannot state (docs/rules/monitor-types.md#ping).

import { invalidConfig, type TypeRules } from '../rules.ts';
import { checkDegradedAfter } from '../thresholds.ts';
import { PingConfig } from './config.ts';

export const ping: TypeRules<PingConfig> = {
  type: 'ping',
  schema: PingConfig,
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
