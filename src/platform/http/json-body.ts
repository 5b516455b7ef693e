import { Refusal } from '../refusals.ts';

const MAX_DEPTH = 32;
/** Most values in a body. The largest real one, a monitor with every list full, has a tenth of it. */
const MAX_VALUES = 20_000;

/**
 * Parses a JSON body. Refuses with `invalid_request` values that the database or the protocol could not keep: NUL characters,
 * lone surrogates, integers beyond 2^53 and nesting deeper than 32 levels. Also refuses more than `maxValues` values, since
 * checking each of them would block the event loop. `measured`: numbers are readings of any size, which the handler checks one
 * by one.
 */
export function parseJsonBody(
  text: string,
  { maxValues = MAX_VALUES, measured = false }: { maxValues?: number; measured?: boolean } = {},
): unknown {
  if (maxValues < text.length) refuseMany(text, maxValues);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal('invalid_request', 'The request body is not valid JSON.');
  }
  check(value, 0, '', measured);
  return value;
}

function check(value: unknown, depth: number, path: string, measured: boolean): void {
  if (typeof value === 'string') checkText(value, path);
  if (typeof value === 'number') {
    if (measured) return;
    if (Number.isInteger(value) ? !Number.isSafeInteger(value) : !Number.isFinite(value))
      refuse(path, 'is a number too large to be kept exactly');
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth >= MAX_DEPTH) refuse(path, `is nested deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) check(value[i], depth + 1, path, measured);
    return;
  }
  for (const key in value) {
    checkText(key, path);
    // An own `__proto__` key would be lost, or worse, by the first copy of the object.
    if (key === '__proto__') refuse(path, 'must not contain a field named __proto__');
    check((value as Record<string, unknown>)[key], depth + 1, depth === 0 ? key : path, measured);
  }
}

/** Counts values before parsing: every comma outside a string follows a value. */
function refuseMany(text: string, maxValues: number): void {
  let values = 1;
  let isText = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isText) {
      if (character === '\\') at++;
      else if (character === '"') isText = false;
    } else if (character === '"') isText = true;
    else if (character === ',' && ++values > maxValues) refuse('', `holds more than ${maxValues} values`);
  }
}

function checkText(text: string, path: string): void {
  if (text.includes('\u0000')) refuse(path, 'contains a NUL character');
  if (!text.isWellFormed()) refuse(path, 'contains half of a surrogate pair');
}

function refuse(path: string, what: string): never {
  const field = path === '' ? undefined : path;
  throw new Refusal('invalid_request', `${field ?? 'The request body'} ${what}.`, field ? { field } : {});
}
