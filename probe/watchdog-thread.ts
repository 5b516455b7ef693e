import { writeFileSync, writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { BEAT, CURRENT, MOST, MOST_MS, STOPPED, TURNS, type WatchdogData } from './watchdog.ts';

const TICK_MS = 250;

const { shared, file, frozenAfterMs } = workerData as WatchdogData;
const words = new Int32Array(shared);

/** What took less of the time than this did not bring the loop to a standstill. */
const BLAMED_SHARE = 0.25;

let silentMs = 0;
/** How long the loop has been at one and the same check. */
let sameMs = 0;
let turns = -1;
while (Atomics.load(words, STOPPED) === 0 && silentMs < frozenAfterMs) {
  const before = Atomics.load(words, BEAT);
  // One tick counts as one tick, however long this thread was kept from running as well.
  silentMs = Atomics.wait(words, BEAT, before, TICK_MS) === 'timed-out' ? silentMs + TICK_MS : 0;
  sameMs = silentMs > 0 && words[TURNS] === turns ? sameMs + TICK_MS : 0;
  turns = words[TURNS] ?? 0;
}
if (Atomics.load(words, STOPPED) === 0) endFrozen();

function endFrozen(): void {
  const note = blamed();
  const time = new Date().toISOString();
  try {
    writeFileSync(file, JSON.stringify({ note, time }), { mode: 0o600 });
    const msg = 'This probe stood still and is ended, to be started again';
    writeSync(2, `${JSON.stringify({ level: 'error', time, msg, at: note || 'unknown' })}\n`);
  } finally {
    // process.exit ends no more than this thread.
    process.kill(process.pid, 'SIGKILL');
  }
}

/** The check that the loop is stuck in, else the one that took most of its time; '' where that is not known. */
function blamed(): string {
  const blamedMs = BLAMED_SHARE * frozenAfterMs;
  if (sameMs >= blamedMs) return noteAt(CURRENT);
  return (words[MOST_MS] ?? 0) >= blamedMs ? noteAt(MOST) : '';
}

function noteAt(at: number): string {
  return String.fromCharCode(...words.subarray(at + 1, at + 1 + (words[at] ?? 0)));
}
