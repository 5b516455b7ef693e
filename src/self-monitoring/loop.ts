// Watches over the installation itself. Every server process runs this loop, and one takes each turn. Sent notifications are
// recorded in the database, so that any process can continue.

import type { DiskGuard } from '../platform/db/disk-guard.ts';
import { type Database, runWork, SYSTEM, type Work } from '../platform/work.ts';
import {
  diskCondition,
  edgeConditions,
  probeConditions,
  queueConditions,
  regionConditions,
} from './conditions.ts';
import { type NotifyOperatorOptions, notifyOperator } from './notify-operator.ts';
import { notifyOrganizations } from './notify-organizations.ts';
import { claimRound } from './self-watch.ts';
import { noteSilences } from './silences.ts';
import { applyConditions } from './troubles.ts';

export type SelfMonitoringOptions = NotifyOperatorOptions & {
  disk: Pick<DiskGuard, 'resultsPaused' | 'pausedForMs' | 'freeBytes'>;
};

const EVERY_MS = 2_000;

/**
 * One turn: records begun and ended troubles, and notifies organizations, in one unit of work. Does nothing if another server
 * has the turn. The operator's mail is a step of its own (`notifyOperator`).
 */
export async function watchTurn({ db, clock, disk }: SelfMonitoringOptions): Promise<void> {
  const now = clock();
  const storing = !disk.resultsPaused();
  await runWork(
    db,
    now,
    SYSTEM,
    async (work) => {
      const watching = await claimRound(work, storing);
      if (watching === null) return;
      await watchParts(db, work, { disk, watching });
      await noteSilences(work);
      await notifyOrganizations(work);
    },
    { keepPlans: true },
  );
}

async function watchParts(
  db: Database,
  work: Work,
  { disk, watching }: Pick<SelfMonitoringOptions, 'disk'> & { watching: { since: Date; storingSince: Date } },
): Promise<void> {
  const { tx, now } = work;
  await applyConditions(work, 'region_offline', await regionConditions(tx, now, watching));
  await applyConditions(work, 'probe_lagging', await probeConditions(tx, now));
  await applyConditions(work, 'queue_lagging', await queueConditions(db, now, watching));
  await applyConditions(work, 'disk_full', [diskCondition(disk, now)]);
  await applyConditions(work, 'edge_failing', await edgeConditions(tx, now));
}

/** Starts the watch: a turn every two seconds, and mails beside them, so that a slow mail server stops no turn. */
export function startSelfMonitoring(options: SelfMonitoringOptions): { stop: () => Promise<void> } {
  const { log } = options;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let failing = false;
  let running = Promise.resolve();
  let mailing: Promise<void> | null = null;
  const turn = async () => {
    try {
      await watchTurn(options);
      mailing ??= notifyOperator(options, () => stopped)
        .catch((err: unknown) => log.warn({ err }, 'could not notify the operator; trying again'))
        .finally(() => {
          mailing = null;
        });
      failing = false;
    } catch (err) {
      if (!failing) log.warn({ err }, 'cannot check the installation for troubles; trying again');
      failing = true;
    }
    if (!stopped) again();
  };
  const again = () => {
    timer = setTimeout(() => {
      running = turn();
    }, EVERY_MS);
  };
  again();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
      await mailing;
    },
  };
}
