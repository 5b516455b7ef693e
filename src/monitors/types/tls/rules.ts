// The rules of type `tls` that its schema cannot state (docs/rules/monitor-types.md#tls).

import type { TypeRules } from '../rules.ts';
import { checkDays, checkDegradedAfter } from '../thresholds.ts';
import { TlsConfig } from './config.ts';

export const tls: TypeRules<TlsConfig> = {
  type: 'tls',
  schema: TlsConfig,
  secrets: () => [],
  checkTarget(config, context) {
    context.host(config.host, 'config.host');
    context.port(config.port, 'config.port');
    if (config.server_name !== null)
      context.host(config.server_name, 'config.server_name', { isConnectedTo: false });
  },
  check(config) {
    checkDegradedAfter(config);
    checkDays(config);
  },
};
