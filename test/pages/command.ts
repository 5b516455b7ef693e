// `npm run simulate -- pages`: random walks of status pages and of those who subscribe to them, judged after every step.
import { simulateWalks } from '../simulation/walks.ts';
import { startStage } from './stage.ts';
import { takeWalk } from './take-walk.ts';
import { wordsOf, writeWalk } from './walk.ts';

const HELP = `Usage: npm run simulate -- pages [--NAME N ...]

Lets monitors fail, recover, be renamed, switched off and deleted, and people declare, link, explain, discard and end incidents, plan, move
and cancel maintenance, edit, publish, lock and archive two status pages, and subscribe to them, confirm, choose and unsubscribe, by old
links too, in random order and several at one instant, while the mail server refuses now and then. After every step it compares the pages,
their feeds, calendars and badges, and every mail with a second, independent reckoning of the rules, and looks for what is not public. A
walk in which something is wrong is shortened and printed.`;

/** Takes the walks; returns the exit code. */
export const simulatePages = (words: string[]): Promise<number> =>
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
