import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/format.ts';
import type { Hour } from './week.ts';

/** A Monday, at midnight UTC. */
const MONDAY_MS = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;
const two = (value: number) => String(value).padStart(2, '0');

/** Hours of the week in words. */
export function useHourWords() {
  const { t } = useTranslation();
  const formats = useFormats();
  const day = (weekday: number, length: 'short' | 'long') =>
    new Intl.DateTimeFormat(formats.language, { weekday: length, timeZone: 'UTC' }).format(
      MONDAY_MS + (weekday - 1) * DAY_MS,
    );
  const uptime = ({ uptime_time_pct: pct, maintenance_seconds: planned }: Hour) =>
    pct === null ? t(planned > 0 ? 'week.onlyMaintenance' : 'week.nothing') : formats.percent(pct);
  return {
    day,
    uptime,
    /** Everything known about one hour. */
    sentence: (hour: Hour): string => {
      const from = `${two(hour.hour)}:00`;
      const to = `${two((hour.hour + 1) % 24)}:00`;
      const name = t('week.hour', { day: day(hour.weekday, 'long'), from, to });
      const lasted = {
        down: formats.duration(hour.downtime_seconds),
        all: formats.duration(hour.counted_seconds),
      };
      const of =
        hour.uptime_time_pct === null
          ? ''
          : ` (${t(hour.downtime_seconds === 0 ? 'week.upOf' : 'week.downOf', lasted)})`;
      return `${name}: ${uptime(hour)}${of}`;
    },
  };
}
