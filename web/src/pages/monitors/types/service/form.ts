// The form of the `service` type: one service that a host agent watches.
import { ServiceConfig } from '#src/monitors/types/service/config.ts';
import { type Amount, orEmpty, orNull } from '#web/pages/monitors/form/amounts.ts';
import { neededProblem, numberProblem } from '#web/pages/monitors/form/checks.ts';
import { typeForm } from '../type-form.ts';

export type ServiceValues = {
  agent_id: string;
  service: string;
  kind: ServiceConfig['kind'];
  expect: ServiceConfig['expect'];
  max_cpu_pct: Amount;
  max_mem_mb: Amount;
};

export const form = typeForm<ServiceValues, ServiceConfig>({
  type: 'service',
  schema: ServiceConfig,
  start: { agent_id: '', service: '', kind: 'systemd' },
  read: (config) => ({
    agent_id: config.agent_id,
    service: config.service,
    kind: config.kind,
    expect: config.expect,
    max_cpu_pct: orEmpty(config.max_cpu_pct),
    max_mem_mb: orEmpty(config.max_mem_mb),
  }),
  write: (values) => ({
    agent_id: values.agent_id.trim(),
    service: values.service.trim(),
    kind: values.kind,
    expect: values.expect,
    max_cpu_pct: orNull(values.max_cpu_pct),
    max_mem_mb: orNull(values.max_mem_mb),
  }),
  problems: (values) => ({
    agent_id: neededProblem(values.agent_id),
    service: neededProblem(values.service),
    max_cpu_pct: numberProblem(values.max_cpu_pct, 0, 1e6, { whole: false }),
    max_mem_mb: numberProblem(values.max_mem_mb, 0, 1e9, { whole: false }),
  }),
  sections: [],
});
