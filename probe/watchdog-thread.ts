import type * as fs from 'node:fs';

export const NOTE_CHARACTERS = 200;
const CURRENT = 4;

/**
 * Positions in the words shared with the thread: beats, whether to stop, how often the loop turned from one check to another,
 * the most time that one check used of the loop since the beat (ms); then two notes, each with its length before its
 * characters: the loop's current check, and the one that used most time.
 */
export const AT = {
  beat: 0,
  stopped: 1,
  turns: 2,
  maxMs: 3,
  current: CURRENT,
  most: CURRENT + 1 + NOTE_CHARACTERS,
} as const;

export type WatchdogData = {
  shared: SharedArrayBuffer;
  file: string;
  frozenAfterMs: number;
  at: typeof AT;
};

/**
 * The body of the thread. The thread gets only the text of this function, so it uses nothing from outside: a TypeScript
 * module would load Node's type stripping once more, for 13 MB.
 */
export function watch(
  { shared, file, frozenAfterMs, at }: WatchdogData,
  { writeFileSync, writeSync }: typeof fs,
): void {
  const tickMs = 250;
  // A check that used a smaller part of the time did not freeze the loop.
  const blamedMs = 0.25 * frozenAfterMs;
  const words = new Int32Array(shared);
  const noteAt = (place: number): string =>
    String.fromCharCode(...words.subarray(place + 1, place + 1 + (words[place] ?? 0)));

  let silentMs = 0;
  // How long the loop has been at one and the same check.
  let sameMs = 0;
  let turns = -1;
  while (Atomics.load(words, at.stopped) === 0 && silentMs < frozenAfterMs) {
    const before = Atomics.load(words, at.beat);
    // A tick counts as one tick, even if this thread was kept from running as well.
    silentMs = Atomics.wait(words, at.beat, before, tickMs) === 'timed-out' ? silentMs + tickMs : 0;
    sameMs = silentMs > 0 && words[at.turns] === turns ? sameMs + tickMs : 0;
    turns = words[at.turns] ?? 0;
  }
  if (Atomics.load(words, at.stopped) !== 0) return;

  // The check that the loop is stuck in, else the one that used most of its time; '' if unknown.
  const tookMost = (words[at.maxMs] ?? 0) >= blamedMs ? noteAt(at.most) : '';
  const note = sameMs >= blamedMs ? noteAt(at.current) : tookMost;
  const time = new Date().toISOString();
  try {
    writeFileSync(file, JSON.stringify({ note, time }), { mode: 0o600 });
    const msg = 'This probe stood still and is ended, to be restarted';
    writeSync(2, `${JSON.stringify({ level: 'error', time, msg, at: note || 'unknown' })}\n`);
  } finally {
    // process.exit would end only this thread.
    process.kill(process.pid, 'SIGKILL');
  }
}
