import type { Check, Finding } from '#probe/check-outcome.ts';
import { DAY_MS } from '#src/domain/durations.ts';
import { utcDay } from '#src/domain/utc.ts';
import type { DomainConfig } from '#src/monitors/types/domain/config.ts';
import { rightNowMs } from '../right-time.ts';
import { runCheck } from '../run-check.ts';
import { type Registration, registrationOf } from './rdap-registration.ts';

/**
 * Checks when the registration of a domain expires, by RDAP (docs/rules/monitor-types.md#domain): days left are the
 * metric, negative once it is over. A latency would be the registry's, so there is none.
 */
export const domain: Check<DomainConfig> = (config, context) =>
  runCheck({ ...config, degraded_after_ms: null }, context, 'target_app', async (running) => {
    running.measured.latencyMs = null;
    const asking = { ...context, signal: running.signal, judged: undefined };
    const registration = await registrationOf(config.domain, asking, running);
    running.judge(
      'Registration',
      { expected: 'registered', actual: registration?.name ?? 'not registered' },
      registration ? undefined : unregistered(config),
    );
    if (registration === null) return;
    const nowMs = rightNowMs(running.policy);
    const daysLeft = (registration.expiresAtMs - nowMs) / DAY_MS;
    running.measured.metricValue = Math.round(daysLeft * 100) / 100;
    running.judge(
      'Days left',
      {
        expected: `at least ${config.warn_days}, and never less than ${config.fail_days}`,
        actual: `${Math.floor(daysLeft)}, until ${utcDay(registration.expiresAtMs)}`,
      },
      daysLeftFinding(registration, daysLeft, config),
    );
  });

function unregistered({ domain: name }: DomainConfig): Finding {
  return {
    failureClass: 'domain_unregistered',
    layer: 'target_app',
    detail: `The registry knows no registration of ${name}`,
  };
}

function daysLeftFinding(
  { name, expiresAtMs }: Registration,
  daysLeft: number,
  { warn_days: warn, fail_days: fail }: DomainConfig,
): Finding | undefined {
  const ends = utcDay(expiresAtMs);
  if (daysLeft < 0)
    return {
      failureClass: 'domain_expired',
      layer: 'target_app',
      detail: `The registration of ${name} expired on ${ends}`,
    };
  if (daysLeft >= Math.max(warn, fail)) return undefined;
  return {
    failureClass: 'domain_expires_soon',
    layer: 'target_app',
    detail: `The registration of ${name} expires on ${ends}, in ${Math.floor(daysLeft)} days`,
    status: daysLeft < fail ? 'down' : 'degraded',
  };
}
