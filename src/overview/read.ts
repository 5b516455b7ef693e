// The whole overview: a fixed number of statements for any number of monitors.
import type { ResourceFilter } from '../platform/http/caller.ts';
import { unix } from '../platform/unix.ts';
import type { Database } from '../platform/work.ts';
import type { Overview } from './contract.ts';
import type { MonthUptime } from './month-uptime.ts';
import { readOnCallState } from './on-call.ts';
import { readOpen, readRecent } from './open-incidents.ts';
import { readHolds, readMaintenance } from './planned.ts';
import { readTiles } from './tiles.ts';

export type OverviewRequest = {
  orgId: string;
  within: ResourceFilter;
  now: Date;
  /** Whether the caller asks for the tiles of monitors. */
  tiles: boolean;
  /** The parts that the caller may see beside monitors; the other parts are null. */
  sees: { incidents: boolean; onCall: boolean; maintenance: boolean };
};

export type Sources = {
  /** Whether this installation has a mail server. */
  mail: boolean;
  monthUptime: MonthUptime;
};

const NOTHING = { monitors: null, counts: null, on_call: null, unnotified: null };

export async function readOverview(
  db: Database,
  { orgId, within, now, tiles, sees }: OverviewRequest,
  { mail, monthUptime }: Sources,
): Promise<Overview> {
  const [field, open, recent, holds, onCall, maintenance, uptime] = await Promise.all([
    tiles ? readTiles(db, orgId, within, now) : NOTHING,
    sees.incidents ? readOpen(db, orgId, within, now) : null,
    sees.incidents ? readRecent(db, orgId, within) : null,
    sees.incidents ? readHolds(db, orgId, within, now) : null,
    // These concern the organization as a whole.
    sees.onCall && within === null ? readOnCallState(db, orgId, mail, now) : NOTHING,
    sees.maintenance ? readMaintenance(db, orgId, within, now) : null,
    within === null ? monthUptime(db, orgId, now) : null,
  ]);
  const { monitors, counts } = field;
  const { on_call, unnotified } = onCall;
  return {
    at_unix: unix(now),
    counts,
    monitors,
    open,
    recent,
    holds,
    on_call,
    maintenance,
    unnotified,
    uptime,
  };
}
