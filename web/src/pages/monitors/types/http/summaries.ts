// Summaries of collapsed sections: they name only the differences from the defaults, or say that there are none.
import type { TFunction } from 'i18next';
import type { Formats } from '#web/format.ts';
import type { HttpValues } from './values.ts';

/** `GET · 2 headers · Bearer`. */
export function requestSummary(t: TFunction, formats: Formats, config: HttpValues): string {
  const said: string[] = [config.method];
  if (config.headers.length > 0) said.push(t('form.headerCount', { count: config.headers.length }));
  if (config.auth.kind !== 'none') said.push(t(`form.authKind.${config.auth.kind}`));
  if (config.timeout_ms !== '') said.push(`${t('form.timeout')} ${formats.milliseconds(config.timeout_ms)}`);
  return said.join(' · ');
}

/** `200-299 · contains “ok” · slow after 800 ms`. */
export function expectationSummary(t: TFunction, formats: Formats, config: HttpValues): string {
  const said: string[] = [config.expected_status.join(', ')];
  const { keyword } = config;
  if (keyword.text !== '') said.push(`${t(`form.keywordModes.${keyword.mode}`)} “${keyword.text}”`);
  const assertions = config.json_assertions.length + config.header_assertions.length;
  if (assertions > 0) said.push(t('form.assertionCount', { count: assertions }));
  if (config.degraded_after_ms !== '') {
    said.push(t('form.slowSummary', { duration: formats.milliseconds(config.degraded_after_ms) }));
  }
  return said.join(' · ');
}

/** `Certificate is verified · at least 14 days left`. */
export function tlsSummary(t: TFunction, { tls }: HttpValues): string {
  const said: string[] = [t(tls.verify ? 'form.tls.verified' : 'form.tls.unverified')];
  if (tls.min_days_left !== '') said.push(t('form.tls.daysSummary', { count: tls.min_days_left }));
  return said.join(' · ');
}
