// The rules of type `service` that its schema cannot state (docs/rules/monitor-types.md#service). references.ts looks up its
// agent.

import { serviceNameProblem } from '#src/domain/service-name.ts';
import { refuse } from '#src/platform/refusals.ts';
import type { TypeRules } from '../rules.ts';
import { ServiceConfig } from './config.ts';

export const service: TypeRules<ServiceConfig> = {
  type: 'service',
  schema: ServiceConfig,
  secrets: () => [],
  checkTarget({ service: name }) {
    if (typeof name !== 'string') return;
    const problem = serviceNameProblem(name);
    if (problem !== null)
      refuse('invalid_service_name', `config.service ${problem}.`, { field: 'config.service' });
  },
  check: () => {},
};
