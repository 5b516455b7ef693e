// The `domain` type in the form.
import { DomainConfig } from '#src/monitors/types/domain/config.ts';
import type { Amount } from '#web/pages/monitors/form/amounts.ts';
import { daysProblems, hostProblem, numberProblem } from '#web/pages/monitors/form/checks.ts';
import { timingFold, writeTimeout } from '#web/pages/monitors/form/timing.ts';
import type { FormType } from '../form-type.ts';

export type DomainValues = { domain: string; warn_days: Amount; fail_days: Amount; timeout_ms: Amount };

export const domain: FormType<DomainValues, DomainConfig> = {
  type: 'domain',
  schema: DomainConfig,
  start: { domain: '' },
  read: (config) => ({ ...config }),
  write: ({ domain, warn_days, fail_days, timeout_ms }) => ({
    domain: domain.trim(),
    warn_days,
    fail_days,
    ...writeTimeout(timeout_ms),
  }),
  problems: (values) => ({
    domain: hostProblem(values.domain),
    ...daysProblems(values.warn_days, values.fail_days),
    timeout_ms: numberProblem(values.timeout_ms, 100, 300_000),
  }),
  folds: [timingFold(DomainConfig)],
};
