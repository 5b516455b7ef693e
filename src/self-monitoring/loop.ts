// Watches over the installation itself. Every server process runs this loop, and one takes each turn. Sent notifications are
// recorded in the database, so that any process can continue.

import { isPassing } from '../platform/db/away.ts';
import type { DiskGuard } from '../platform/db/disk-guard.ts';
import { makeSetAside, noteSetAside, type SetAside } from '../platform/set-aside.ts';
import { runWork, SYSTEM, type Work } from '../platform/work.ts';
import {
  diskCondition,
  edgeConditions,
  probeConditions,
  queueConditions,
  regionConditions,
} from './conditions.ts';
import { type NotifyOperatorOptions, notifyOperator } from './notify-operator.ts';
import { notifyOrganizations, organizationsToNotify } from './notify-organizations.ts';
import { claimRound, holdRound, type Watching } from './self-watch.ts';
import { noteSilences } from './silences.ts';
import { applyConditions, type Condition, type OperatorTrouble } from './troubles.ts';

export type SelfMonitoringOptions = NotifyOperatorOptions & {
  disk: Pick<DiskGuard, 'resultsPaused' | 'pausedForMs' | 'freeBytes'>;
};

const EVERY_MS = 2_000;

type Act = (work: Work, watching: Watching) => Promise<unknown>;

/**
 * One turn: records begun and ended troubles, and notifies organizations, in one unit of work. Does nothing if another server
 * has the turn. If that fails, each part does it by itself, so that none holds up the others. The operator's mail is a step of its
 * own (`notifyOperator`).
 */
export async function watchTurn(
  options: SelfMonitoringOptions,
  aside: SetAside<string> = makeSetAside(),
): Promise<void> {
  const { db, clock, disk } = options;
  const now = clock();
  const storing = !disk.resultsPaused();
  const parts = partsOf(options);
  try {
    await runWork(
      db,
      now,
      SYSTEM,
      async (work) => {
        const watching = await claimRound(work, storing);
        if (watching === null) return;
        for (const act of Object.values(parts)) await act(work, watching);
        await notifyOrganizations(work);
      },
      { keepPlans: true },
    );
  } catch (error) {
    if (isPassing(error)) throw error;
    const watching = await runWork(db, now, SYSTEM, (work) => claimRound(work, storing));
    if (watching !== null) await partByPart(options, aside, { now, watching, parts });
  }
}

function partsOf({ db, disk }: Pick<SelfMonitoringOptions, 'db' | 'disk'>): Record<string, Act> {
  const conditions =
    (kind: OperatorTrouble, read: (work: Work, watching: Watching) => Promise<readonly Condition[]>): Act =>
    async (work, watching) =>
      applyConditions(work, kind, await read(work, watching));
  return {
    regions: conditions('region_offline', ({ tx, now }, watching) => regionConditions(tx, now, watching)),
    probes: conditions('probe_lagging', ({ tx, now }) => probeConditions(tx, now)),
    queues: conditions('queue_lagging', ({ now }, watching) => queueConditions(db, now, watching)),
    disk: conditions('disk_full', async ({ now }) => [diskCondition(disk, now)]),
    edges: conditions('edge_failing', ({ tx, now }) => edgeConditions(tx, now)),
    silences: noteSilences,
  };
}

/** The parts of a turn and the mails of each organization, in units of work of their own; what fails is set aside for a while. */
async function partByPart(
  { db, log }: Pick<SelfMonitoringOptions, 'db' | 'log'>,
  aside: SetAside<string>,
  { now, watching, parts }: { now: Date; watching: Watching; parts: Record<string, Act> },
): Promise<void> {
  const setAside = aside.at(now.getTime());
  const alone = async (part: string, act: Act) => {
    if (setAside.has(part)) return;
    try {
      await runWork(db, now, SYSTEM, async (work) => {
        if (await holdRound(work)) await act(work, watching);
      });
      aside.worked(part);
    } catch (error) {
      if (isPassing(error)) throw error;
      aside.failed(part, now.getTime());
      noteSetAside(log, 'watch', { part }, error);
    }
  };
  for (const [part, act] of Object.entries(parts)) await alone(part, act);
  for (const orgId of await runWork(db, now, SYSTEM, organizationsToNotify))
    await alone(orgId, (work) => notifyOrganizations(work, orgId));
}

/** Starts the watch: a turn every two seconds, and mails beside them, so that a slow mail server stops no turn. */
export function startSelfMonitoring(options: SelfMonitoringOptions): { stop: () => Promise<void> } {
  const { log } = options;
  const aside = makeSetAside<string>();
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let failing = false;
  let running = Promise.resolve();
  let mailing: Promise<void> | null = null;
  const turn = async () => {
    try {
      await watchTurn(options, aside);
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
