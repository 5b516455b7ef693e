// When maintenance comes again (docs/rules/confirmation.md#maintenance-that-comes-again): the rule of RFC 5545 in a time
// zone, read by a library. The clock on the wall decides, so daylight saving moves no occurrence. Pure; instants in ms.
import { RRuleTemporal } from 'rrule-temporal';
import type { Span } from './spans.ts';

export type Repeat = {
  /** The value of an RRULE, as `repeatOf` has normalized it. */
  rrule: string;
  timezone: string;
  /** No occurrence begins after this instant. */
  untilMs: number | null;
};

/** A rule with its first candidate: the first match at or after its beginning is the first occurrence. */
export type Series = { repeat: Repeat; first: Span };

const MAX_COUNT = 1000;
const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'];
const PARTS = [
  ...[
    'FREQ',
    'INTERVAL',
    'COUNT',
    'UNTIL',
    'WKST',
    'BYSETPOS',
    'BYMONTH',
    'BYMONTHDAY',
    'BYYEARDAY',
    'BYWEEKNO',
  ],
  ...['BYDAY', 'BYHOUR', 'BYMINUTE', 'BYSECOND'],
];
/** The numbers that a part may have, on both sides of 0 where they are negative too. */
const BOUNDS: Readonly<Record<string, readonly [least: number, most: number]>> = {
  INTERVAL: [1, 10_000],
  COUNT: [1, MAX_COUNT],
  BYMONTH: [1, 12],
  BYMONTHDAY: [-31, 31],
  BYYEARDAY: [-366, 366],
  BYWEEKNO: [-53, 53],
  BYSETPOS: [-366, 366],
  BYHOUR: [0, 23],
  BYMINUTE: [0, 59],
  BYSECOND: [0, 59],
};
/** The cost limit of a rule: the days of 27 years with four candidates each. */
const LIMITS = { maxIterations: 10_000, maxCandidateEvaluations: 40_000 };

/** The rule as it is kept: upper case, without `RRULE:` before it. */
export const normalRule = (rrule: string): string =>
  rrule
    .trim()
    .toUpperCase()
    .replace(/^RRULE:/, '');

/** The same repetition with an UNTIL of its rule as its own end, which can move along. Windows begin at whole seconds. */
export function withOwnEnd({ rrule, timezone, untilMs }: Repeat): Repeat {
  const parts = rrule.split(';');
  const given = parts.find((part) => part.startsWith(UNTIL))?.slice(UNTIL.length);
  if (given === undefined) return { rrule, timezone, untilMs };
  const endMs = Math.floor(Temporal.Instant.from(given).epochMilliseconds / 1000) * 1000;
  const others = parts.filter((part) => !part.startsWith(UNTIL));
  return { rrule: others.join(';'), timezone, untilMs: Math.min(endMs, untilMs ?? endMs) };
}

const UNTIL = 'UNTIL=';

/** Why a normalized rule is refused; null when it is one that is taken. */
export function ruleProblem(rrule: string): string | null {
  const parts = rrule.split(';').map((part) => part.split('='));
  const names = parts.map(([name = '']) => name);
  const broken = parts.find(([name = '', value = ''], i) => {
    const isKnown = PARTS.includes(name) && names.indexOf(name) === i;
    return !isKnown || !/^[A-Z0-9,+-]+$/.test(value) || parts[i]?.length !== 2;
  });
  if (broken) return `has a part that RFC 5545 does not know, or twice: ${broken.join('=')}`;
  const partOf = (wanted: string) => parts.find(([name]) => name === wanted)?.[1];
  if (!FREQUENCIES.includes(partOf('FREQ') ?? '')) return `must have FREQ, one of ${FREQUENCIES.join(', ')}`;
  for (const [name, [least, most]] of Object.entries(BOUNDS)) {
    const numbers = partOf(name)?.split(',') ?? [];
    const isOff = (text: string) =>
      !/^[+-]?\d{1,5}$/.test(text) ||
      Number(text) < least ||
      Number(text) > most ||
      (least < 0 && Number(text) === 0);
    if (numbers.some(isOff)) return `must have ${name} from ${least} to ${most}`;
  }
  try {
    ruleFrom(rrule, Temporal.ZonedDateTime.from('2026-01-01T00:00[UTC]'));
    return null;
  } catch (error) {
    return `is not a rule of RFC 5545: ${(error as Error).message.replace(/\.$/, '')}`;
  }
}

