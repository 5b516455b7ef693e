// The look at the database itself: asked for its time four times a second over the listening connection. What does not answer
// is away, and everybody is told at once instead of waiting each for itself.
import type { Log } from '../log.ts';
import type { DatabaseClock } from './clock.ts';
import type { Gate } from './gate.ts';
import type { Listener } from './listener.ts';

export type PulseOptions = {
  listener: Listener;
  gate: Gate;
  clock: DatabaseClock;
  /** A time of the machine that is never set, in milliseconds. */
  elapsedMs: () => number;
  log: Log;
};

const EVERY_MS = 250;
/** A database that has said nothing for so long, though it was asked, is away. */
const SILENT_MS = 1_000;
/** Timers that come so late say that this process was held up, not the database. */
const LATE_MS = 250;

/**
 * Asks until stopped, the first time before it resolves; throws when that fails. Away is what has not answered here for
 * SILENT_MS, and said nothing over the other connections either.
 */
export async function startPulse(options: PulseOptions): Promise<{ stop: () => void }> {
  const { listener, gate, clock, elapsedMs, log } = options;
  let unansweredSinceMs: number | null = null;
  let askedAtMs: number | null = null;
  let away = false;

  async function ask(): Promise<void> {
    const before = elapsedMs();
    const databaseMs = await listener.askTime();
    clock.read({ askedAtMs: before, answeredAtMs: elapsedMs(), databaseMs });
    unansweredSinceMs = null;
    if (!away) return;
    away = false;
    gate.open();
    log.info('the database answers again');
  }

  function look(nowMs: number): void {
    unansweredSinceMs ??= nowMs;
    if (askedAtMs === null) {
      askedAtMs = nowMs;
      ask()
        .catch(() => undefined)
        .finally(() => {
          askedAtMs = null;
        });
    } else if (nowMs - askedAtMs >= SILENT_MS) listener.drop();
    const silentMs = nowMs - Math.max(unansweredSinceMs, gate.heardAtMs());
    if (away || silentMs < SILENT_MS) return;
    away = true;
    gate.close();
    log.error('the database does not answer; requests are refused until it does');
  }

  await ask();
  let dueMs = performance.now() + EVERY_MS;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const isLate = nowMs - dueMs > LATE_MS;
    dueMs = nowMs + EVERY_MS;
    // What has been answered meanwhile is read first.
    if (!isLate) look(nowMs);
  }, EVERY_MS);
  return { stop: () => clearInterval(timer) };
}
