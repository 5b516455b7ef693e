// A server that is there and does nothing: its event loop stands still. It says each second that it turns, and its supervisor
// counts how long it has not.
import type { ChildProcess } from 'node:child_process';
import type { Log } from '../platform/log.ts';

/** What a server says that turns. */
export const BEAT = 'beat';

const BEAT_MS = 1_000;
const TICK_MS = 250;
/** Far more than any step of a server that is well takes, on a machine that is busy with other things too. */
export const STANDS_STILL_AFTER_MS = 30_000;

/** Says from now on that this process turns, to whoever started it; one word at a time, should nobody listen. */
export function beat(): void {
  let saying = false;
  setInterval(() => {
    if (saying || !process.connected) return;
    saying = true;
    process.send?.(BEAT, () => {
      saying = false;
    });
  }, BEAT_MS).unref();
}

/**
 * Kills a child that has served, and has not said for `afterMs` that it turns; whoever keeps it running starts it again.
 * Only time in which this process ran counts: a machine that sleeps, or a group of processes that is stopped, is no fault
 * of the child's.
 */
export function killWhenStill(child: ChildProcess, log: Log, afterMs: number): void {
  let silentMs = 0;
  child.on('message', () => {
    silentMs = 0;
  });
  const ticking = setInterval(() => {
    // One tick counts as one tick, however long this process was kept from running as well.
    silentMs += TICK_MS;
    if (silentMs < afterMs) return;
    clearInterval(ticking);
    log.error(
      { part: 'server', pid: child.pid, silent_ms: silentMs },
      'the server stands still: its event loop has not turned; it is killed, to be started again',
    );
    child.kill('SIGKILL');
  }, TICK_MS);
  child.once('exit', () => clearInterval(ticking));
}
