// Detects a server whose event loop is blocked. The server sends a heartbeat each second, and its supervisor counts the time
// since the last one.
import type { ChildProcess } from 'node:child_process';
import type { Log } from '../platform/log.ts';

/** The server's heartbeat message. */
export const BEAT = 'beat';

const BEAT_MS = 1_000;
const TICK_MS = 250;

/** When a server is given up. Each limit far exceeds any step of a healthy server, even on a busy machine. */
export type HangTimeouts = {
  /** Its event loop has not turned for this long while it served. */
  serving: number;
  /** The same while it starts: its modules are compiled in one go. */
  starting: number;
  /** It turns, but its start has made no progress for this long. */
  progress: number;
};
export const HANG_TIMEOUTS: HangTimeouts = { serving: 30_000, starting: 120_000, progress: 15 * 60_000 };

/** The message of a server whose start has made progress, or whose database is working for it. */
export const PROGRESS = 'progress';

/** Reports progress of the start. */
export function reportProgress(): void {
  if (process.connected) process.send?.(PROGRESS, () => undefined);
}

/** From now on sends heartbeats to the parent process; one at a time, in case nobody reads them. */
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

/** The watched facts about a child; `starting` ends when it serves. */
export type Watch = { ordered: () => void; serves: () => void };

/**
 * Kills a child without a heartbeat for too long, or without progress of its ordered start for too long; its keeper restarts
 * it. Until the order it may wait: its database is starting. Only time in which this process ran counts: a machine that
 * sleeps, or a group of processes that is stopped, is not the child's fault.
 */
export function killWhenHung(child: ChildProcess, log: Log, patience: HangTimeouts): Watch {
  let silentMs = 0;
  let stuckMs = 0;
  let stage: 'loading' | 'starting' | 'serving' = 'loading';
  child.on('message', (said) => {
    silentMs = 0;
    if (said !== BEAT) stuckMs = 0;
  });
  const giveUp = (about: object, sentence: string) => {
    clearInterval(ticking);
    log.error({ part: 'server', pid: child.pid, ...about }, sentence);
    child.kill('SIGKILL');
  };
  const ticking = setInterval(() => {
    // One tick counts once, however long this process itself was kept from running.
    silentMs += TICK_MS;
    if (stage === 'starting') stuckMs += TICK_MS;
    if (silentMs >= (stage === 'serving' ? patience.serving : patience.starting))
      giveUp({ silent_ms: silentMs }, 'the server stands still: its event loop has not turned; it is killed');
    else if (stuckMs >= patience.progress)
      giveUp(
        { stuck_ms: stuckMs },
        'the server got nowhere with its start: nothing came back from its database; it is killed',
      );
  }, TICK_MS);
  child.once('exit', () => clearInterval(ticking));
  return {
    ordered() {
      if (stage === 'loading') stage = 'starting';
    },
    serves() {
      stage = 'serving';
      stuckMs = 0;
    },
  };
}
