// A walk: what happens to a handful of monitors and to whom their alarms page, in random order. The same seed, the same walk.
import { type Chance, chance } from '../simulation/chance.ts';

/** Monitors of a walk. */
export const MONITORS = 5;

/** One thing that happens. */
export type Single = (
  | { do: 'fail' | 'recover'; monitors: readonly number[] }
  | { do: 'wait'; seconds: number }
  | { do: 'acknowledge'; monitor: number; group: boolean }
  | { do: 'hold'; monitor: number; seconds: number }
  | { do: 'maintain'; monitors: readonly number[]; seconds: number }
  | { do: 'discard' | 'delete'; monitor: number }
  // A server dies with the next messages that it sends, whether they `arrive` or not.
  | { do: 'die'; arrive: boolean }
  // The monitor gets the tag that filters ask for, or loses it.
  | { do: 'tag'; monitor: number }
  | { do: 'end_maintenance' | 'pager_down' | 'pager_up' | 'target_off' | 'target_on' | 'sweep' }
) & {
  /** At the second server. */
  second?: boolean;
};

/** `together`: at the same moment. */
export type Step = Single | { do: 'together'; steps: readonly Single[] };

const KINDS: readonly (readonly [Single['do'], number])[] = [
  ['fail', 28],
  ['recover', 14],
  ['wait', 22],
  ['acknowledge', 9],
  ['hold', 6],
  ['maintain', 5],
  ['end_maintenance', 3],
  ['discard', 3],
  ['delete', 3],
  ['pager_down', 3],
  ['pager_up', 4],
  ['target_off', 2],
  ['target_on', 3],
  ['die', 4],
  ['tag', 2],
  ['sweep', 1],
];

/** By what the targets leave incidents out that have a filter. */
export const FILTERS = ['none', 'tag', 'project', 'severity'] as const;

/** `onCall`: alarms have steps. `degraded`: the last monitor wakes nobody. */
export type Walk = {
  onCall: boolean;
  degraded: boolean;
  filter: (typeof FILTERS)[number];
  steps: readonly Step[];
};

/** Writes a walk of so many steps. */
export function writeWalk(seed: number, length: number): Walk {
  const random = chance(seed);
  const among = KINDS.flatMap(([kind, weight]) => Array.from({ length: weight }, () => kind));
  const single = (): Single => ({
    ...stepOf(random.one(among), random),
    ...(random.happens(0.4) ? { second: true } : {}),
  });
  const steps = Array.from({ length }, (): Step => {
    if (!random.happens(0.15)) return single();
    const some = [single(), single()].filter((step) => step.do !== 'wait' && step.do !== 'tag');
    return { do: 'together', steps: some };
  });
  return {
    onCall: random.happens(0.5),
    degraded: random.happens(0.3),
    filter: random.one(FILTERS),
    steps,
  };
}

function stepOf(kind: Single['do'], random: Chance): Single {
  const monitor = () => random.whole(0, MONITORS - 1);
  const some = () => {
    const wanted = random.one([1, 1, 1, 2, 3, MONITORS]);
    return Array.from({ length: MONITORS }, (_, i) => i)
      .toSorted(() => random.share() - 0.5)
      .slice(0, wanted);
  };
  switch (kind) {
    case 'fail':
    case 'recover':
      return { do: kind, monitors: some() };
    case 'wait':
      return { do: kind, seconds: random.one([2, 5, 8, 20, 30, 59, 61, 120, 400, 1200]) };
    case 'acknowledge':
      return { do: kind, monitor: monitor(), group: random.happens(0.4) };
    case 'hold':
      return { do: kind, monitor: monitor(), seconds: random.one([0, 0, 20, 90, 600]) };
    case 'maintain':
      return { do: kind, monitors: some(), seconds: random.one([60, 120, 600]) };
    case 'discard':
    case 'delete':
    case 'tag':
      return { do: kind, monitor: monitor() };
    case 'die':
      return { do: kind, arrive: random.happens(0.5) };
    default:
      return { do: kind };
  }
}

/** A walk in words, for a report. */
export const wordsOf = ({ onCall, degraded, filter, steps }: Walk): string =>
  [
    ...(onCall ? ['on-call'] : []),
    ...(degraded ? ['degraded'] : []),
    ...(filter === 'none' ? [] : [`filter by ${filter}`]),
    ...steps.map(inWords),
  ].join('; ');

function inWords(step: Step): string {
  if (step.do === 'together') return `together (${step.steps.map(inWords).join(' and ')})`;
  const { do: kind, ...rest } = step;
  const values = Object.entries(rest).flatMap(([key, value]) => {
    if (value === false) return [];
    if (value === true) return [key];
    return [key === 'seconds' ? `${value} s` : String(value)];
  });
  return [kind.replace('_', ' '), ...values].join(' ');
}
