// Who is on duty, as the API shows it.
import { dutyAt, type Stretch, stretchesFrom } from '../domain/rotation.ts';
import type { Database } from '../platform/work.ts';
import type { Duty, Shift } from './contract.ts';
import { type OnCall, readOnCall } from './on-call-config.ts';

/** Weeks of shifts shown by default. */
const WEEKS = 8;

const unixOf = (ms: number | null) => (ms === null ? null : Math.floor(ms / 1000));
const nameOf = ({ names }: OnCall, { userId }: Stretch) =>
  userId === null ? null : (names.get(userId) ?? null);

/** Who is on duty at `now`; nobody in a gap. */
export async function getDuty(db: Database, orgId: string, now: Date): Promise<Duty> {
  const onCall = await readOnCall(db, orgId);
  const stretch = dutyAt(onCall.rota, now.getTime());
  return {
    user_id: stretch.userId,
    name: nameOf(onCall, stretch),
    source: stretch.source,
    until_unix: unixOf(stretch.untilMs),
  };
}

/** Shifts from the current one on: one a week, or a single endless one where nobody hands over. */
export async function listShifts(db: Database, orgId: string, now: Date, weeks = WEEKS): Promise<Shift[]> {
  const onCall = await readOnCall(db, orgId);
  return stretchesFrom(onCall.rota, now.getTime(), weeks).map((stretch) => ({
    from_unix: unixOf(stretch.fromMs ?? now.getTime()) ?? 0,
    until_unix: unixOf(stretch.untilMs),
    user_id: stretch.userId,
    name: nameOf(onCall, stretch),
  }));
}
