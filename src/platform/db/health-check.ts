// Reads the database's time four times a second over the listening connection. If the database does not answer, it is away, and
// all work is refused at once instead of each query waiting for itself.
import type { Log } from '../log.ts';
import type { DatabaseClock } from './clock.ts';
import type { Gate } from './gate.ts';
import type { Listener } from './listener.ts';

export type HealthCheckOptions = {
  listener: Listener;
  gate: Gate;
  clock: DatabaseClock;
  /** The machine's monotonic time in milliseconds. */
  elapsedMs: () => number;
  log: Log;
};

const EVERY_MS = 250;
/** A database that does not answer for this long is away. */
const SILENT_MS = 1_000;
/** A timer this late means that this process was held up, not the database. */
const LATE_MS = 250;

/**
 * Asks until stopped; resolves after the first answer and throws if that fails. The database is away when it has not
 * answered here for SILENT_MS and has said nothing over the other connections either.
 */
export async function startHealthCheck(options: HealthCheckOptions): Promise<{ stop: () => void }> {
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

  function tick(nowMs: number): void {
    unansweredSinceMs ??= nowMs;
    if (askedAtMs === null) {
      askedAtMs = nowMs;
      ask()
        .catch(() => undefined)
        .finally(() => {
          askedAtMs = null;
        });
    } else if (nowMs - askedAtMs >= SILENT_MS) listener.drop();
    const silentMs = nowMs - Math.max(unansweredSinceMs, gate.lastDataMs());
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
    // Reads answers that have already arrived first.
    if (!isLate) tick(nowMs);
  }, EVERY_MS);
  return { stop: () => clearInterval(timer) };
}
