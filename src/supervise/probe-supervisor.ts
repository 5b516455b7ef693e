// Supervises `tocsin probe` if nothing else does: this process only restarts it.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownEnvironment } from '../config/child-environment.ts';
import { PART_PAUSES, restartPauses } from '../platform/restart-pauses.ts';

const MAIN = join(import.meta.dirname, '../main.ts');
/** Node's exit code after an uncaught exception. */
const UNCAUGHT = [1, 7];

type End = { code: number | null; signal: NodeJS.Signals | null };

/**
 * Runs the probe as a child and restarts it, with growing pauses, if it was killed (its own watchdog kills one that hangs)
 * or crashed. If it ended in order, or cannot start, this ends as well and returns its exit code.
 */
export async function superviseProbe(words: readonly string[]): Promise<number> {
  const stopping = new AbortController();
  let child: ChildProcess | undefined;
  const pass = (signal: NodeJS.Signals) => {
    stopping.abort();
    child?.kill(signal);
  };
  process.on('SIGTERM', pass).on('SIGINT', pass);
  const pauseAfter = restartPauses(PART_PAUSES);
  for (;;) {
    const startedAtMs = performance.now();
    child = spawn(process.execPath, [...process.execArgv, MAIN, 'probe', ...words], {
      env: ownEnvironment(),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // Ctrl-C reaches this process only, which passes it on once.
      detached: true,
      windowsHide: true,
    });
    const { code, signal } = await endOf(child);
    const ranMs = performance.now() - startedAtMs;
    if (stopping.signal.aborted) return code ?? 1;
    if (signal === null && !(UNCAUGHT.includes(code ?? 0) && ranMs > STARTED_AFTER_MS)) return code ?? 1;
    const pauseMs = pauseAfter(ranMs);
    say(signal === null ? `exit code ${code}` : `killed by ${signal}`, pauseMs);
    await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    if (stopping.signal.aborted) return 0;
  }
}

/** A probe that fails sooner than this could not start, and would fail again. */
const STARTED_AFTER_MS = 10_000;

function say(how: string, again_in_ms: number): void {
  const time = new Date().toISOString();
  const msg = 'The probe ended unexpectedly; restarting it';
  process.stderr.write(`${JSON.stringify({ level: 'error', time, msg, how, again_in_ms })}\n`);
}

function endOf(child: ChildProcess): Promise<End> {
  return new Promise((resolve) => {
    child.once('error', () => resolve({ code: 1, signal: null }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}
