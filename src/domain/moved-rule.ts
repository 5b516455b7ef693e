// How a rule of RFC 5545 goes along when its occurrences move from one local time to another
// (docs/rules/confirmation.md#maintenance-that-comes-again). Pure; local times, without a zone.
type Local = Temporal.PlainDateTime;

export type MovedRule = {
  rrule: string;
  /** Where an occurrence moves to; null where its month lacks the day. */
  moved: (occurrence: Local) => Local | null;
  /** The same for the end of the repetition, which need not be an occurrence. */
  movedEnd: (end: Local) => Local;
};

type Parts = ReadonlyMap<string, string>;

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const CLOCK = [
  ['BYHOUR', 'hour'],
  ['BYMINUTE', 'minute'],
  ['BYSECOND', 'second'],
] as const;

/** null: the rule names days or hours that do not go along, so only its author knows what it becomes. */
export function movedRule(rrule: string, from: Local, to: Local): MovedRule | null {
  const parts = partsOf(rrule);
  if (CLOCK.some(([name, unit]) => parts.has(name) && from[unit] !== to[unit])) return null;
  const { days } = from.toPlainDate().until(to.toPlainDate());
  const isMonthly = ['MONTHLY', 'YEARLY'].includes(parts.get('FREQ') ?? '');
  if (days !== 0 && isMonthly) return byMonth(parts, from, to);
  const changed = days === 0 ? parts : byWeekday(parts, days);
  if (changed === null) return null;
  const by = from.until(to);
  return {
    rrule: ruleOf(changed),
    moved: (occurrence) => occurrence.add(by),
    movedEnd: (end) => end.add(by),
  };
}

/** A rule without its COUNT, comparable: the days on which it matches. */
export function daysOf(rrule: string): string {
  return [...partsOf(rrule)]
    .filter(([name, value]) => name !== 'COUNT' && name !== 'UNTIL' && `${name}=${value}` !== 'INTERVAL=1')
    .map(([name, value]) => `${name}=${value.split(',').sort().join(',')}`)
    .sort()
    .join(';');
}

/** Days of the week move along, and so does the day on which a week begins, where that tells weeks apart. */
function byWeekday(parts: Parts, days: number): Parts | null {
  if (hasAny(parts, ['BYMONTH', 'BYMONTHDAY', 'BYYEARDAY', 'BYWEEKNO', 'BYSETPOS'])) return null;
  const named = parts.get('BYDAY')?.split(',');
  if (!named) return parts;
  if (named.some((day) => !WEEKDAYS.includes(day))) return null;
  const shifted = (day: string) => WEEKDAYS[(((WEEKDAYS.indexOf(day) + days) % 7) + 7) % 7] ?? day;
  const isWeekly = parts.get('FREQ') === 'WEEKLY' && Number(parts.get('INTERVAL') ?? 1) > 1;
  const begins = isWeekly && named.length > 1 ? [['WKST', shifted(parts.get('WKST') ?? 'MO')] as const] : [];
  const byDay = named.map(shifted).sort((a, b) => WEEKDAYS.indexOf(a) - WEEKDAYS.indexOf(b));
  return new Map([...parts, ['BYDAY', byDay.join(',')], ...begins]);
}

/** One day of the month becomes another, so many months later: the 28th of each month is the 1st of the next one. */
function byMonth(parts: Parts, from: Local, to: Local): MovedRule | null {
  const months = (to.year - from.year) * 12 + to.month - from.month;
  if (hasAny(parts, ['BYDAY', 'BYYEARDAY', 'BYWEEKNO', 'BYSETPOS'])) return null;
  const day = parts.get('BYMONTHDAY');
  if (day !== undefined && day !== String(from.day)) return null;
  const isInYear = parts.get('FREQ') === 'YEARLY' && day !== undefined;
  if (months !== 0 && (parts.has('BYMONTH') || isInYear)) return null;
  const time = from.toPlainTime().until(to.toPlainTime());
  return {
    rrule: ruleOf(day === undefined ? parts : new Map([...parts, ['BYMONTHDAY', String(to.day)]])),
    moved: (occurrence) => {
      const month = occurrence.toPlainDate().toPlainYearMonth().add({ months });
      if (to.day > month.daysInMonth) return null;
      return month.toPlainDate({ day: to.day }).toPlainDateTime(occurrence.toPlainTime().add(time));
    },
    movedEnd: (end) =>
      end
        .add({ days: to.day - from.day })
        .add({ months })
        .add(time),
  };
}

const hasAny = (parts: Parts, names: readonly string[]) => names.some((name) => parts.has(name));

const partsOf = (rrule: string): Parts =>
  new Map(
    rrule.split(';').map((part) => {
      const [name = '', value = ''] = part.split('=');
      return [name, value] as const;
    }),
  );

const ruleOf = (parts: Parts) => [...parts].map(([name, value]) => `${name}=${value}`).join(';');
