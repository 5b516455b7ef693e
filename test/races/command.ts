// `npm run simulate -- races`: what several do to one organization at the same moment.
import { simulateWalks } from '../simulation/walks.ts';
import { startStage, takeWalk } from './take-walk.ts';
import { wordsOf, writeWalk } from './walk.ts';

const HELP = `Usage: npm run simulate -- races [--NAME N ...]

Results arrive, people edit, pause, move and delete, acknowledge and plan maintenance, all at the same moment: each begins when the one before
waits for a lock, and nothing is committed before all have begun. Then no answer may be an error of the server, nothing may be open for what is
paused or gone, whatever needs somebody has an alarm, probes check what they should, and everything recovers and fails again as ever.
A walk in which something is wrong is shortened and printed.`;

/** Takes the walks; returns the exit code. */
export const simulateRaces = (words: string[]): Promise<number> =>
  simulateWalks(
    {
      help: HELP,
      usual: { walks: 300, steps: 2 },
      write: writeWalk,
      startStage,
      take: takeWalk,
      inWords: wordsOf,
    },
    words,
  );
