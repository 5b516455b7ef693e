// Keeps a child process running: restarts it when it dies, with growing pauses.
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../platform/log.ts';
import { PART_PAUSES, restartPauses } from '../platform/restart-pauses.ts';

const PATIENCE_MS = 5_000;

export type KeptChild = {
  pid(): number | null;
  /** SIGTERM, after 5 s SIGKILL; resolves when it is gone. */
  stop(): Promise<void>;
  /** Stops the running child in order and starts another at once. */
  restart(why: string): void;
  /** At once, without waiting: for a process that is about to end itself. */
  kill(): void;
};

/** Starts `spawnChild` now and again whenever it ends. */
export function keepRunning(name: string, spawnChild: () => ChildProcess, log: Log): KeptChild {
  const stopping = new AbortController();
  let child: ChildProcess | null = null;
  const pauseAfter = restartPauses(PART_PAUSES);
  let restarting: string | null = null;

  const loop = (async () => {
    while (!stopping.signal.aborted) {
      const started = performance.now();
      child = spawnChild();
      log.debug({ part: name, started_pid: child.pid }, 'started');
      const how = await endOf(child);
      child = null;
      if (stopping.signal.aborted) return;
      if (restarting !== null) {
        log.info({ part: name, why: restarting }, 'started again');
        restarting = null;
        continue;
      }
      const pauseMs = pauseAfter(performance.now() - started);
      log.error({ part: name, how, again_in_ms: pauseMs }, 'ended unexpectedly; restarting it');
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();

  return {
    pid: () => child?.pid ?? null,
    async stop() {
      stopping.abort();
      const running = child;
      if (running) {
        running.kill('SIGTERM');
        const late = setTimeout(() => running.kill('SIGKILL'), PATIENCE_MS);
        await loop;
        clearTimeout(late);
      }
      await loop;
    },
    restart(why) {
      const running = child;
      if (!running) return;
      restarting = why;
      running.kill('SIGTERM');
      const late = setTimeout(() => running.kill('SIGKILL'), PATIENCE_MS);
      running.once('exit', () => clearTimeout(late));
    },
    kill() {
      stopping.abort();
      child?.kill('SIGKILL');
    },
  };
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ? `killed by ${signal}` : `exit code ${code}`));
  });
}
