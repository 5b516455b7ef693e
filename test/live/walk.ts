// A walk: a few views stay open while people and probes do something, one thing after the other. The same seed, the same walk.
import { ACTS, type ActName } from '../races/acts.ts';
import { BEGINNINGS, type Beginning } from '../races/walk.ts';
import { chance } from '../simulation/chance.ts';
import { VIEWS, type ViewName } from './views.ts';

export type Walk = { beginning: Beginning; views: readonly ViewName[]; steps: readonly ActName[] };

/** Views that are open side by side in a walk. */
const OPEN = 3;

/** What no event reports: views that show it read it again once a minute. */
const NOT_LIVE = /^(anna|on-call|the (old project|other project|page|profile|roster|standard|target))\b/;

export function writeWalk(seed: number, count: number): Walk {
  const random = chance(seed);
  const names = (Object.keys(ACTS) as ActName[]).filter((name) => !NOT_LIVE.test(name));
  const views = Object.keys(VIEWS) as ViewName[];
  return {
    beginning: random.one([...BEGINNINGS]),
    views: [...new Set(Array.from({ length: OPEN }, () => random.one(views)))],
    steps: Array.from({ length: count }, () => random.one(names)),
  };
}

/** A walk in words, for a report. */
export const wordsOf = ({ beginning, views, steps }: Walk): string =>
  `${beginning}, on ${views.join(', ')}: ${steps.join(', ')}`;
