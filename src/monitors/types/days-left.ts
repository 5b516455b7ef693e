import { invalidConfig } from './rules.ts';

/** What warns must not come after what fails. */
export function checkDays({
  warn_days: warn,
  fail_days: fail,
}: {
  warn_days: number;
  fail_days: number;
}): void {
  if (warn < fail) invalidConfig('config.warn_days', `must not be below fail_days (${fail})`);
}
