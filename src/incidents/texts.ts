// Validation of the texts that people write into incidents.
import { visibleName } from '../domain/visible-name.ts';
import { refuse } from '../platform/refusals.ts';

/** Line breaks and control characters: mail subjects and headlines must not contain them. */
const NOT_IN_A_LINE = /[\p{Cc}\u2028\u2029]/u;

/** The trimmed text; refuses one without visible characters (`invalid_request`). */
export function checkedText(text: string, field: string): string {
  const visible = visibleName(text);
  if (visible === '') refuse('invalid_request', `${field} must not be empty.`, { field });
  return visible;
}

/** Like `checkedText`, for a single line; refuses control characters too. */
export function checkedLine(text: string, field: string): string {
  const line = checkedText(text, field);
  if (NOT_IN_A_LINE.test(line))
    refuse('invalid_request', `${field} must be one line, without control characters.`, { field });
  return line;
}

const MAX_SHOWN = 500;

/** The beginning of a text, for the timeline. */
export const excerptOf = (text: string): string =>
  text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN - 1).toWellFormed()}…`;
