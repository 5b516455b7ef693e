import { writeFileSync, writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { BEAT, LENGTH, NOTE, STOPPED, type WatchdogData } from './watchdog.ts';

const TICK_MS = 250;

const { shared, file, frozenAfterMs } = workerData as WatchdogData;
const words = new Int32Array(shared);

let silentMs = 0;
while (Atomics.load(words, STOPPED) === 0 && silentMs < frozenAfterMs) {
  const before = Atomics.load(words, BEAT);
  // One tick counts as one tick, however long this thread was kept from running as well.
  silentMs = Atomics.wait(words, BEAT, before, TICK_MS) === 'timed-out' ? silentMs + TICK_MS : 0;
}
if (Atomics.load(words, STOPPED) === 0) endFrozen();

function endFrozen(): void {
  const note = String.fromCharCode(...words.subarray(NOTE, NOTE + (words[LENGTH] ?? 0)));
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
