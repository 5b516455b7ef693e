// The form of the `domain` type.
import { DOMAIN_LEAST_INTERVAL_SECONDS, DomainConfig } from '#src/monitors/types/domain/config.ts';
import type { Amount } from '#web/pages/monitors/form/amounts.ts';
import { daysProblems, hostProblem, numberProblem } from '#web/pages/monitors/form/checks.ts';
import { timingSection, writeTimeout } from '#web/pages/monitors/form/timing.ts';
import { typeForm } from '../type-form.ts';

export type DomainValues = { domain: string; warn_days: Amount; fail_days: Amount; timeout_ms: Amount };

export const form = typeForm<DomainValues, DomainConfig>({
  type: 'domain',
  schema: DomainConfig,
  start: { domain: '' },
  interval: {
    start: 86_400,
    least: DOMAIN_LEAST_INTERVAL_SECONDS,
    hint: (t) => t('fields.domain.interval'),
  },
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
  sections: [timingSection(DomainConfig)],
});
