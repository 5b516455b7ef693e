// The one clock of a process: the database's. What several servers do in turns, leases and due times, is measured by one
// clock that way, whatever those of their machines say, and a machine's clock that jumps moves nothing.

export type DatabaseClock = {
  /** The database's time, as far as it is known here. Does not run backwards, unless the database's does. */
  now: () => Date;
  /** Takes a reading of the database's clock: asked for and answered at these times of the machine, all in milliseconds. */
  read: (reading: { askedAtMs: number; answeredAtMs: number; databaseMs: number }) => void;
};

/** The database's own clock went back by more than this: it is followed. */
const FOLLOWED_BACK_MS = 1_000;

/**
 * A clock that stands on `elapsedMs`, a time of the machine that is never set (milliseconds since whenever). `now` throws
 * before the first reading.
 */
export function makeDatabaseClock(elapsedMs: () => number): DatabaseClock {
  let offsetMs: number | null = null;
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    now() {
      if (offsetMs === null) throw new Error('the clock of the database was not read yet');
      const ms = elapsedMs() + offsetMs;
      lastMs = ms < lastMs && lastMs - ms < FOLLOWED_BACK_MS ? lastMs : ms;
      return new Date(Math.floor(lastMs));
    },
    read({ askedAtMs, answeredAtMs, databaseMs }) {
      const measured = databaseMs - (askedAtMs + answeredAtMs) / 2;
      // A reading says no more than this: what lies within it may as well be the way there and back.
      const uncertainMs = (answeredAtMs - askedAtMs) / 2;
      if (offsetMs === null || Math.abs(measured - offsetMs) > uncertainMs) offsetMs = measured;
    },
  };
}
