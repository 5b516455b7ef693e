import type { IncomingHttpHeaders } from 'node:http';
import type { HttpConfig } from '#src/monitors/types/http/config.ts';
import type { Finding, OnJudgement } from '../check-outcome.ts';
import type { At } from './asked.ts';
import { expectation, holds, type Occurs, wantsPresence } from './operator.ts';

/**
 * The first header assertion that does not hold, in words that name the header and never show its value. Values that
 * are both numbers are compared as numbers by gt, gte, lt and lte. A caller that wants every judgement sees the values,
 * except secret ones.
 */
export async function headerFinding(
  assertions: HttpConfig['header_assertions'],
  headers: IncomingHttpHeaders,
  at: At,
  onJudgement?: OnJudgement,
): Promise<Finding | undefined> {
  let first: Finding | undefined;
  const occurs = await occursIn(assertions);
  for (const [i, { name, op, value }] of assertions.entries()) {
    at(`config.header_assertions.${i}`);
    const found = headers[name.toLowerCase()];
    const actual = Array.isArray(found) ? found.join(', ') : found;
    const met =
      op === 'exists'
        ? (actual !== undefined) === wantsPresence(value)
        : actual !== undefined && holds(op, ...comparable(op, actual, value), occurs);
    onJudgement?.({
      what: `Header ${name}`,
      expected: expectation(op, value),
      actual: actual === undefined ? 'absent' : shown(name, actual),
      ok: met,
    });
    if (met || first) continue;
    const what = actual === undefined ? 'is absent' : 'has another value';
    first = {
      failureClass: 'header_mismatch',
      layer: 'target_app',
      detail: `The header ${name} ${op === 'exists' && actual !== undefined ? 'is present' : what}; expected ${expectation(op, value)}`,
    };
    if (onJudgement === undefined) return first;
  }
  return first;
}

const SECRET = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie']);
const VALUE_CHARACTERS = 200;

function shown(name: string, value: string): string {
  if (SECRET.has(name.toLowerCase())) return 'present (not shown)';
  return value.length <= VALUE_CHARACTERS ? value : `${value.slice(0, VALUE_CHARACTERS - 1)}…`;
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
