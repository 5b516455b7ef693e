// Numbers, durations and times in the language and the zone of a page, all through Intl. Formatters are expensive to create, so
// they are created once per language and zone.
import { DAY_MS } from '#src/domain/durations.ts';
import type { PageLanguage } from '#src/domain/names.ts';
import { cutPercent } from '#src/domain/percent.ts';

/** Days before months, as in most of the world; the page's script uses the visitor's own format. */
const LOCALES: Readonly<Record<PageLanguage, string>> = { en: 'en-GB', de: 'de' };

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

export type Formats = ReturnType<typeof makeFormats>;

const made = new Map<string, Formats>();

/** Formats of a language (BCP 47) and a time zone (IANA). */
export function formatsOf(language: PageLanguage, timeZone: string): Formats {
  const key = `${language} ${timeZone}`;
  const known = made.get(key);
  if (known) return known;
  const formats = makeFormats(LOCALES[language], timeZone);
  made.set(key, formats);
  return formats;
}

function makeFormats(locale: string, timeZone: string) {
  const date = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { hourCycle: 'h23', timeZone, ...options });
  const utc = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options });
  const percents = [0, 1, 2, 3].map((digits) =>
    remembered(new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: digits })),
  );
  const units = UNITS.map(
    ([unit, seconds]) =>
      [
        seconds,
        remembered(new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' })),
      ] as const,
  );
  const milliseconds = remembered(new Intl.NumberFormat(locale, { style: 'unit', unit: 'millisecond' }));
  const inSeconds = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: 'second',
    maximumFractionDigits: 2,
  });
  const clock = date({ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' });
  const moment = date({
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  const withoutYear = date({
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  const year = date({ year: 'numeric' });
  const heading = date({ weekday: 'long', day: 'numeric', month: 'long' });
  const ownDay = date({ year: 'numeric', month: '2-digit', day: '2-digit' });
  const utcDay = remembered(utc({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }));
  const shortDay = remembered(utc({ day: 'numeric', month: 'short' }));
  const month = utc({ month: 'long', year: 'numeric' });
  return {
    percent: (value: number) => {
      const cut = cutPercent(value);
      return percents[cut.digits]!(cut.value / 100);
    },
    /** The two largest units: `2 hrs 5 mins`. */
    duration: (seconds: number) => duration(units, seconds),
    /** `84 ms` or `1.24 s`. */
    responseTime: (ms: number) =>
      Math.round(ms) < 1_000 ? milliseconds(Math.round(ms)) : inSeconds.format(ms / 1_000),
    /** `14:05 UTC`. */
    clock: (at: Date) => clock.format(at),
    /** `23 Nov 2026, 14:05 UTC`. */
    moment: (at: Date) => moment.format(at),
    /** The same without its year if that is the year of `now`. */
    day: (at: Date, now: Date) =>
      year.format(at) === year.format(now) ? withoutYear.format(at) : moment.format(at),
    /** `Monday 23 November`, in the page's time zone. */
    heading: (at: Date) => heading.format(at),
    /** The same value for all instants of one day in the page's time zone. */
    dayKey: (at: Date) => ownDay.format(at),
    /** `Mon, 23 Nov 2026` of a day in UTC, YYYY-MM-DD. */
    utcDay: (isoDay: string) => utcDay(Date.parse(isoDay)),
    /** `23 Nov` in UTC. */
    shortDay: (atMs: number) => shortDay(Math.floor(atMs / DAY_MS) * DAY_MS),
    /** `November 2026` of a month in UTC, YYYY-MM. */
    month: (isoMonth: string) => month.format(new Date(`${isoMonth}-01T00:00:00Z`)),
  };
}

const MAX_REMEMBERED = 2_000;

/** A page of hundreds of monitors shows few numbers and days, again and again. */
function remembered(format: { format: (value: number) => string }): (value: number) => string {
  const known = new Map<number, string>();
  return (value) => {
    const before = known.get(value);
    if (before !== undefined) return before;
    if (known.size >= MAX_REMEMBERED) known.clear();
    const text = format.format(value);
    known.set(value, text);
    return text;
  };
}

function duration(units: readonly (readonly [number, (count: number) => string])[], seconds: number): string {
  const said: string[] = [];
  let left = Math.max(0, Math.round(seconds));
  for (const [size, format] of units) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) said.push(format(count));
    if (said.length === 2 || (said.length === 1 && count === 0)) break;
  }
  return said.length > 0 ? said.join(' ') : units.at(-1)![1](0);
}
