// Monitors of a region as its probes are told of them.
import { offsetMs } from '../domain/schedule.ts';
import { completeConfig, kindOf } from '../monitors/row.ts';
import { openConfig } from '../monitors/sealing.ts';
import type { Log } from '../platform/log.ts';
import type { Vault } from '../platform/secrets.ts';
import type { Database } from '../platform/work.ts';
import type { Assignment } from './probe-contract.ts';

export type Asked = {
  regionNo: number;
  /** Changes of later revisions are left for the next answer. */
  revision: number;
  /** null: everything there is. */
  since: number | null;
  /** Whether a monitor is in the share of who asks. */
  isMine: (monitorId: string) => boolean;
};

type Row = {
  monitor_id: string;
  org_id: string | null;
  interval_in_force: number;
  type: string | null;
  config: unknown;
  interval_seconds: number | null;
};

/** What a probe has to check, or what changed of it since a revision, and what is gone. */
export async function readAssigned(
  { db, vault, log }: { db: Database; vault: Vault; log: Log },
  { regionNo, revision, since, isMine }: Asked,
): Promise<{ monitors: Assignment[]; removed: string[] }> {
  const rows = await db
    .selectFrom('assignments')
    .leftJoin('monitors', 'monitors.no', 'assignments.monitor_no')
    .select([
      'assignments.monitor_id',
      'assignments.removed',
      'assignments.interval_seconds as interval_in_force',
      'monitors.org_id',
      'monitors.type',
      'monitors.config',
      'monitors.interval_seconds',
    ])
    .where('assignments.region_no', '=', regionNo)
    .where('assignments.revision', '<=', revision)
    .$if(since !== null, (query) => query.where('assignments.revision', '>', since ?? 0))
    .$if(since === null, (query) => query.where('assignments.removed', '=', false))
    .execute();
  const mine = rows.filter(({ monitor_id }) => isMine(monitor_id));
  const gone = mine.filter((row) => row.removed || row.type === null);
  const there = mine.filter((row) => !row.removed && row.type !== null);
  return {
    monitors: there.flatMap((row) => assignmentOf(row, vault, log)),
    removed: gone.map((row) => row.monitor_id),
  };
}

/** A monitor whose secrets cannot be opened (another SECRET_KEY) must not keep the others from being checked. */
function assignmentOf(row: Row, vault: Vault, log: Log): Assignment[] {
  const kind = kindOf(row.type ?? '');
  const complete = completeConfig(kind, row.config as Record<string, unknown>, row.interval_seconds ?? 60);
  try {
    const config = openConfig(kind, complete, row.monitor_id, vault);
    return [
      {
        monitor_id: row.monitor_id,
        ...(row.org_id === null ? {} : { organization_id: row.org_id }),
        type: kind.type,
        config,
        interval_seconds: row.interval_in_force,
        offset_ms: offsetMs(row.monitor_id, row.interval_in_force * 1000),
      },
    ];
  } catch (err) {
    log.error({ err, monitor_id: row.monitor_id }, 'a monitor cannot be checked');
    return [];
  }
}
