// `npm run simulate -- on-call`: random walks over rosters, overrides and alarms, judged after every step.
import { simulateWalks } from '../simulation/walks.ts';
import { startStage } from './stage.ts';
import { takeWalk } from './take-walk.ts';
import { wordsOf, writeWalk } from './walk.ts';

const HELP = `Usage: npm run simulate -- on-call [--NAME N ...]

Changes the roster, the settings, the plan and the people of an organization in random order, takes shifts over and gives them back, and lets
alarms ring meanwhile, to the millisecond at which something turns. After every step it compares who is on duty, the shifts, the calendar, who
would be notified, for whom what rings, and every mail and push, with a second, independent reckoning of the rules. A walk in which something
is wrong is shortened and printed.`;

/** Takes the walks; returns the exit code. */
export const simulateOnCall = (words: string[]): Promise<number> =>
  simulateWalks(
    {
      help: HELP,
      usual: { walks: 100, steps: 30 },
      write: writeWalk,
      startStage,
      take: takeWalk,
      inWords: wordsOf,
    },
    words,
  );
