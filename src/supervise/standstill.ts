// Detects a server whose event loop is blocked. The server sends a heartbeat each second, and its supervisor counts the time
// since the last one.
import type { ChildProcess } from 'node:child_process';
import type { Log } from '../platform/log.ts';

/** The server's heartbeat message. */
export const BEAT = 'beat';

const BEAT_MS = 1_000;
const TICK_MS = 250;

/** When a server is given up. Each is far more than any step of one that is well takes, on a busy machine too. */
export type Patience = {
  /** Its event loop has not turned for so long, while it served. */
  serving: number;
  /** The same while it starts: its modules are compiled in one go. */
  starting: number;
  /** It turns, and has got nowhere with its start for so long. */
  progress: number;
};
export const PATIENCE: Patience = { serving: 30_000, starting: 120_000, progress: 15 * 60_000 };

/** What a server says that got somewhere with its start, or whose database is at work for it. */
export const PROGRESS = 'progress';

/** Says that the start got somewhere. */
export function reportProgress(): void {
  if (process.connected) process.send?.(PROGRESS, () => undefined);
}

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

/** The watched facts about a child; `starting` ends when it serves. */
export type Watch = { ordered: () => void; serves: () => void };

/**
 * Kills a child that has not said for long that it turns, or that was ordered to start and has not said for long that it
 * got somewhere; whoever keeps it running starts it again. Until it is ordered it may wait: its database is starting. Only
 * time in which this process ran counts: a machine that sleeps, or a group of processes that is stopped, is no fault of
 * the child's.
 */
export function killWhenStill(child: ChildProcess, log: Log, patience: Patience): Watch {
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
