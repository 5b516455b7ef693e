// Collects once what a start leaves behind. V8 grows a heap for the work of a start (migrations, modules, first lists), and
// afterwards, with little to do, has no reason to look through it for hours.
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** After the first, everything that a start does is over, first checks and first jobs too. */
const MINUTE_MS = 60_000;

/**
 * The share of a minute in which the event loop has work. With more, V8 looks through the heap by itself, and the pause would
 * delay what the process is busy with: 1,000 checks a second on one core began up to 240 ms late.
 */
const CALM = 0.2;

/** The last resort also gives back what it has freed. */
type Collect = (how: { type: 'major'; flavor: 'last-resort' }) => void;

/**
 * Collects garbage after the first calm minute, which takes a tenth of a second and up to one where the heap is large. Not again
 * and again: V8 forgets the compiled code of what did not run between two collections, and an alarm may be rare.
 */
export function collectOnce(): void {
  // The function exists only in contexts that are made while the flag is set.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('typeof gc === "function" ? gc : null') as Collect | null;
  setFlagsFromString('--no-expose-gc');
  if (collect !== null) afterCalmMinute(() => collect({ type: 'major', flavor: 'last-resort' }));
}

/** Calls `act` once, at the end of the first minute from now with a calm event loop. Keeps no process alive. */
export function afterCalmMinute(
  act: () => void,
  usage: () => Usage = performance.eventLoopUtilization,
): void {
  let before = usage();
  const timer = setInterval(() => {
    const now = usage();
    const active = now.active - before.active;
    const idle = now.idle - before.idle;
    before = now;
    if (active > CALM * (active + idle)) return;
    clearInterval(timer);
    act();
  }, MINUTE_MS).unref();
}

/** Milliseconds of an event loop since it began. */
type Usage = { idle: number; active: number };
