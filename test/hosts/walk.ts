// A walk: what the agent of a host sends and when, in random order. The same seed, the same walk.
import { type Chance, chance } from '../simulation/chance.ts';

/** What is measured at once; `agoMs`: before it is posted. */
export type Beat = { agoMs: number; cpuPct: number | null; running: boolean | null };

export type Step =
  /** `silence`: until so long after the host counts as silent, or is looked at again. */
  | { do: 'wait'; mark: 'now' | 'silence'; ms: number }
  /** By a clock that is off by `skewMs`. `repeat`: the post before once more, as after a lost answer. */
  | { do: 'post'; beats: readonly Beat[]; skewMs: number }
  | { do: 'repeat' }
  | { do: 'away'; ms: number }
  | { do: 'switch'; monitor: 'online' | 'cpu' | 'service'; on: boolean }
  | { do: 'resolve' };

export type Walk = {
  windowSeconds: number;
  recoveryConsecutive: number;
  expectRunning: boolean;
  steps: readonly Step[];
};

const KINDS: readonly (readonly [Step['do'], number])[] = [
  ['wait', 38],
  ['post', 38],
  ['repeat', 6],
  ['away', 8],
  ['switch', 8],
  ['resolve', 2],
];

const SKEWS_MS = [0, 0, 0, 4000, -4000, -5001, 3_600_000, -86_400_000];

export function writeWalk(seed: number, count: number): Walk {
  const random = chance(seed);
  const among = KINDS.flatMap(([kind, weight]) => Array.from({ length: weight }, () => kind));
  return {
    windowSeconds: random.one([60, 120, 300, 3600]),
    recoveryConsecutive: random.whole(1, 3),
    expectRunning: random.happens(0.7),
    steps: Array.from({ length: count }, () => stepOf(random.one(among), random)),
  };
}

function stepOf(kind: Step['do'], random: Chance): Step {
  switch (kind) {
    case 'wait':
      return random.happens(0.6)
        ? { do: kind, mark: 'now', ms: random.one([1, 500, 10_000, 59_000, 60_000, 61_000, 170_000]) }
        : { do: kind, mark: 'silence', ms: random.one([-1000, -1, 0, 1, 1000, 60_000, 61_000]) };
    case 'post':
      return { do: kind, beats: beatsOf(random), skewMs: random.one(SKEWS_MS) };
    case 'away':
      return { do: kind, ms: random.one([4000, 5001, 60_000, 400_000, 7_200_000]) };
    case 'switch':
      return { do: kind, monitor: random.one(['online', 'cpu', 'service']), on: random.happens(0.6) };
    default:
      return { do: kind } as Step;
  }
}

/** One that was measured just now, or those of some minutes, the oldest first. */
function beatsOf(random: Chance): Beat[] {
  const beat = (agoMs: number): Beat => ({
    agoMs,
    cpuPct: random.one([null, 0, 50, 70, 81, 100]),
    running: random.one([null, true, true, false]),
  });
  if (random.happens(0.6)) return [beat(random.one([0, 0, 10, 3000]))];
  const apartMs = random.one([10_000, 60_000, 600_000, 86_400_000]);
  const many = random.whole(2, 12);
  return Array.from({ length: many }, (_, i) => beat((many - 1 - i) * apartMs));
}

/** A walk in words, for a report. */
export const wordsOf = ({ windowSeconds, recoveryConsecutive, expectRunning, steps }: Walk): string =>
  [
    `window ${windowSeconds} s, recovery after ${recoveryConsecutive}, service ${expectRunning ? 'running' : 'stopped'}`,
    ...steps.map((step) => JSON.stringify(step)),
  ].join('; ');
