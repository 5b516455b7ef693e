// What a monitor of type `tls` accepts beyond its schema (docs/rules/monitor-types.md#tls).

import { completed } from '../completed.ts';
import { checkDays } from '../days-left.ts';
import { checkDegradedAfter } from '../latency.ts';
import type { TypeRules } from '../rules.ts';
import { TlsConfig } from './config.ts';

export const tls: TypeRules<TlsConfig> = {
  type: 'tls',
  schema: TlsConfig,
  complete: completed(TlsConfig),
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
