// `npm run simulate -- maintenance`: random walks over maintenance windows around the outages of a monitor, judged after every step.
import { startTestApp } from '../harness/app.ts';
import { simulateWalks } from '../simulation/walks.ts';
import { takeWalk } from './take-walk.ts';
import { wordsOf, writeWalk } from './walk.ts';

const HELP = `Usage: npm run simulate -- maintenance [--NAME N ...]

Plans, moves, cancels and deletes maintenance windows of the past, the present and the future, by monitor and by tag, while a target fails
and recovers, in random order. After every step it compares the checks in maintenance, the incidents and the uptime of the monitor with a
second, independent reckoning of the rules. A walk in which something is wrong is shortened and printed.`;

/** Takes the walks; returns the exit code. */
export const simulateMaintenance = (words: string[]): Promise<number> =>
  simulateWalks(
    {
      help: HELP,
      usual: { walks: 100, steps: 30 },
      write: writeWalk,
      startStage: () => startTestApp(),
      take: takeWalk,
      inWords: wordsOf,
    },
    words,
  );
