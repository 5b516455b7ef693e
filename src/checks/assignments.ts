// What a probe has to check: everything, or what changed since a revision, held open until something does
// (decisions, section 9).
import type { EventEmitter } from 'node:events';
import { offsetMs } from '../domain/schedule.ts';
import { ASSIGNMENTS_CHANNEL } from '../monitors/assign.ts';
import { completeConfig, kindOf } from '../monitors/row.ts';
import { openConfig } from '../monitors/sealing.ts';
import type { Notifications } from '../platform/db/notifications.ts';
import type { Caller } from '../platform/http/caller.ts';
import type { Call } from '../platform/http/mount.ts';
import type { Log } from '../platform/log.ts';
import type { Vault } from '../platform/secrets.ts';
import type { Database } from '../platform/work.ts';
import { touchProbe } from '../regions/liveness.ts';
import type { Assignment, Assignments, getAssignments } from './probe-contract.ts';

type Probe = Extract<Caller, { kind: 'probe' }>;

export type AssignmentDesk = {
  answer: (call: Call<typeof getAssignments>) => Promise<Assignments>;
  stop: () => void;
};

/** A waiting request counts as a sign of life; it is noted this often. */
const SIGN_OF_LIFE_MS = 8_000;

/** Starts answering assignment requests of this process: one LISTEN wakes all that wait. */
export function startAssignmentDesk(
  db: Database,
  vault: Vault,
  notifications: Notifications,
  clock: () => Date,
  log: Log,
): AssignmentDesk {
  const waiting = new Map<number, Set<() => void>>();
  let stopped = false;
  notifications.listen(ASSIGNMENTS_CHANNEL, (payload) => {
    for (const [regionNo, wakes] of waiting)
      if (payload === null || payload === String(regionNo)) for (const wake of [...wakes]) wake();
  });

  /** Resolves at a change of the region, at `ms`, when the desk closes or the probe has hung up. */
  function change(regionNo: number, ms: number, connection: EventEmitter): Promise<void> {
    return new Promise((resolve) => {
      const wakes = waiting.get(regionNo) ?? new Set();
      waiting.set(regionNo, wakes);
      const done = () => {
        clearTimeout(timer);
        wakes.delete(done);
        connection.off('close', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      wakes.add(done);
      connection.once('close', done);
    });
  }

  async function answer(call: Call<typeof getAssignments>): Promise<Assignments> {
    const probe = call.caller as Probe;
    const { since, wait = 25, probe_id: probeId = 'probe' } = call.query;
    await touchProbe(db, probe.regionNo, probeId, call.now);
    const until = call.now.getTime() + wait * 1000;
    const connection = call.request.raw.socket;
    for (;;) {
      const revision = await revisionOf(db, probe.regionNo);
      // A revision we never gave (another database was restored) is answered in full.
      if (since === undefined || since > revision) return read(probe, revision, null);
      const left = until - clock().getTime();
      if (revision > since || left <= 0 || stopped) return read(probe, revision, since);
      // Registered before the revision is read again, so that no change falls between.
      const changed = change(probe.regionNo, Math.min(left, SIGN_OF_LIFE_MS), connection);
      if ((await revisionOf(db, probe.regionNo)) > since) continue;
      await changed;
      // Nobody waits any more, so nobody is alive.
      if (connection.destroyed) return read(probe, revision, since);
      await touchProbe(db, probe.regionNo, probeId, clock());
    }
  }

  async function read(probe: Probe, revision: number, since: number | null): Promise<Assignments> {
    const rows = await db
      .selectFrom('assignments')
      .leftJoin('monitors', 'monitors.no', 'assignments.monitor_no')
      .select([
        'assignments.monitor_id',
        'assignments.removed',
        'assignments.interval_seconds as interval_in_force',
        'monitors.type',
        'monitors.config',
        'monitors.interval_seconds',
      ])
      .where('assignments.region_no', '=', probe.regionNo)
      .where('assignments.revision', '<=', revision)
      .$if(since !== null, (query) => query.where('assignments.revision', '>', since ?? 0))
      .$if(since === null, (query) => query.where('assignments.removed', '=', false))
      .execute();
    const gone = rows.filter((row) => row.removed || row.type === null);
    return {
      revision,
      full: since === null,
      server_time_ms: clock().getTime(),
      allow_private_targets: probe.allowPrivateTargets,
      monitors: rows.filter((row) => !row.removed && row.type !== null).flatMap((row) => assignmentOf(row)),
      removed: gone.map((row) => row.monitor_id),
    };
  }

  /** A monitor whose secrets cannot be opened (another SECRET_KEY) must not keep the others from being checked. */
  function assignmentOf(row: {
    monitor_id: string;
    interval_in_force: number;
    type: string | null;
    config: unknown;
    interval_seconds: number | null;
  }): Assignment[] {
    const kind = kindOf(row.type ?? '');
    const complete = completeConfig(kind, row.config as Record<string, unknown>, row.interval_seconds ?? 60);
    try {
      const config = openConfig(kind, complete, row.monitor_id, vault);
      const intervalMs = row.interval_in_force * 1000;
      return [
        {
          monitor_id: row.monitor_id,
          type: kind.type,
          config,
          interval_seconds: row.interval_in_force,
          offset_ms: offsetMs(row.monitor_id, intervalMs),
        },
      ];
    } catch (err) {
      log.error({ err, monitor_id: row.monitor_id }, 'a monitor cannot be checked');
      return [];
    }
  }

  return {
    answer,
    stop() {
      stopped = true;
      for (const wakes of waiting.values()) for (const wake of [...wakes]) wake();
    },
  };
}

async function revisionOf(db: Database, regionNo: number): Promise<number> {
  const row = await db.selectFrom('regions').select('revision').where('no', '=', regionNo).executeTakeFirst();
  return row?.revision ?? 0;
}
