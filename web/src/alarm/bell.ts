// The sound of the loud alarm, made by code: a bell struck three times, a pause, and again, louder every time. No file has
// to be loaded, so it rings also while the server is away.

/** From the first stroke of a round to that of the next. */
export const ROUND_SECONDS = 2.4;
/** When a round is struck, counted from its beginning. */
const STROKES_SECONDS = [0, 0.36, 0.72];
/** Timers of hidden tabs run once a second at best: rounds are handed to the sound card this far ahead. */
const AHEAD_SECONDS = 3;
const LOOK_EVERY_MS = 400;
const NOTE_HZ = 640;
/** What a bell is made of: its partials as [of the note, share of the volume, seconds until it has died away]. */
const PARTIALS = [
  [0.5, 0.3, 1.9],
  [1, 0.5, 1.4],
  [1.2, 0.34, 1.1],
  [1.5, 0.2, 0.9],
  [2, 0.36, 0.8],
  [2.67, 0.16, 0.5],
  [3.01, 0.12, 0.4],
] as const;

/** How loud the n-th round is, from 0 to 1: it begins so that nobody starts up, and is at its loudest after half a minute. */
export function loudness(round: number): number {
  return Math.min(1, 0.1 * 1.22 ** Math.max(0, round));
}

/** Rings until the returned function is called; `from` is the round it begins with, so how loud. */
export function startBell(context: AudioContext, from = 0): () => void {
  const out = context.createGain();
  out.gain.value = 0.55;
  // Three bells at once must not clip.
  const limiter = context.createDynamicsCompressor();
  out.connect(limiter).connect(context.destination);
  let round = from;
  let nextAt = context.currentTime + 0.05;

  function schedule(): void {
    // A machine that slept does not make up for what it missed.
    nextAt = Math.max(nextAt, context.currentTime);
    while (nextAt < context.currentTime + AHEAD_SECONDS) {
      for (const offset of STROKES_SECONDS) strike(context, out, nextAt + offset, loudness(round));
      nextAt += ROUND_SECONDS;
      round += 1;
    }
  }

  schedule();
  const timer = setInterval(schedule, LOOK_EVERY_MS);
  return () => {
    clearInterval(timer);
    // Faded within an instant: cut off, it would crack.
    out.gain.setTargetAtTime(0, context.currentTime, 0.02);
    setTimeout(() => {
      out.disconnect();
      limiter.disconnect();
    }, 200);
  };
}

function strike(context: AudioContext, out: AudioNode, at: number, volume: number): void {
  for (const [ratio, share, seconds] of PARTIALS) {
    const partial = context.createOscillator();
    const envelope = context.createGain();
    partial.frequency.value = NOTE_HZ * ratio;
    envelope.gain.setValueAtTime(0, at);
    envelope.gain.linearRampToValueAtTime(volume * share, at + 0.004);
    envelope.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
    partial.connect(envelope).connect(out);
    partial.start(at);
    partial.stop(at + seconds);
  }
}
