// `npm run simulate -- groups`: random walks of groups, of groups of groups and of their members, judged after every step.
import { simulateWalks } from '../simulation/walks.ts';
import { startStage, takeWalk } from './take-walk.ts';
import { wordsOf, writeWalk } from './walk.ts';

const HELP = `Usage: npm run simulate -- groups [--NAME N ...]

Lets the members of groups, and of groups of groups, fail, recover, be degraded, be switched off and on, deleted, moved to another project
and in maintenance, in random order and several at one instant. Meanwhile people change the groups, and declare and close incidents. After
every step it compares the status, the incidents, their evidence and the uptime of everything with a second, independent reckoning of the
rules. A walk in which something is wrong is shortened and printed.`;

/** Takes the walks; returns the exit code. */
export const simulateGroups = (words: string[]): Promise<number> =>
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
