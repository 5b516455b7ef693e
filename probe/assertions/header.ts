import type { IncomingHttpHeaders } from 'node:http';
import type { HttpConfig } from '../../src/monitors/config/http.ts';
import type { Finding } from '../observation.ts';
import { expectation, holds, type Occurs, wantsPresence } from './operator.ts';

/**
 * The first header assertion that does not hold, in words that name the header and never show its value. Values that
 * are both numbers are compared as numbers by gt, gte, lt and lte.
 */
export async function headerFinding(
  assertions: HttpConfig['header_assertions'],
  headers: IncomingHttpHeaders,
): Promise<Finding | undefined> {
  const occurs = await occursIn(assertions);
  for (const { name, op, value } of assertions) {
    const found = headers[name.toLowerCase()];
    const actual = Array.isArray(found) ? found.join(', ') : found;
    const met =
      op === 'exists'
        ? (actual !== undefined) === wantsPresence(value)
        : actual !== undefined && holds(op, ...comparable(op, actual, value), occurs);
    if (met) continue;
    const what = actual === undefined ? 'is absent' : 'has another value';
    return {
      failureClass: 'header_mismatch',
      layer: 'target_app',
      detail: `The header ${name} ${op === 'exists' && actual !== undefined ? 'is present' : what}; expected ${expectation(op, value)}`,
    };
  }
  return undefined;
}

async function occursIn(assertions: HttpConfig['header_assertions']): Promise<Occurs> {
  if (!assertions.some(({ op }) => op === 'matches')) return () => false;
  const { occurs } = await import('./pattern.ts');
  return (source, text) => occurs(source, text, true);
}

function comparable(op: string, actual: string, expected: string | undefined): [unknown, unknown] {
  const numbers = [Number(actual), Number(expected)];
  const orders = op === 'gt' || op === 'gte' || op === 'lt' || op === 'lte';
  return orders && numbers.every(Number.isFinite) ? [numbers[0], numbers[1]] : [actual, expected];
}
