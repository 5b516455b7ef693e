// Browser-safe. Cron expressions and time zones as people write them (docs/rules/monitor-types.md#heartbeat).
import { Cron } from 'croner';

/** Why an expression is not one of five fields (minute, hour, day of month, month, day of week); null when it is. */
export function cronProblem(expression: string): string | null {
  if (expression.trim().split(/\s+/).length !== 5)
    return 'must have five fields: minute, hour, day of month, month, day of week';
  try {
    const next = new Cron(expression.trim(), { paused: true, mode: '5-part', timezone: 'UTC' }).nextRun(
      new Date(0),
    );
    return next === null ? 'never comes' : null;
  } catch (error) {
    return `is not a cron expression: ${(error as Error).message.replace(/\.$/, '')}`;
  }
}

/** Names that proved valid: a formatter takes longer to make than an alarm takes to read who is on call. */
const validZones = new Set<string>();
const MAX_VALID_ZONES = 1000;

/** Whether it is the name of an IANA time zone. Offsets such as +02:00 are not: they have no daylight saving. */
export function isTimezone(name: string): boolean {
  if (validZones.has(name)) return true;
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    if (validZones.size < MAX_VALID_ZONES) validZones.add(name);
    return true;
  } catch {
    return false;
  }
}

/** The zone as the time zone database spells it; what is none is returned as it is. */
export const canonicalZone = (zone: string): string =>
  isTimezone(zone) ? new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone : zone;
