// The range of a report in words, and times in its time zone.
import type { PageLanguage } from '#src/domain/names.ts';
import { filled } from '#src/platform/page-language.ts';
import { formatsOf } from '#src/status-pages/public/formats.ts';
import type { Report } from '../contract.ts';
import type { ReportWords } from './words.ts';

const LOCALES: Readonly<Record<PageLanguage, string>> = { en: 'en-GB', de: 'de' };

/** Formats percentages and durations as status pages do. */
export function reportFormats(
  { period, timezone, from_unix, to_unix }: Report,
  language: PageLanguage,
  words: ReportWords,
) {
  const { percent, duration } = formatsOf(language, timezone);
  const date = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(LOCALES[language], { hourCycle: 'h23', timeZone: timezone, ...options });
  const days = date({ day: 'numeric', month: 'long', year: 'numeric' });
  const month = date({ month: 'long', year: 'numeric' });
  const moment = date({
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  const whole = date({ dateStyle: 'long', timeStyle: 'short' });
  return {
    percent: (value: number | null) => (value === null ? words.noData : percent(value)),
    /** Zero is shown as a dash, so that other values stand out. */
    seconds: (value: number) => (value === 0 ? words.none : duration(value)),
    duration,
    moment: (unix: number) => moment.format(unix * 1000),
    /** Date and time, written out. */
    whole: (unix: number) => whole.format(unix * 1000),
    /** `October 2026`, `Quarter 4 of 2026`, `3 – 17 October 2026`. */
    period(): string {
      const [, year, quarter] = /^(\d{4})-Q([1-4])$/.exec(period ?? '') ?? [];
      if (quarter !== undefined) return filled(words.quarter, { quarter, year: year ?? '' });
      if (/^\d{4}$/.test(period ?? '')) return period ?? '';
      if (/^\d{4}-\d{2}$/.test(period ?? '')) return month.format(from_unix * 1000);
      return days.formatRange(from_unix * 1000, Math.max(from_unix, to_unix - 1) * 1000);
    },
  };
}

export type ReportFormats = ReturnType<typeof reportFormats>;
