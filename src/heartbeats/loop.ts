// The loop that notices silence, in every server process: a look-up by an index each second, and nothing else while all is
// well. Which process looks does not matter: what is due stands in the rows.
import type { DiskGuard } from '../platform/db/disk-guard.ts';
import { type HeartbeatHouse, lookAtHeartbeats } from './overdue.ts';
import { noteWatching } from './watched-until.ts';

export type HeartbeatLoopOptions = HeartbeatHouse & {
  clock: () => Date;
  disk: Pick<DiskGuard, 'databaseFull'>;
};

const EVERY_MS = 1_000;
/** Rounds of one turn: what is due beyond them waits for the next turn, so that the stamp stays fresh. */
const MOST_ROUNDS = 10;

/** Starts it: the first turn, which lets off what nobody could hear, is over when this resolves. */
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
          if (!failing)
            options.log.warn({ err }, 'heartbeats cannot be looked at; trying again every second');
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
 * One turn: that somebody is here, then what is due. While the database has no space for pings nobody is here to hear them,
 * whatever else it still takes.
 */
export async function watchTurn(options: HeartbeatLoopOptions): Promise<void> {
  const { db, clock, log, disk } = options;
  if (disk.databaseFull()) return;
  const now = clock();
  const away = await noteWatching(db, now);
  if (away)
    log.info(
      { seconds: Math.round((away.untilMs - away.fromMs) / 1000) },
      'nobody was here to hear heartbeats; what was expected meanwhile is let off',
    );
  await lookAtDue(options, now);
}

/** Looks at everything that is due; of what failed for long, several looks one after the other. */
export async function lookAtDue(house: HeartbeatHouse, now: Date): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round++) if ((await lookAtHeartbeats(house, now)) === 0) return;
}
