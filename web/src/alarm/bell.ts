// Synthesizes the sound of the loud alarm: three strokes of a bell, a pause, then again, louder each time. It needs no
// file, so it also rings while the server is down.

/** Time from the first stroke of a round to the first stroke of the next. */
export const ROUND_SECONDS = 2.4;
/** When each stroke falls, counted from the start of the round. */
const STROKES_SECONDS = [0, 0.36, 0.72];
/** Browsers throttle timers of hidden tabs to one per second, so rounds are scheduled this far ahead. */
const AHEAD_SECONDS = 3;
const LOOK_EVERY_MS = 400;
const NOTE_HZ = 640;
/** The partials of the bell: [multiple of the pitch, share of the volume, decay in seconds]. */
const PARTIALS = [
  [0.5, 0.3, 1.9],
  [1, 0.5, 1.4],
  [1.2, 0.34, 1.1],
  [1.5, 0.2, 0.9],
  [2, 0.36, 0.8],
  [2.67, 0.16, 0.5],
  [3.01, 0.12, 0.4],
] as const;

/** Volume of the n-th round, from 0 to 1. It starts quietly, so that nobody is startled, and peaks after half a minute. */
export function volumeOfRound(round: number): number {
  return Math.min(1, 0.1 * 1.22 ** Math.max(0, round));
}

/** Rings until the returned function is called; `from` is the first round, and so sets the volume. */
export function startBell(context: AudioContext, from = 0): () => void {
  const out = context.createGain();
  out.gain.value = 0.55;
  // Three bells at once must not clip.
  const limiter = context.createDynamicsCompressor();
  out.connect(limiter).connect(context.destination);
  let round = from;
  let nextAt = context.currentTime + 0.05;

  function schedule(): void {
    // A machine that was asleep does not play the rounds it missed.
    nextAt = Math.max(nextAt, context.currentTime);
    while (nextAt < context.currentTime + AHEAD_SECONDS) {
      for (const offset of STROKES_SECONDS) strike(context, out, nextAt + offset, volumeOfRound(round));
      nextAt += ROUND_SECONDS;
      round += 1;
    }
  }

  schedule();
  const timer = setInterval(schedule, LOOK_EVERY_MS);
  return () => {
    clearInterval(timer);
    // Fade out briefly: an abrupt stop would click.
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
