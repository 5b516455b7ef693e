// The one clock of a process: the database's. All servers measure leases and due times by it, so it does not matter if the
// clocks of machines differ or jump.

export type DatabaseClock = {
  /** The database's time, as estimated by this process. Never runs backwards unless the database's clock does. */
  now: () => Date;
  /** Takes a reading of the database's clock, with the machine times of question and answer; all in milliseconds. */
  read: (reading: { askedAtMs: number; answeredAtMs: number; databaseMs: number }) => void;
};

/** If the database's clock goes back by more than this, the estimate follows it. */
const FOLLOWED_BACK_MS = 1_000;

/**
 * Makes a clock on top of `elapsedMs`, the machine's monotonic time in milliseconds. `now` throws before the first
 * reading.
 */
export function makeDatabaseClock(elapsedMs: () => number): DatabaseClock {
  let offsetMs: number | null = null;
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    now() {
      if (offsetMs === null) throw new Error('the database clock has not been read yet');
      const ms = elapsedMs() + offsetMs;
      lastMs = ms < lastMs && lastMs - ms < FOLLOWED_BACK_MS ? lastMs : ms;
      return new Date(Math.floor(lastMs));
    },
    read({ askedAtMs, answeredAtMs, databaseMs }) {
      const measured = databaseMs - (askedAtMs + answeredAtMs) / 2;
      // A reading is no more precise than its round trip; smaller differences mean nothing.
      const uncertainMs = (answeredAtMs - askedAtMs) / 2;
      if (offsetMs === null || Math.abs(measured - offsetMs) > uncertainMs) offsetMs = measured;
    },
  };
}
