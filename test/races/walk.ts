// A walk: what two or three people, probes and jobs do to one organization at the same moment. The same seed, the same walk.
import { chance } from '../simulation/chance.ts';
import { ACTS, type ActName } from './acts.ts';

/** How the shop's monitor is when they begin. */
export const BEGINNINGS = ['calm', 'failing', 'acknowledged', 'maintained', 'paused'] as const;
export type Beginning = (typeof BEGINNINGS)[number];

/** Each step begins when the one before waits for a lock, or is done; none is committed before all have begun. */
export type Walk = { beginning: Beginning; steps: readonly ActName[] };

export function writeWalk(seed: number, count: number): Walk {
  const random = chance(seed);
  const names = Object.keys(ACTS) as ActName[];
  return {
    beginning: random.one([...BEGINNINGS]),
    steps: Array.from({ length: count }, () => random.one(names)),
  };
}

/** A walk in words, for a report. */
export const wordsOf = ({ beginning, steps }: Walk): string => `${beginning}: ${steps.join(', ')}`;
