// Timeout and degraded threshold: shared by every type with a latency.
import type { TFunction } from 'i18next';
import type { TObject } from 'typebox';
import { defaultOf } from '#src/monitors/types/defaults.ts';
import type { Formats } from '#web/format.ts';
import type { FormSection, Problems } from '../types/type-form.ts';
import { type Amount, orEmpty, orNull } from './amounts.ts';
import { numberProblem } from './checks.ts';

export type Timing = { timeout_ms: Amount; degraded_after_ms: Amount };
export type IpFamily = { ip_family: 'auto' | '4' | '6' };

export function readTiming(config: { timeout_ms: number; degraded_after_ms: number | null }): Timing {
  return { timeout_ms: config.timeout_ms, degraded_after_ms: orEmpty(config.degraded_after_ms) };
}

/** For an empty timeout the server chooses one. */
export function writeTimeout(timeout_ms: Amount): { timeout_ms?: number } {
  return timeout_ms === '' ? {} : { timeout_ms };
}

export function writeTiming({ timeout_ms, degraded_after_ms }: Timing): Record<string, unknown> {
  return { ...writeTimeout(timeout_ms), degraded_after_ms: orNull(degraded_after_ms) };
}

export function timingProblems(values: Partial<Timing>): Problems {
  return {
    timeout_ms: numberProblem(values.timeout_ms ?? '', 100, 300_000),
    degraded_after_ms: numberProblem(values.degraded_after_ms ?? '', 1, 300_000),
  };
}

/** `Timeout 5 s · degraded above 800 ms · IPv6`. */
export function timingSummary(
  t: TFunction,
  formats: Formats,
  values: Partial<Timing & IpFamily>,
  usualMs: number,
): string {
  const { timeout_ms = '', degraded_after_ms = '', ip_family = 'auto' } = values;
  const said = [`${t('form.timeout')} ${formats.milliseconds(timeout_ms === '' ? usualMs : timeout_ms)}`];
  if (degraded_after_ms !== '')
    said.push(t('form.slowSummary', { duration: formats.milliseconds(degraded_after_ms) }));
  if (ip_family !== 'auto') said.push(`IPv${ip_family}`);
  return said.join(' · ');
}

/** The type's default timeout, if the interval is long enough. */
export const usualTimeout = (schema: TObject): number => Number(defaultOf(schema, 'timeout_ms'));

/** The section of a type with a timeout; `schema` is the schema of its config. */
export function timingSection<Values extends Partial<Timing & IpFamily>>(
  schema: TObject,
): FormSection<Values> {
  return {
    id: 'timing',
    fields: ['timeout_ms', 'degraded_after_ms', 'ip_family'],
    title: (t) => t('fields.timing'),
    summary: (t, formats, values) => timingSummary(t, formats, values, usualTimeout(schema)),
  };
}
