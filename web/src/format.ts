// Numbers, times and durations in the reader's language, all through Intl; formatters are created once per language.
import { useTranslation } from 'react-i18next';
import { isolated } from '#src/domain/direction.ts';
import type { SeriesUnit } from '#src/domain/names.ts';
import { cutPercent } from '#src/domain/percent.ts';
import { useDay } from './ui/use-now.ts';

const cache = new Map<string, unknown>();

function once<T>(key: string, make: () => T): T {
  const known = cache.get(key);
  if (known !== undefined) return known as T;
  const made = make();
  cache.set(key, made);
  return made;
}

function number(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return once(`n${language}${JSON.stringify(options)}`, () => new Intl.NumberFormat(language, options));
}

function date(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return once(
    `d${language}${JSON.stringify(options)}`,
    () => new Intl.DateTimeFormat(language, { hourCycle: 'h23', ...options }),
  );
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

function duration(language: string, seconds: number, display: 'short' | 'long', parts = 2): string {
  const whole = Math.max(0, Math.round(seconds));
  const said: string[] = [];
  let left = whole;
  for (const [unit, size] of UNITS) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count === 0) {
      if (said.length > 0) break;
      continue;
    }
    said.push(number(language, { style: 'unit', unit, unitDisplay: display }).format(count));
    if (said.length === parts) break;
  }
  if (said.length === 0) {
    return number(language, { style: 'unit', unit: 'second', unitDisplay: display }).format(0);
  }
  return said.join(' ');
}

const AGO = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** "Yesterday" is a day of the calendar, and 40 hours ago may be the day before: whole days are counted. "Now" is no number. */
function relative(language: string, count: number, unit: (typeof AGO)[number][0] | 'second'): string {
  const numeric = unit === 'second' ? 'auto' : 'always';
  return once(`r${language}${numeric}`, () => new Intl.RelativeTimeFormat(language, { numeric })).format(
    count,
    unit,
  );
}

function ago(language: string, seconds: number): string {
  for (const [unit, size] of AGO) {
    if (seconds >= size) return relative(language, -Math.floor(seconds / size), unit);
  }
  return relative(language, -Math.max(0, Math.floor(seconds)), 'second');
}

/** Milliseconds as `84 ms` or `1.24 s`. */
function milliseconds(language: string, ms: number): string {
  if (ms < 1_000) {
    return number(language, { style: 'unit', unit: 'millisecond', maximumFractionDigits: 0 }).format(ms);
  }
  return number(language, { style: 'unit', unit: 'second', maximumFractionDigits: 2 }).format(ms / 1_000);
}

const BYTES = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const;

/** A rate such as `980 byte/s` or `1.2 MB/s`, in decimal units, as networks are sold. */
function bytesPerSecond(language: string, value: number): string {
  const step = Math.floor(Math.log10(Math.max(1, Math.abs(value))) / 3);
  const at = Math.min(BYTES.length - 1, step);
  const unit = `${BYTES[at]}-per-second`;
  return number(language, { style: 'unit', unit, maximumFractionDigits: 1 }).format(value / 1_000 ** at);
}

/** A value of a chart in its unit: `84 ms`, `37 %`, `1.2 MB/s`, `0.84`. */
function measured(language: string, value: number, unit: SeriesUnit): string {
  const as = (options: Intl.NumberFormatOptions) =>
    number(language, { maximumFractionDigits: 1, ...options }).format(value);
  switch (unit) {
    case 'ms':
      return milliseconds(language, value);
    case 'pct':
      return as({ style: 'unit', unit: 'percent' });
    case 'bps':
      return bytesPerSecond(language, value);
    case 'celsius':
      return as({ style: 'unit', unit: 'celsius' });
    case 'mb':
      return as({ style: 'unit', unit: 'megabyte' });
    default:
      return as({ maximumFractionDigits: 2 });
  }
}

/** Keeps the significant digits near 100 (99.95 %), and never rounds 99.999 up to 100. */
function percent(language: string, value: number): string {
  const cut = cutPercent(value);
  return number(language, { style: 'percent', maximumFractionDigits: cut.digits }).format(cut.value / 100);
}

/** As little of the date as tells the moment apart: nothing of today, and the year only of another one. */
function dateOf(unix: number): Intl.DateTimeFormatOptions {
  const [day, today] = [new Date(unix * 1_000), new Date()];
  if (day.toDateString() === today.toDateString()) return {};
  const isThisYear = day.getFullYear() === today.getFullYear();
  return { day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) };
}

/** How far off the moment a rounded `until` may be, as a share of the time until then. */
const MAX_OFF = 0.2;

/**
 * The opposite of `ago`: `in 6 days`, `in 3 hours`; a past moment is shown as past. It is rounded, so that what lasts two hours does
 * not end in one a second later; but 90 minutes are not two hours.
 */
