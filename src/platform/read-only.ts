import { isDeepStrictEqual } from 'node:util';
import { refuse } from './refusals.ts';

/**
 * Read-only fields are accepted in a write with their current value, so that a client can send back what it read, and refused
 * with another value (docs/rules/errors-and-conventions.md#read-only-fields). Absent fields are fine.
 */
export function refuseChangedReadOnly(
  given: Record<string, unknown>,
  current: Record<string, unknown>,
  prefix = '',
): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || isDeepStrictEqual(value, current[name])) continue;
    refuse('invalid_request', `${prefix}${name} is read-only.`, { field: `${prefix}${name}` });
  }
}
