// The parameters of a report in the URL, and the periods before and after one.
export const PERIOD_KINDS = ['month', 'quarter', 'year', 'days'] as const;
export type PeriodKind = (typeof PERIOD_KINDS)[number];

/** At most one of project, tag and page. */
export type ReportSearch = { period?: string; zone?: string; project?: string; tag?: string; page?: string };

const text = (value: unknown): string | undefined => {
  // The router parses a bare year as a number.
  const given = typeof value === 'number' ? String(value) : value;
  return typeof given === 'string' && given !== '' ? given : undefined;
};

/** Parses URL parameters; drops others. */
export function readReportSearch(search: Record<string, unknown>): ReportSearch {
  const project = text(search.project);
  const tag = project === undefined ? text(search.tag) : undefined;
  const page = project === undefined && tag === undefined ? text(search.page) : undefined;
  const period = text(search.period);
  const found = {
    period: period !== undefined && kindOf(period) !== null ? period : undefined,
    zone: zoneOf(search.zone),
    ...{ project, tag, page },
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

function zoneOf(value: unknown): string | undefined {
  const zone = text(value);
  try {
    return zone === undefined ? undefined : new Intl.DateTimeFormat('en', { timeZone: zone }) && zone;
  } catch {
    return undefined;
  }
}

const SHAPES: readonly (readonly [PeriodKind, RegExp])[] = [
  ['month', /^\d{4}-(0[1-9]|1[0-2])$/],
  ['quarter', /^\d{4}-Q[1-4]$/],
  ['year', /^\d{4}$/],
  ['days', /^\d{4}-\d{2}-\d{2}(\/\d{4}-\d{2}-\d{2})?$/],
];

/** null: no valid period. */
export function kindOf(period: string): PeriodKind | null {
  const kind = SHAPES.find(([, shape]) => shape.test(period))?.[0] ?? null;
  return kind === 'days' && !daysOf(period).every(isDay) ? null : kind;
}

/** Whether the calendar has the day: 2026-02-31 has the shape of one. */
function isDay(day: string): boolean {
  const ms = Date.parse(day);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}

/** The day of a moment in a time zone, YYYY-MM-DD. */
export const dayAt = (ms: number, zone: string): string =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(ms);

const two = (value: number) => String(value).padStart(2, '0');
const monthOf = (count: number) => `${Math.floor(count / 12)}-${two((count % 12) + 1)}`;
const quarterOf = (count: number) => `${Math.floor(count / 4)}-Q${(count % 4) + 1}`;

/** Shifts a period by a number of periods of its kind; a period of days, by its number of days. */
export function shiftPeriod(period: string, steps: number): string {
  const year = Number(period.slice(0, 4));
  switch (kindOf(period)) {
    case 'month':
      return monthOf(year * 12 + Number(period.slice(5)) - 1 + steps);
    case 'quarter':
      return quarterOf(year * 4 + Number(period.slice(6)) - 1 + steps);
    case 'year':
      return String(year + steps);
    default: {
      const [first, last] = daysOf(period);
      const count = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
      return spanOf(moved(first, count * steps), moved(last, count * steps));
    }
  }
}

const DAY_MS = 86_400_000;
const moved = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** The first and the last day of a period of days. */
export function daysOf(period: string): [first: string, last: string] {
  const [first = '', last = first] = period.split('/');
  return [first, last];
}

export const spanOf = (first: string, last: string) => (first === last ? first : `${first}/${last}`);

/** The period of a kind that contains `day`; for days, the seven that end with it. */
export function periodOf(kind: PeriodKind, day: string): string {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
  switch (kind) {
    case 'month':
      return day.slice(0, 7);
    case 'quarter':
      return quarterOf(year * 4 + Math.floor((month - 1) / 3));
    case 'year':
      return String(year);
    case 'days':
      return spanOf(moved(day, -6), day);
  }
}

/** The last day of a period, or today if that is earlier: used to switch to another kind of period. */
export function lastDayOf(period: string, today: string): string {
  const kind = kindOf(period) ?? 'month';
  if (kind === 'days') return earlier(daysOf(period)[1], today);
  const next = shiftPeriod(period, 1);
  const year = Number(next.slice(0, 4));
  const month =
    kind === 'quarter' ? Number(next.slice(6)) * 3 - 2 : kind === 'year' ? 1 : Number(next.slice(5));
  return earlier(moved(`${year}-${two(month)}-01`, -1), today);
}

const earlier = (one: string, other: string) => (one < other ? one : other);

/** The first day of a period. */
export function firstDayOf(period: string): string {
  const kind = kindOf(period);
  if (kind === 'days') return daysOf(period)[0];
  const month =
    kind === 'quarter' ? Number(period.slice(6)) * 3 - 2 : kind === 'year' ? 1 : Number(period.slice(5));
  return `${period.slice(0, 4)}-${two(month)}-01`;
}
