// `npm run simulate -- round-trips`: random organizations that are taken out of Tocsin and put back, and compared.
import { simulateWalks } from '../simulation/walks.ts';
import { startStage } from './stage.ts';
import { takeWalk } from './take-walk.ts';
import { wordsOf, writeWalk } from './walk.ts';

const HELP = `Usage: npm run simulate -- round-trips [--NAME N ...]

Builds and changes an organization in random order, with settings at their limits and names that look like something else. Meanwhile its
configuration file is applied to it, to an empty organization, after other changes and at the same time as one; its configuration is imported
into an empty organization, and all of it into another installation. Everything that can be read over HTTP is compared before and after. A
walk in which something is wrong is shortened and printed.`;

/** Takes the walks; returns the exit code. */
export const simulateRoundTrips = (words: string[]): Promise<number> =>
  simulateWalks(
    {
      help: HELP,
      usual: { walks: 100, steps: 40 },
      write: writeWalk,
      startStage,
      take: takeWalk,
      inWords: wordsOf,
    },
    words,
  );
