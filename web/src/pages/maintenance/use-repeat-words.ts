import { useTranslation } from 'react-i18next';
import type { Repeat } from '#src/maintenance/contract.ts';
import { useFormats } from '#web/format.ts';
import { zoneName } from '#web/pages/on-call/zones.ts';
import { placeName, repeatValuesOf, WEEKDAYS, type Weekday } from './repeat-values.ts';

/** The names of weekdays in the reader's language. */
export function useWeekdayNames() {
  const { language } = useFormats();
  // 5 January 2026 is a Monday.
  const name = (weekday: Weekday, form: 'long' | 'short') =>
    new Intl.DateTimeFormat(language, { weekday: form }).format(
      new Date(2026, 0, 5 + WEEKDAYS.indexOf(weekday), 12),
    );
  return {
    long: (weekday: Weekday) => name(weekday, 'long'),
    short: (weekday: Weekday) => name(weekday, 'short'),
  };
}

/** The recurrence of a window in a few words; a rule that the form cannot express is shown unchanged. */
export function useRepeatWords(): (repeat: Repeat) => string {
  const { t } = useTranslation();
  const formats = useFormats();
  const names = useWeekdayNames();
  return (repeat) => {
    const { every, days } = repeatValuesOf(repeat);
    const zone = repeat.timezone;
    const said = rhythmOf(repeat, every, days);
    // Other times on this page are in the reader's time zone.
    const rhythm =
      zone === Intl.DateTimeFormat().resolvedOptions().timeZone
        ? said
        : t('maintenance.repeat.inZone', { rhythm: said, zone: zoneName(zone) });
    if (repeat.until_unix == null) return rhythm;
    return t('maintenance.repeat.untilDay', { rhythm, day: formats.date(repeat.until_unix) });
  };

  function rhythmOf(
    { rrule }: Repeat,
    every: ReturnType<typeof repeatValuesOf>['every'],
    days: Weekday[],
  ): string {
    if (every === 'day') return t('maintenance.repeat.day');
    if (every === 'week')
      return days.length === 0
        ? t('maintenance.repeat.weekly')
        : t('maintenance.repeat.weeklyOn', { days: formats.list(days.map((day) => names.long(day))) });
    if (every === 'monthDay') {
      const [day] = /\d+/.exec(rrule) ?? [];
      return day === undefined
        ? t('maintenance.repeat.monthly')
        : t('maintenance.repeat.monthDay', { day: formats.integer(Number(day)) });
    }
    const [, nth, weekday] = /BYDAY=(-1|[1-4])(..)$/.exec(rrule) ?? [];
    if (every !== 'monthWeekday' || nth === undefined) return rrule;
    return t('maintenance.repeat.monthWeekday', {
      place: t(`maintenance.repeat.place.${placeName(Number(nth))}`),
      weekday: names.long(weekday as Weekday),
    });
  }
}
