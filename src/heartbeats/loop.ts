// The loop that detects missing pings. Every server process runs it: one indexed query a second while all is well. The due
// times are in the rows, so any process can handle them.
import type { DiskGuard } from '../platform/db/disk-guard.ts';
import { evaluateHeartbeats, type HeartbeatContext } from './overdue.ts';
import { renewWatch } from './watched-until.ts';

export type HeartbeatLoopOptions = HeartbeatContext & {
  clock: () => Date;
  disk: Pick<DiskGuard, 'databaseFull'>;
  /**
   * Detects other silence (agents). Called after the stamp is renewed, so that signals no server could receive are excused by
   * then.
   */
  alsoEvaluate?: readonly ((now: Date) => Promise<void>)[];
};

const EVERY_MS = 1_000;
/** Rounds per turn; the rest waits for the next turn, so that the watch stamp stays fresh. */
const MAX_ROUNDS = 10;

/** Starts the loop. Resolves after the first turn, which excuses the pings that no server could receive. */
export async function startHeartbeatLoop(
  options: HeartbeatLoopOptions,
): Promise<{ stop: () => Promise<void> }> {
  await watchTurn(options);
  let stopped = false;
  let timer: NodeJS.Timeout | null = null;
  let running = Promise.resolve();
  let failing = false;
  const again = () => {
    timer = setTimeout(() => {
      running = watchTurn(options)
        .then(() => {
          failing = false;
        })
        .catch((err: unknown) => {
          if (!failing) options.log.warn({ err }, 'heartbeats cannot be checked; trying again every second');
          failing = true;
        })
        .then(() => {
          if (!stopped) again();
        });
    }, EVERY_MS);
  };
  again();
  return {
    async stop() {
      stopped = true;
      if (timer) clearTimeout(timer);
      await running;
    },
  };
}

/**
 * One turn: renews the watch stamp, then checks the due heartbeats. Does nothing while the database is too full to store
 * pings: missing pings would be the server's fault.
 */
export async function watchTurn(options: HeartbeatLoopOptions): Promise<void> {
  const { db, clock, log, disk } = options;
  if (disk.databaseFull()) return;
  const now = clock();
  const away = await renewWatch(db, now);
  if (away && away.untilMs < away.fromMs)
    log.warn(
      { seconds: Math.round((away.fromMs - away.untilMs) / 1000) },
      'the clock of the database was set back; what it has dated in the future counts as of now',
    );
  else if (away)
    log.info(
      { seconds: Math.round((away.untilMs - away.fromMs) / 1000) },
      'no server was receiving heartbeats; the pings expected meanwhile are excused',
    );
  await evaluateDue(options, now);
  for (const evaluate of options.alsoEvaluate ?? []) await evaluate(now);
}

/** Checks all due heartbeats; a heartbeat that has been failing for long may take several rounds. */
export async function evaluateDue(context: HeartbeatContext, now: Date): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) if ((await evaluateHeartbeats(context, now)) === 0) return;
}
