import { isDeepStrictEqual } from 'node:util';
import type { HttpConfig } from '#src/monitors/types/http/config.ts';
import { occursIn } from './occurrence.ts';

export type Operator = HttpConfig['json_assertions'][number]['op'];

/** Whether a regular expression occurs in a text, case-sensitively. */
export type Occurs = (source: string, text: string) => boolean;

/**
 * Whether `actual op expected` holds. eq and ne compare deeply and by type; gt to lte compare two numbers, or two
 * texts by code unit; contains searches a text, an array or an object's keys; matches a text, number or boolean. `exists` is
 * left to the caller, which knows whether there is a value. A comparison that makes no sense does not hold.
 */
export function holds(
  op: Exclude<Operator, 'exists'>,
  actual: unknown,
  expected: unknown,
  occurs: Occurs,
): boolean {
  switch (op) {
    case 'eq':
      return isDeepStrictEqual(actual, expected);
    case 'ne':
      return !isDeepStrictEqual(actual, expected);
    case 'gt':
      return ordered(actual, expected, (sign) => sign > 0);
    case 'gte':
      return ordered(actual, expected, (sign) => sign >= 0);
    case 'lt':
      return ordered(actual, expected, (sign) => sign < 0);
    case 'lte':
      return ordered(actual, expected, (sign) => sign <= 0);
    case 'contains':
      return contains(actual, expected);
    case 'matches':
      return (
        typeof expected === 'string' &&
        ['string', 'number', 'boolean'].includes(typeof actual) &&
        occurs(expected, String(actual))
      );
  }
}

function ordered(actual: unknown, expected: unknown, accept: (sign: number) => boolean): boolean {
  if (typeof actual === 'number' && typeof expected === 'number') return accept(actual - expected);
  if (typeof actual === 'string' && typeof expected === 'string')
    return accept(actual < expected ? -1 : actual > expected ? 1 : 0);
  return false;
}

function contains(actual: unknown, expected: unknown): boolean {
  if (typeof actual === 'string') return typeof expected === 'string' && occursIn(actual, expected);
  if (Array.isArray(actual)) return actual.some((item) => isDeepStrictEqual(item, expected));
  if (typeof actual === 'object' && actual !== null)
    return typeof expected === 'string' && Object.hasOwn(actual, expected);
  return false;
}

const WORDS: Record<Operator, string> = {
  eq: 'equal to',
  ne: 'other than',
  gt: 'above',
  gte: 'at least',
  lt: 'below',
  lte: 'at most',
  contains: 'containing',
  exists: 'present',
  matches: 'matching',
};

/** The expectation in words: `at least 3`. The expected value is from the config, cut to 80 characters. */
export function expectation(op: Operator, expected: unknown): string {
  if (op === 'exists') return wantsPresence(expected) ? 'present' : 'absent';
  const value = JSON.stringify(expected) ?? 'nothing';
  return `${WORDS[op]} ${value.length > 80 ? `${value.slice(0, 79)}…` : value}`;
}

/** `exists` asks for presence unless its value says false. */
export function wantsPresence(expected: unknown): boolean {
  return expected !== false && expected !== 'false';
}
