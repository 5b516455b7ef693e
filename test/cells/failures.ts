// Failures of whole cells: when, for how long, and how much is without monitoring at the worst moment.
import type { Chance } from '../simulation/chance.ts';

export type Failure = { cell: number; fromHours: number; untilHours: number };

export type Reliability = {
  /** Mean hours from the end of one failure of a cell to the next. */
  betweenHours: number;
  /** Mean hours of a failure. */
  lastsHours: number;
};

/** Failures of a cell in so many hours, in order; the last one may end after them. */
export function failuresOf(
  cell: number,
  hours: number,
  { betweenHours, lastsHours }: Reliability,
  chance: Chance,
): Failure[] {
  const drawn = (mean: number) => -mean * Math.log(1 - chance.share());
  const failures: Failure[] = [];
  for (let at = drawn(betweenHours); at < hours; at += drawn(betweenHours)) {
    const untilHours = at + drawn(lastsHours);
    failures.push({ cell, fromHours: at, untilHours });
    at = untilHours;
  }
  return failures;
}

/** The largest sum of `weightOf` over cells that fail at the same moment. */
export function worstMoment(failures: readonly Failure[], weightOf: (cell: number) => number): number {
  const changes = failures
    .flatMap(({ cell, fromHours, untilHours }) => [
      { atHours: fromHours, weight: weightOf(cell) },
      { atHours: untilHours, weight: -weightOf(cell) },
    ])
    // One that ends in the moment in which another begins is over.
    .sort((a, b) => a.atHours - b.atHours || a.weight - b.weight);
  let now = 0;
  let worst = 0;
  for (const { weight } of changes) {
    now += weight;
    worst = Math.max(worst, now);
  }
  return worst;
}
