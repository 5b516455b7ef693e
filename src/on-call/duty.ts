// Who is on duty, as the API shows it.
import { type DutyPeriod, dutyAt, periodsFrom } from '../domain/rotation.ts';
import { unixOfMs } from '../platform/unix.ts';
import type { Database } from '../platform/work.ts';
import type { Duty, Shift } from './contract.ts';
import { type OnCall, readOnCall } from './on-call-config.ts';

/** Weeks of shifts shown by default. */
const WEEKS = 8;

const nameOf = ({ names }: OnCall, { userId }: DutyPeriod) =>
  userId === null ? null : (names.get(userId) ?? null);

/** Who is on duty at `now`; nobody in a gap. */
export async function getDuty(db: Database, orgId: string, now: Date): Promise<Duty> {
  const onCall = await readOnCall(db, orgId, now);
  const period = dutyAt(onCall.rotation, now.getTime());
  return {
    user_id: period.userId,
    name: nameOf(onCall, period),
    source: period.source,
    until_unix: unixOfMs(period.untilMs),
  };
}

/**
 * Shifts of the coming weeks from the current one on: one a week, or a single endless one where nobody hands over, and the
 * overrides between them.
 */
export async function listShifts(db: Database, orgId: string, now: Date, weeks = WEEKS): Promise<Shift[]> {
  const onCall = await readOnCall(db, orgId, now);
  return periodsFrom(onCall.rotation, now.getTime(), weeks).map((period) => ({
    from_unix: unixOfMs(period.fromMs ?? now.getTime()),
    until_unix: unixOfMs(period.untilMs),
    user_id: period.userId,
    name: nameOf(onCall, period),
    source: period.source,
  }));
}
