// Packs the checks of a monitor in a region on one day into one block, column by column, each as small as its values allow.
// unpack_checks() in migrations/0067_faster_unpacking.sql reads it.
import { Bits } from './bits.ts';
import { putColumn, type Value } from './column.ts';

/** Checks of one day by column, ordered by time; all columns have the same length. */
export type DayOfChecks = {
  /** Microseconds since the start of the day, ascending. */
  micros: readonly number[];
  status: readonly Value[];
  response_code: readonly Value[];
  dns_ms: readonly Value[];
  connect_ms: readonly Value[];
  tls_ms: readonly Value[];
  first_byte_ms: readonly Value[];
  latency_ms: readonly Value[];
  failure_class: readonly (string | null)[];
  cause_layer: readonly (string | null)[];
  detail: readonly (string | null)[];
  metric_value: readonly Value[];
  metric_value_2: readonly Value[];
};

/** A row of packed_checks without its key. */
export type Block = { checks: number; body: string; texts: string[] | null; numbers: number[] | null };

const VERSION = 1;
/** The most decimal places that are tried. */
const MAX_DIGITS = 9;
/** In place of the number of decimals: the values are indexes into a list of numbers. */
const LISTED = 15;

/** Packs a day of checks, of which there is at least one. */
export function packDay(day: DayOfChecks): Block {
  const bits = new Bits();
  const texts = new DistinctValues<string>((text) => text);
  const numbers = new DistinctValues<number>((value) => (Object.is(value, -0) ? '-0' : value));
  // The columns that figures need come first, so that counting reads no further.
  putInstants(bits, day.micros);
  putColumn(bits, day.status);
  putColumn(bits, day.latency_ms);
  putTexts(bits, day.cause_layer, texts);
  for (const column of [day.metric_value, day.metric_value_2]) putMetrics(bits, column, numbers);
  putColumn(bits, day.response_code);
  putColumn(bits, day.dns_ms);
  putColumn(bits, day.connect_ms);
  putColumn(bits, day.tls_ms);
  putFirstBytes(bits, day);
  putTexts(bits, day.failure_class, texts);
  putTexts(bits, day.detail, texts);
  return { checks: day.micros.length, body: bits.text(), texts: texts.all(), numbers: numbers.all() };
}

function putInstants(bits: Bits, micros: readonly number[]): void {
  const inMs = micros.every((each) => each % 1000 === 0);
  const instants = inMs ? micros.map((each) => each / 1000) : micros;
  bits.put(VERSION, 8);
  bits.put(inMs ? 0 : 1, 1);
  bits.putNumber(instants[0] ?? 0);
  putColumn(
    bits,
    instants.slice(1).map((instant, i) => instant - (instants[i] ?? 0)),
  );
}

function putTexts(bits: Bits, column: readonly (string | null)[], texts: DistinctValues<string>): void {
  putColumn(
    bits,
    column.map((text) => texts.of(text)),
  );
}

/** Latency includes the phases, so their difference is stored: it is often small. */
function putFirstBytes(bits: Bits, { latency_ms, dns_ms, connect_ms, tls_ms, first_byte_ms }: DayOfChecks) {
  const beyond = (phases: readonly (readonly Value[])[]): Value[] =>
    first_byte_ms.map((first, i) =>
      first === null
        ? null
        : phases.reduce((left, phase) => left - (phase[i] ?? 0), latency_ms[i] ?? 0) - first,
    );
  const ways = [first_byte_ms, beyond([]), beyond([dns_ms, connect_ms, tls_ms])] as const;
  const spreads = ways.map(spread);
  const best = spreads.indexOf(Math.min(...spreads));
  bits.put(best, 2);
  putColumn(bits, ways[best] ?? first_byte_ms);
}

/** The sum of the differences between neighbours: the smaller, the fewer bits the values need. */
function spread(values: readonly Value[]): number {
  let sum = 0;
  let before: number | null = null;
  for (const value of values) {
    if (value === null) continue;
    if (before !== null) sum += Math.log2(1 + Math.abs(value - before));
    before = value;
  }
  return sum;
}

/** As scaled whole numbers where that is exact, else as indexes into a list. */
function putMetrics(bits: Bits, values: readonly Value[], numbers: DistinctValues<number>): void {
  const digits = exactDigits(values);
  bits.put(digits ?? LISTED, 4);
  const whole = (value: number) => Math.round(value * 10 ** (digits ?? 0));
  putColumn(
    bits,
    values.map((value) => (digits === null || value === null ? numbers.of(value) : whole(value))),
  );
}

/** The number of decimal places at which every value is exact; null where there is none. */
function exactDigits(values: readonly Value[]): number | null {
  let digits = 0;
  for (const value of values) {
    if (value === null) continue;
    while (!isExact(value, digits)) {
      digits += 1;
      if (digits > MAX_DIGITS) return null;
    }
  }
  // A value that is exact at few decimal places might not be at more.
  return values.every((value) => value === null || isExact(value, digits)) ? digits : null;
}

function isExact(value: number, digits: number): boolean {
  const whole = Math.round(value * 10 ** digits);
  // Negative zero is not exact: a whole number has no such value.
  return (
    Number.isSafeInteger(whole) && Math.abs(whole) < 2 ** 51 && Object.is((whole + 0) / 10 ** digits, value)
  );
}

/** Stores each distinct value once and returns its index, from 1. */
class DistinctValues<T extends string | number> {
  readonly #indexes = new Map<string | number, number>();
  readonly #values: T[] = [];
  readonly #key: (value: T) => string | number;

  constructor(key: (value: T) => string | number) {
    this.#key = key;
  }

  of(value: T | null): number | null {
    if (value === null) return null;
    const key = this.#key(value);
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    this.#values.push(value);
    this.#indexes.set(key, this.#values.length);
    return this.#values.length;
  }

  /** null: there are none. */
  all(): T[] | null {
    return this.#values.length === 0 ? null : this.#values;
  }
}
