// A walk: what happens to four monitors and to the three groups that they are in, in random order. The same seed, the same walk.
import { type Chance, chance } from '../simulation/chance.ts';

/** Monitors that are checked, by number; groups have the numbers after them. */
export const LEAVES = 4;
export const GROUPS = 3;
export const ALL = LEAVES + GROUPS;

export type Rule = 'any_failed' | 'all_failed' | 'count';
/** A group names only monitors with a lower number, so that no cycle comes about. */
export type Grouping = { members: readonly number[]; rule: Rule; value: number | null };
export type Policy = { fails: number; passes: number; minimum: number };

/** Something that takes no time. `of`: the number of a monitor. */
export type Act =
  | { do: 'check'; of: number; status: 'up' | 'degraded' | 'down' }
  | { do: 'group'; of: number; grouping: Grouping }
  | { do: 'minimum'; of: number; seconds: number }
  /** Relative to now, in seconds. */
  | { do: 'plan'; of: readonly number[]; from: number; until: number }
  /** Of the windows, the newest being 0. */
  | { do: 'cancel' | 'unplan'; window: number }
  /** `declare` and `close`: an incident by hand; `resolve`: a person closes the automatic one. */
  | {
      do: 'switch_off' | 'switch_on' | 'delete' | 'move' | 'tag' | 'declare' | 'close' | 'resolve';
      of: number;
    };

/** `work`: stored jobs run after each act of an instant, not only after the last one. */
export type Step = { do: 'wait'; seconds: number } | { do: 'acts'; acts: readonly Act[]; work: boolean };

export type Walk = { policies: readonly Policy[]; groupings: readonly Grouping[]; steps: readonly Step[] };

const KINDS: readonly (readonly [Act['do'], number])[] = [
  ['check', 46],
  ['group', 7],
  ['minimum', 3],
  ['plan', 7],
  ['cancel', 3],
  ['unplan', 2],
  ['switch_off', 4],
  ['switch_on', 7],
  ['delete', 1],
  ['move', 2],
  ['tag', 2],
  ['declare', 3],
  ['close', 4],
  ['resolve', 5],
];

export function writeWalk(seed: number, count: number): Walk {
  const random = chance(seed);
  const among = KINDS.flatMap(([kind, weight]) => Array.from({ length: weight }, () => kind));
  return {
    policies: Array.from({ length: ALL }, () => ({
      fails: random.one([1, 1, 2]),
      passes: random.one([1, 1, 2]),
      minimum: random.one([0, 0, 0, 20, 60]),
    })),
    groupings: Array.from({ length: GROUPS }, (_, i) => groupingOf(LEAVES + i, random)),
    steps: Array.from({ length: count }, (): Step => {
      if (random.happens(0.3)) return { do: 'wait', seconds: random.one([1, 5, 14, 15, 20, 59, 60, 100]) };
      const acts = Array.from({ length: random.one([1, 1, 1, 2, 3]) }, () =>
        actOf(random.one(among), random),
      );
      return { do: 'acts', acts, work: random.happens(0.5) };
    }),
  };
}

function groupingOf(of: number, random: Chance): Grouping {
  const named = Array.from({ length: of }, (_, i) => i).filter(() => random.happens(0.45));
  const members = named.length > 0 ? named : [random.whole(0, of - 1)];
  const rule = random.one<Rule>(['any_failed', 'all_failed', 'count']);
  // In the order of chance: that of the numbers would be that of the ids.
  if (random.happens(0.5)) members.reverse();
  return { members, rule, value: rule === 'count' ? random.whole(1, members.length) : null };
}

function actOf(kind: Act['do'], random: Chance): Act {
  switch (kind) {
    case 'check': {
      const status = random.one(['up', 'up', 'up', 'degraded', 'down', 'down', 'down'] as const);
      return { do: kind, of: random.whole(0, LEAVES - 1), status };
    }
    case 'group': {
      const of = random.whole(LEAVES, ALL - 1);
      return { do: kind, of, grouping: groupingOf(of, random) };
    }
    case 'minimum':
      return { do: kind, of: random.whole(0, ALL - 1), seconds: random.one([0, 20, 60]) };
    case 'plan': {
      const from = random.one([0, 0, 0, 1, 15, 60]);
      const of = Array.from({ length: ALL }, (_, i) => i).filter(() => random.happens(0.3));
      return { do: kind, of, from, until: from + random.one([5, 20, 60, 200]) };
    }
    case 'cancel':
    case 'unplan':
      return { do: kind, window: random.whole(0, 1) };
    default:
      return { do: kind, of: random.whole(0, ALL - 1) };
  }
}

/** A walk in words, for a report. */
export const wordsOf = ({ policies, groupings, steps }: Walk): string =>
  [
    ...policies.map(
      ({ fails, passes, minimum }, i) =>
        `${i}: alarm after ${fails} and ${minimum} s, recovery after ${passes}`,
    ),
    ...groupings.map((each, i) => `${LEAVES + i} is ${JSON.stringify(each)}`),
    ...steps.map((step) =>
      step.do === 'wait'
        ? `wait ${step.seconds} s`
        : `${step.work ? 'one by one' : 'at once'} ${step.acts.map((act) => JSON.stringify(act)).join(' ')}`,
    ),
  ].join('; ');
