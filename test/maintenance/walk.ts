// A walk: maintenance that is planned, moved, cancelled and deleted around the outages of one monitor, in random order. The same seed, the
// same walk.
import { chance } from '../simulation/chance.ts';

export type Step =
  | { do: 'wait'; seconds: number }
  | { do: 'target'; up: boolean }
  /** Relative to now, in seconds. */
  | { do: 'plan'; from: number; until: number; tagged: boolean }
  | { do: 'move'; window: number; from: number; until: number }
  | { do: 'cancel' | 'delete' | 'leave' | 'join'; window: number }
  /** The monitor gets the tag that windows of tags are for, or loses it. */
  | { do: 'tag'; on: boolean };

export type Walk = { alarmConsecutive: number; recoveryConsecutive: number; steps: readonly Step[] };

const KINDS: readonly (readonly [Step['do'], number])[] = [
  ['wait', 34],
  ['target', 20],
  ['plan', 14],
  ['move', 8],
  ['cancel', 6],
  ['delete', 5],
  ['leave', 4],
  ['join', 4],
  ['tag', 5],
];

/** Windows of a walk that its steps go on choosing from, the newest being 0. */
const CHOSEN = 2;

export function writeWalk(seed: number, count: number): Walk {
  const random = chance(seed);
  const among = KINDS.flatMap(([kind, weight]) => Array.from({ length: weight }, () => kind));
  const times = () => {
    const from = random.one([-300, -60, -1, 0, 0, 1, 15, 60, 200]);
    return { from, until: from + random.one([1, 20, 60, 100, 400]) };
  };
  const stepOf = (kind: Step['do']): Step => {
    switch (kind) {
      case 'wait':
        return { do: kind, seconds: random.one([1, 5, 10, 10, 20, 30, 60, 120]) };
      case 'target':
        return { do: kind, up: random.happens(0.4) };
      case 'plan':
        return { do: kind, ...times(), tagged: random.happens(0.3) };
      case 'move':
        return { do: kind, window: random.whole(0, CHOSEN), ...times() };
      case 'tag':
        return { do: kind, on: random.happens(0.6) };
      default:
        return { do: kind, window: random.whole(0, CHOSEN) };
    }
  };
  return {
    alarmConsecutive: random.whole(1, 3),
    recoveryConsecutive: random.whole(1, 2),
    steps: Array.from({ length: count }, () => stepOf(random.one(among))),
  };
}

/** A walk in words, for a report. */
export const wordsOf = ({ alarmConsecutive, recoveryConsecutive, steps }: Walk): string =>
  [
    `alarm after ${alarmConsecutive}, recovery after ${recoveryConsecutive}`,
    ...steps.map(({ do: kind, ...rest }) => [kind, ...Object.values(rest)].join(' ')),
  ].join('; ');
