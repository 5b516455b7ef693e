// The rules of type `domain` that its schema cannot state (docs/rules/monitor-types.md#domain).
import { isAddress } from '#src/domain/target.ts';
import { refuse } from '#src/platform/refusals.ts';
import type { TypeRules } from '../rules.ts';
import { checkDays } from '../thresholds.ts';
import { DOMAIN_LEAST_INTERVAL_SECONDS, DomainConfig } from './config.ts';

export const domain: TypeRules<DomainConfig> = {
  type: 'domain',
  schema: DomainConfig,
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
