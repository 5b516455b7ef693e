// What people write into incidents.
import { visibleName } from '../domain/visible-name.ts';
import { refuse } from '../platform/refusals.ts';

/** Line breaks and whatever else is no character of a line; subjects of mails and headlines are made of it. */
const NOT_IN_A_LINE = /[\p{Cc}\u2028\u2029]/u;

/** A text without blanks around it; refuses with `invalid_request` one of which nothing can be seen. */
export function checkedText(text: string, field: string): string {
  const visible = visibleName(text);
  if (visible === '') refuse('invalid_request', `${field} must not be empty.`, { field });
  return visible;
}

/** The same of a text that is one line; refuses control characters too. */
export function checkedLine(text: string, field: string): string {
  const line = checkedText(text, field);
  if (NOT_IN_A_LINE.test(line))
    refuse('invalid_request', `${field} must be one line, without control characters.`, { field });
  return line;
}

const MOST_SHOWN = 500;

/** The beginning of a text, for the timeline. */
export const beginningOf = (text: string): string =>
  text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN - 1).toWellFormed()}…`;
