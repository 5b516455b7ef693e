// What a monitor of type `domain` accepts beyond its schema (docs/rules/monitor-types.md#domain).
import { isAddress } from '#src/domain/target.ts';
import { refuse } from '#src/platform/refusals.ts';
import { completed } from '../completed.ts';
import { checkDays } from '../days-left.ts';
import type { TypeRules } from '../rules.ts';
import { DOMAIN_LEAST_INTERVAL_SECONDS, DomainConfig } from './config.ts';

export const domain: TypeRules<DomainConfig> = {
  type: 'domain',
  schema: DomainConfig,
  complete: completed(DomainConfig),
  secrets: () => [],
  leastIntervalSeconds: DOMAIN_LEAST_INTERVAL_SECONDS,
  checkTarget(config, context) {
    context.host(config.domain, 'config.domain', { isConnectedTo: false });
    if (isAddress(config.domain))
      refuse('invalid_target', 'config.domain must be a name: addresses are not registered.', {
        field: 'config.domain',
      });
  },
  check: checkDays,
};
