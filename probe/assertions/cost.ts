import type { HttpConfig } from '#src/monitors/types/http/config.ts';
import type { Question } from './asked.ts';

// The worst-case cost of evaluating a malicious answer, in steps: one is about a comparison of two characters.

/** Up to this cost an answer is judged on the main loop: a few milliseconds, whatever the target sends. */
export const MAIN_LOOP_STEPS = 4_000_000;

/** The cost of parsing JSON, or of comparing its values deeply, relative to comparing characters. */
const JSON_STEPS = 16;

/** A path of names and indexes only: as quick as property access, whatever the document. */
const PLAIN_PATH = /^\$(\.[A-Za-z_][A-Za-z0-9_]*|\[(\d+|'[^'\\]*'|"[^"\\]*")\])*$/;

/** The most steps a question can take; infinite if only a trial can show it. `judgeAll`: includes printing the values. */
export function costOf(question: Question, judgeAll: boolean): number {
  const { header_assertions, headers, keyword, json_assertions, body } = question;
  let steps = 0;
  for (const { name, op, value } of header_assertions)
    steps += compared(op, lengthOf(headers[name.toLowerCase()]), value);
  if (body === null) return steps;
  const { length } = body.bytes;
  if (keyword !== null) steps += keyword.mode === 'regex' ? Infinity : length * (keyword.text.length + 4);
  if (json_assertions.length > 0) steps += length * JSON_STEPS * (judgeAll ? 1 + json_assertions.length : 1);
  for (const { path, op, value } of json_assertions)
    steps += PLAIN_PATH.test(path) ? path.length + compared(op, length, value) : Infinity;
  return steps;
}

type Operator = HttpConfig['json_assertions'][number]['op'];

function compared(op: Operator, length: number, value: unknown): number {
  if (op === 'matches') return Infinity;
  if (op === 'exists') return 1;
  if (typeof value === 'object' && value !== null) return length * JSON_STEPS;
  const wanted = typeof value === 'string' ? value.length : 1;
  return op === 'contains' ? length * (wanted + JSON_STEPS) : length + wanted;
}

const lengthOf = (value: string | string[] | undefined) =>
  Array.isArray(value) ? value.reduce((sum, one) => sum + one.length + 2, 0) : (value?.length ?? 0);
