// Records what has happened outside of the database, also if that is away at the moment.
import { setTimeout as pause } from 'node:timers/promises';
import { isPassing } from './away.ts';

/** For two minutes, and right after the database is back: before somebody else takes over what a lease has run out for. */
const PAUSE_MS = 250;
const TIMES = 480;

/**
 * Calls `record` again while the database is away: a mail that was accepted, for example, and whose record is lost, is sent again.
 * `record` may run once more although its commit has arrived: that answer may be lost, too.
 */
export async function recordPatiently(
  record: () => Promise<void>,
  isStopped: () => boolean = () => false,
): Promise<void> {
  for (let times = 1; ; times++)
    try {
      return await record();
    } catch (err) {
      if (!isPassing(err) || times >= TIMES || isStopped()) throw err;
      await pause(PAUSE_MS);
    }
}
