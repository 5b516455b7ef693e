import type { HttpConfig } from '#src/monitors/types/http/config.ts';
import type { Finding, OnJudgement } from '../check-outcome.ts';
import type { At } from './asked.ts';
import { expectation, holds, wantsPresence } from './operator.ts';

type JsonAssertion = HttpConfig['json_assertions'][number];

/**
 * The first JSON assertion that does not hold. A path that selects several values holds if one of them does (`ne`: if all
 * of them do); one that selects nothing holds only for the operator `exists`. The detail shows numbers, booleans and null of
 * the body, never its texts; a caller that wants every judgement sees the values.
 */
export async function jsonFinding(
  assertions: readonly JsonAssertion[],
  text: string,
  at: At,
  onJudgement?: OnJudgement,
): Promise<Finding | undefined> {
  let document: unknown;
  at('config.json_assertions');
  try {
    document = JSON.parse(text);
  } catch {
    onJudgement?.({ what: 'JSON', expected: 'a body in JSON', actual: 'something else', ok: false });
    return mismatch('The body is not JSON');
  }
  let first: Finding | undefined;
  const { select } = await import('./json-path.ts');
  const { occurs } = await import('./pattern.ts');
  for (const [i, { path, op, value }] of assertions.entries()) {
    at(`config.json_assertions.${i}`);
    const found = select(path, document);
    const test = (actual: unknown) =>
      op !== 'exists' && holds(op, actual, value, (source, within) => occurs(source, within, true));
    const met =
      op === 'exists'
        ? found.length > 0 === wantsPresence(value)
        : found.length > 0 && (op === 'ne' ? found.every(test) : found.some(test));
    onJudgement?.({ what: `JSON ${path}`, expected: expectation(op, value), actual: values(found), ok: met });
    if (met || first) continue;
    first = mismatch(`${path} ${shown(found)}; expected ${expectation(op, value)}`);
    if (onJudgement === undefined) return first;
  }
  return first;
}

const VALUE_CHARACTERS = 200;

function values(found: readonly unknown[]): string {
  if (found.length === 0) return 'absent';
  const text = found.map((value) => JSON.stringify(value)).join(', ');
  return text.length <= VALUE_CHARACTERS ? text : `${text.slice(0, VALUE_CHARACTERS - 1)}…`;
}

function mismatch(detail: string): Finding {
  return { failureClass: 'json_mismatch', layer: 'target_app', detail };
}

function shown(found: readonly unknown[]): string {
  if (found.length === 0) return 'is absent';
  if (found.length > 1) return `selects ${found.length} values`;
  const [value] = found;
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return `is ${value}`;
  if (typeof value === 'string') return `is a text of ${value.length} characters`;
  return Array.isArray(value) ? `is an array of ${value.length}` : 'is an object';
}
