// How often something happens, in a sentence: "every 5 minutes", and "every minute" instead of "every 1 minute". Pure.
import type { TFunction } from 'i18next';
import type { Formats } from './format.ts';

const UNITS = new Map([
  [1, 'second'],
  [60, 'minute'],
  [3_600, 'hour'],
  [86_400, 'day'],
] as const);

export function everyWords(t: TFunction, formats: Pick<Formats, 'durationInWords'>, seconds: number): string {
  const unit = (UNITS as ReadonlyMap<number, 'second' | 'minute' | 'hour' | 'day'>).get(seconds);
  return unit === undefined
    ? t('types.every.duration', { duration: formats.durationInWords(seconds) })
    : t(`types.every.${unit}`);
}