function until(language: string, seconds: number): string {
  if (seconds < 0) return ago(language, -seconds);
  for (const [unit, size] of AGO) {
    const count = Math.round(seconds / size);
    if (seconds >= size && Math.abs(count * size - seconds) <= seconds * MAX_OFF)
      return relative(language, count, unit);
  }
  return relative(language, Math.floor(seconds), 'second');
}

export type Formats = ReturnType<typeof formatsFor>;

/** All formats of one language (BCP 47). Times are Unix seconds and shown in the reader's own zone. */
export function formatsFor(language: string) {
  return {
    language,
    integer: (value: number) => number(language, { maximumFractionDigits: 0 }).format(value),
    /** All significant digits, at most three after the decimal point. */
    number: (value: number) => number(language, { maximumFractionDigits: 3 }).format(value),
    percent: (value: number) => percent(language, value),
    megabytes: (bytes: number) =>
      number(language, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 }).format(bytes / 1e6),
    milliseconds: (ms: number) => milliseconds(language, ms),
    /** A value of a chart in its unit. */
    measured: (value: number, unit: SeriesUnit) => measured(language, value, unit),
    /** The two largest units: `2 hr 5 min`. */
    duration: (seconds: number) => duration(language, seconds, 'short'),
    /** Written out, for sentences: `2 hours 5 minutes`. */
    durationInWords: (seconds: number) => duration(language, seconds, 'long'),
    ago: (seconds: number) => ago(language, seconds),
    /** Time until then: `in 6 days`. */
    until: (seconds: number) => until(language, seconds),
    /** Clock time with seconds. */
    clock: (unix: number) =>
      date(language, { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(unix * 1_000),
    day: (unix: number) => date(language, { day: 'numeric', month: 'short' }).format(unix * 1_000),
    /** Day with its year. */
    date: (unix: number) => date(language, { dateStyle: 'medium' }).format(unix * 1_000),
    /** Day with its year, and the time. */
    dateAndTime: (unix: number) =>
      date(language, { dateStyle: 'medium', timeStyle: 'short' }).format(unix * 1_000),
    /** Weekday, day and time in another time zone. */
    inZone: (unix: number, timeZone: string) =>
      date(language, {
        timeZone,
        weekday: 'short',
        day: 'numeric',
        month: 'short',
        hour: '2-digit',
        minute: '2-digit',
      }).format(unix * 1_000),
    /** Weekday and day in another time zone. */
    dayInZone: (unix: number, timeZone: string) =>
      date(language, { timeZone, weekday: 'short', day: 'numeric', month: 'short' }).format(unix * 1_000),
    /** From the day of `from` to the last day before `until`, in another time zone. */
    daysInZone: (from: number, until: number, timeZone: string) => {
      const day = date(language, { timeZone, day: 'numeric', month: 'short' });
      const said = day.formatRange(from * 1_000, (until - 1) * 1_000);
      // Across New Year a range would name both years and be twice as long.
      return /\d{4}/.test(said) ? `${day.format(from * 1_000)} – ${day.format((until - 1) * 1_000)}` : said;
    },
    /** Date and time, without the date when it is today, and without the year when it is this one. */
    moment: (unix: number) => {
      const day = dateOf(unix);
      const time = { ...day, hour: '2-digit', minute: '2-digit' } as const;
      return date(language, 'day' in day ? time : { ...time, second: '2-digit' }).format(unix * 1_000);
    },
    /** Like `moment`, without the seconds. */
    minute: (unix: number) =>
      date(language, { ...dateOf(unix), hour: '2-digit', minute: '2-digit' }).format(unix * 1_000),
    /** Date and time in full, for titles and tooltips. */
    full: (unix: number) => date(language, { dateStyle: 'full', timeStyle: 'long' }).format(unix * 1_000),
    list: (items: string[]) =>
      once(`l${language}`, () => new Intl.ListFormat(language, { type: 'conjunction' })).format(
        items.map(isolated),
      ),
    /** With "or" before the last item. */
    either: (items: string[]) =>
      once(`e${language}`, () => new Intl.ListFormat(language, { type: 'disjunction' })).format(
        items.map(isolated),
      ),
  };
}

/** The reader's regional variant of a language, if the browser names one: en-GB puts days before months. */
function localeOf(language: string): string {
  return navigator.languages.find((wanted) => wanted.startsWith(language)) ?? language;
}

/** The formats of the current language. At midnight they are others: what was today has a date from then on. */
export function useFormats(): Formats {
  const { i18n } = useTranslation();
  const language = i18n.language;
  const day = useDay();
  return once(`f${language}${day}`, () => formatsFor(localeOf(language)));
}