/**
 * The occurrences that begin in [fromMs, untilMs], the earliest first. Throws where finding them takes more than LIMITS:
 * the rule matches hardly ever, or far too often.
 */
export function occurrencesOf({ repeat, first }: Series, fromMs: number, untilMs: number): Span[] {
  const start = zoned(first.fromMs, repeat.timezone);
  const length = lengthOf(first, repeat.timezone);
  const lastMs = Math.min(untilMs, repeat.untilMs ?? untilMs);
  if (fromMs > lastMs) return [];
  const rule = ruleFrom(repeat.rrule, start);
  return rule.between(new Date(fromMs), new Date(lastMs), true).map((at) => {
    const begins = zoned(at.epochMilliseconds, repeat.timezone);
    return { fromMs: begins.epochMilliseconds, untilMs: endOf(begins, length, first) };
  });
}

/** The first occurrence at or after `fromMs`, however far ahead; null where none comes. */
export function nextOccurrence({ repeat, first }: Series, fromMs: number): Span | null {
  const start = zoned(first.fromMs, repeat.timezone);
  const at = ruleFrom(repeat.rrule, start).next(new Date(fromMs), true);
  if (at === null || (repeat.untilMs !== null && at.epochMilliseconds > repeat.untilMs)) return null;
  const begins = zoned(at.epochMilliseconds, repeat.timezone);
  return {
    fromMs: begins.epochMilliseconds,
    untilMs: endOf(begins, lengthOf(first, repeat.timezone), first),
  };
}

/**
 * The beginnings of the last occurrence until `untilMs` and of the next one, as if the series had no other end; null where the
 * search was given up.
 */
export function besideEnd(
  { repeat, first }: Series,
  untilMs: number,
): { last: number | null; next: number | null } | null {
  const rule = ruleFrom(repeat.rrule, zoned(first.fromMs, repeat.timezone));
  try {
    const [last, next] = [rule.previous(new Date(untilMs), true), rule.next(new Date(untilMs), false)];
    return { last: last?.epochMilliseconds ?? null, next: next?.epochMilliseconds ?? null };
  } catch {
    return null;
  }
}

/** Moves `ms` by the wall-clock difference between `fromMs` and `toMs` in a zone. */
export function movedLikewise(ms: number, fromMs: number, toMs: number, timezone: string): number {
  const [from, to, at] = [fromMs, toMs, ms].map((each) => localAt(each, timezone));
  if (!from || !to || !at) return ms;
  return at.add(from.until(to)).toZonedDateTime(timezone).epochMilliseconds;
}

/** The clock on the wall at an instant. */
export const localAt = (ms: number, timezone: string): Temporal.PlainDateTime =>
  zoned(ms, timezone).toPlainDateTime();

/** The instant of a local time, the first where it comes twice; null where the clock skips it. */
export function instantOf(local: Temporal.PlainDateTime, timezone: string): number | null {
  const at = local.toZonedDateTime(timezone);
  return at.toPlainDateTime().equals(local) ? at.epochMilliseconds : null;
}

const zoned = (ms: number, timezone: string) =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone);

function ruleFrom(rrule: string, dtstart: Temporal.ZonedDateTime) {
  return new RRuleTemporal({ rruleString: `RRULE:${rrule}`, dtstart, strict: true, cache: false, ...LIMITS });
}

/** From the beginning to the end on the wall clock; null where that is no time: both lie in an hour that comes twice. */
function lengthOf({ fromMs, untilMs }: Span, timezone: string): Temporal.Duration | null {
  const [from, until] = [fromMs, untilMs].map((ms) => localAt(ms, timezone));
  const length = from && until ? from.until(until) : null;
  return length && length.sign > 0 ? length : null;
}

/** An end that the clock skips is as much later as the clock is put forward. */
function endOf(begins: Temporal.ZonedDateTime, length: Temporal.Duration | null, first: Span): number {
  const byWall = length && begins.toPlainDateTime().add(length).toZonedDateTime(begins.timeZoneId);
  const endMs = byWall?.epochMilliseconds ?? 0;
  return endMs > begins.epochMilliseconds ? endMs : begins.epochMilliseconds + first.untilMs - first.fromMs;
}
