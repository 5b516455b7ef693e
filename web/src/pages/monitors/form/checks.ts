// Validates form fields with the rules of src/domain: a problem in words, or null.
import type { InvalidTargetReason } from '#src/domain/names.ts';
import { checkHost, checkPort, checkUrl } from '#src/domain/target.ts';
import type { Problem } from '../types/type-form.ts';
import type { Amount } from './amounts.ts';

// An installation may allow single-label names, so only the server refuses them.
const options = { allowSingleLabel: true };

const reasonOf = (reason: InvalidTargetReason): Problem => ({ key: `errors.reasons.${reason}` });

/** Required but empty: reported on submit, not when the field loses focus. */
export const MISSING = 'errors.reasons.missing';
export const NEEDED = 'problems.needed';

export function isEmptiness({ key }: Problem): boolean {
  return key === MISSING || key === NEEDED;
}

export function hostProblem(value: string): Problem | null {
  const checked = checkHost(value.trim(), options);
  return checked.ok ? null : reasonOf(checked.reason);
}

export function urlProblem(value: string, schemes: readonly string[]): Problem | null {
  const checked = checkUrl(value.trim(), { ...options, schemes });
  if (checked.ok) return null;
  if (checked.reason !== 'unsupported_scheme') return reasonOf(checked.reason);
  return {
    key: 'problems.scheme',
    values: { first: `${schemes[0]}://`, second: `${schemes[1] ?? schemes[0]}://` },
  };
}

export function portProblem(value: Amount): Problem | null {
  if (value === '') return { key: NEEDED };
  const checked = checkPort(value);
  return checked.ok ? null : reasonOf(checked.reason);
}

/** An optional port. */
export const optionalPortProblem = (value: Amount): Problem | null =>
  value === '' ? null : portProblem(value);

export function numberProblem(
  value: Amount,
  least: number,
  most: number,
  { needed = false, whole = true }: { needed?: boolean; whole?: boolean } = {},
): Problem | null {
  if (value === '') return needed ? { key: NEEDED } : null;
  if (value < least || value > most || (whole && !Number.isInteger(value)))
    return { key: whole ? 'problems.wholeRange' : 'problems.range', values: { least, most } };
  return null;
}

/** For a duration in seconds, whose field shows it in another unit. */
export function durationProblem(
  value: Amount,
  least: number,
  most: number,
  options: { needed?: boolean } = {},
): Problem | null {
  const problem = numberProblem(value, least, most, options);
  return problem?.key === 'problems.wholeRange'
    ? { key: 'problems.durationRange', durations: { least, most } }
    : problem;
}

export const neededProblem = (value: string): Problem | null =>
  value.trim() === '' ? { key: NEEDED } : null;

/** The warning comes first: fewer days left than `warn` is degraded, fewer than `fail` is down. */
export function daysProblems(
  warn: Amount,
  fail: Amount,
): { warn_days: Problem | null; fail_days: Problem | null } {
  const own = {
    warn_days: numberProblem(warn, 0, 3650, { needed: true }),
    fail_days: numberProblem(fail, 0, 3650, { needed: true }),
  };
  if (own.warn_days === null && warn !== '' && fail !== '' && warn < fail)
    own.warn_days = { key: 'problems.warnBelowFail', values: { fail } };
  return own;
}

/** Bytes as text: whole pairs of hexadecimal digits, or padded base64. */
export function bytesProblem(value: string, encoding: 'text' | 'hex' | 'base64'): Problem | null {
  const bare = value.replace(/\s+/g, '');
  if (encoding === 'hex' && !/^([0-9a-f]{2})*$/i.test(bare)) return { key: 'problems.hex' };
  if (encoding === 'base64' && !isBase64(bare)) return { key: 'problems.base64' };
  return null;
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}
