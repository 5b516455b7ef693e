// Encodes a column of a block, whole numbers and nulls, by the shortest of a few encodings. packed_column() in
// migrations/0057_packed_checks.sql reads it and documents the layout.
import { type Bits, bitsOf } from './bits.ts';

export type Value = number | null;

/** Most values that a list of values may have. */
const MAX_LISTED = 64;
/** The widest range that is tried, in bits, besides the one that fits every value. */
const WIDEST_TRIED = 24;
/** The approximate header size, in bits, of a column with exceptions. */
const HEAD_OF_RARE = 40;

type Range = { base: number; width: number; nullable: boolean; cost: number };

/** Appends the column. */
export function putColumn(bits: Bits, values: readonly Value[]): void {
  const known = Float64Array.from(values.filter((value) => value !== null)).sort();
  const least = known[0];
  const most = known.at(-1);
  if (least === undefined || most === undefined) {
    bits.put(1, 1);
    return;
  }
  const nulls = values.length - known.length;
  if (least === most && nulls === 0) {
    putRange(bits, values, { base: least, width: 0, nullable: false, cost: 0 });
    return;
  }
  const range = bestRange(known, nulls, values.length);
  const list = listed(known);
  const listWidth = list && bitsOf(list.length - (nulls > 0 ? 0 : 1));
  if (list && listWidth !== null && values.length * listWidth + costOfList(list) < range.cost)
    putListed(bits, values, list, listWidth, nulls > 0);
  else putRange(bits, values, range);
}

/** The cheapest range: values in it are stored as offsets, all others as exceptions. `known` is sorted. */
function bestRange(known: Float64Array, nulls: number, n: number): Range {
  const least = known[0] ?? 0;
  const span = (known.at(-1) ?? 0) - least;
  const placeBits = bitsOf(n - 1);
  const rareBits = placeBits + bitsOf(span + 1);
  const full = bitsOf(span + (nulls > 0 ? 1 : 0));
  let best: Range = { base: least, width: full, nullable: nulls > 0, cost: n * full };
  for (let width = 0; width < Math.min(full, WIDEST_TRIED + 1); width++)
    for (const nullable of nulls > 0 && width > 0 ? [true, false] : [false]) {
      const { base, held } = fullest(known, 2 ** width - (nullable ? 1 : 0));
      const rare = known.length - held + (nullable ? 0 : nulls);
      const cost = n * width + rare * rareBits + HEAD_OF_RARE;
      if (cost < best.cost) best = { base, width, nullable, cost };
    }
  return best;
}

/** The range of `size` consecutive whole numbers that holds the most values. */
function fullest(known: Float64Array, size: number): { base: number; held: number } {
  let base = known[0] ?? 0;
  let held = 0;
  let first = 0;
  for (let last = 0; last < known.length; last++) {
    const value = known[last] as number;
    while (value - (known[first] as number) >= size) first += 1;
    if (last - first + 1 > held) {
      held = last - first + 1;
      base = known[first] as number;
    }
  }
  return { base, held };
}

function putRange(bits: Bits, values: readonly Value[], { base, width, nullable }: Range): void {
  const size = 2 ** width - (nullable ? 1 : 0);
  const isRare = (value: Value) => (value === null ? !nullable : value < base || value - base >= size);
  const rare: { place: number; value: Value }[] = [];
  for (const [place, value] of values.entries()) if (isRare(value)) rare.push({ place, value });
  bits.put(nullable ? 1 : 0, 3);
  bits.putSigned(base);
  bits.put(width, 6);
  bits.putNumber(rare.length);
  const shift = nullable ? 1 : 0;
  if (width > 0)
    for (const value of values) bits.put(value === null || isRare(value) ? 0 : value - base + shift, width);
  if (rare.length > 0) putRare(bits, rare, bitsOf(values.length - 1));
}

function putRare(bits: Bits, rare: readonly { place: number; value: Value }[], placeBits: number): void {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const { value } of rare) {
    if (value === null) continue;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  const base = least === Number.POSITIVE_INFINITY ? 0 : least;
  const width = Math.max(1, most < least ? 1 : bitsOf(most - base + 1));
  const placeWidth = Math.max(1, placeBits);
  bits.put(placeWidth, 5);
  bits.putSigned(base);
  bits.put(width, 6);
  for (const { place, value } of rare) {
    bits.put(place, placeWidth);
    bits.put(value === null ? 0 : value - base + 1, width);
  }
}

/** The distinct values, if there are few. `known` is sorted. */
function listed(known: Float64Array): number[] | null {
  const list: number[] = [];
  for (const value of known) {
    if (value === list.at(-1)) continue;
    if (list.length === MAX_LISTED) return null;
    list.push(value);
  }
  return list;
}

const costOfList = (list: readonly number[]) =>
  list.reduce((sum, value) => sum + 7 + Math.max(1, bitsOf(Math.abs(value))), 14);

function putListed(
  bits: Bits,
  values: readonly Value[],
  list: readonly number[],
  width: number,
  nullable: boolean,
): void {
  const shift = nullable ? 1 : 0;
  const codes = new Map<Value, number>(list.map((value, i) => [value, i + shift]));
  bits.put(nullable ? 3 : 2, 3);
  bits.put(width, 6);
  bits.put(list.length, 8);
  for (const value of list) bits.putSigned(value);
  for (const value of values) bits.put(codes.get(value) ?? 0, width);
}
