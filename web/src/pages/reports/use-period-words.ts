import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/format.ts';
import { daysOf, kindOf } from './search.ts';

/** A period in words: `October 2026`, `Quarter 4 of 2026`, `3 – 17 October 2026`. */
export function usePeriodWords(): (period: string) => string {
  const { t } = useTranslation();
  const { language } = useFormats();
  // A calendar day, not a moment: it is formatted in the same time zone in which it was created.
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...options });
  return (period) => {
    switch (kindOf(period)) {
      case 'month':
        return format({ month: 'long', year: 'numeric' }).format(Date.parse(`${period}-01`));
      case 'quarter':
        return t('reports.quarter', { quarter: period.slice(6), year: period.slice(0, 4) });
      case 'days': {
        const [first, last] = daysOf(period).map((day) => Date.parse(day));
        return format({ day: 'numeric', month: 'long', year: 'numeric' }).formatRange(first ?? 0, last ?? 0);
      }
      default:
        return period;
    }
  };
}
