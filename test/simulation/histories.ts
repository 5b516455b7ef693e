// Made-up histories of results: outages that come and go, regions that see something else, results that come late, twice,
// or from a probe at fault, windows of maintenance.
import { type Chance, chance } from './chance.ts';
import type { Arrival, Quorum, Result, Saw, Subject } from './recount.ts';

export const REGIONS = ['a', 'b', 'c', 'd'] as const;
export const STEP_MS = 500;
/** Steps of a history; 60 of them are as long as a probe that says nothing stays online. */
const STEPS = 44;
/** Reports for 190 s: nothing in a history falls silent, and what is older than this counts for nothing. */
export const INTERVAL_SECONDS = 60;
export const TIMEOUT_MS = 10_000;
const SPEAKS_FOR_MS = 3 * INTERVAL_SECONDS * 1000 + TIMEOUT_MS;
/** Histories begin so long after their monitors were made, so that a result can be too old and yet of its monitor. */
export const LEAD_MS = SPEAKS_FOR_MS + 120_000;

/** Times in ms since it began. `arrivals[n]` come at (n + 1) × `STEP_MS`. */
export type History = { name: string; subject: Subject; arrivals: Arrival[] };

export const LENGTH_MS = STEPS * STEP_MS;

/** Writes the history of this number. `inTime`: every result arrives in the moment it is made. */
export function makeHistory(seed: number, { inTime = false } = {}): History {
  const random = chance(seed * 7919 + 1);
  const regions = REGIONS.slice(0, random.one([1, 2, 3, 3, 3, 4]));
  const quorum = (): Quorum => {
    const mode = random.one(['any', 'majority', 'majority', 'all', 'count', 'percent'] as const);
    return {
      mode,
      value: mode === 'count' ? random.whole(1, regions.length) : random.one([25, 34, 50, 67, 100]),
    };
  };
  const subject: Subject = {
    regions,
    speaksForMs: SPEAKS_FOR_MS,
    alarmAfter: random.one([1, 1, 2, 2, 3]),
    recoveryAfter: random.one([1, 2, 2, 3]),
    minimumMs: random.one([0, 0, 0, 2000, 5000]),
    alarm: quorum(),
    recovery: quorum(),
    windows: random.happens(0.3) ? windowsOf(random) : [],
  };
  return { name: `history ${seed}`, subject, arrivals: arrivalsOf(random, regions, inTime) };
}

/** A few, in whole seconds, which may overlap: what matters happens at their beginnings and ends. */
function windowsOf(random: Chance): Subject['windows'] {
  return Array.from({ length: random.whole(2, 5) }, () => {
    const startMs = random.whole(0, LENGTH_MS / 1000 - 3) * 1000;
    return { startMs, endMs: startMs + random.whole(1, 3) * 1000 };
  });
}

function arrivalsOf(random: Chance, regions: readonly string[], inTime: boolean): Arrival[] {
  const arrivals: Arrival[] = [];
  const said: Result[] = [];
  // A calm beginning in every other history: what arrives while nothing fails is only stored.
  let fails = random.happens(0.4);
  let trouble = random.one([0, 0, 0.02, 0.15]);
  for (let step = 1; step <= STEPS; step++) {
    if (random.happens(0.12)) {
      fails = !fails;
      trouble = random.one([0, 0.02, 0.15, 0.3]);
    }
    const nowMs = step * STEP_MS;
    const region = random.one(regions);
    const usual = (): Saw => (fails !== random.happens(trouble) ? 'down' : 'up');
    const result = (): Result => {
      const kind = random.share();
      const own = said.filter((old) => old.region === region);
      if (kind < 0.06 && own.length > 0) return { ...random.one(own), region };
      if (kind < 0.12) return { region, checkedMs: nowMs, saw: 'probe_fault' };
      const saw = kind < 0.2 ? 'degraded' : usual();
      if (kind > 0.97 && !inTime)
        return { region, checkedMs: nowMs - SPEAKS_FOR_MS - random.whole(1, 60_000), saw };
      // Old results are failing ones more often than not: those do the harm.
      const lateMs = !inTime && random.happens(0.2) ? random.whole(1, 4000) : 0;
      return { region, checkedMs: nowMs - lateMs, saw: lateMs > 0 && random.happens(0.7) ? 'down' : saw };
    };
    const results = Array.from({ length: random.happens(0.15) ? random.whole(2, 4) : 1 }, result);
    said.push(...results);
    arrivals.push({ arrivesMs: nowMs, results: distinct(results) });
  }
  return arrivals;
}

/** At one instant a region saw one thing: of two results that say it in one post, nobody knows which is stored. */
function distinct(results: readonly Result[]): Result[] {
  const byTime = new Map(results.map((result) => [result.checkedMs, result]));
  return [...byTime.values()];
}
