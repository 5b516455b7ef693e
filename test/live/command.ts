// `npm run simulate -- live`: what open views of the dashboard show, beside the same views loaded anew.
import { simulateWalks } from '../simulation/walks.ts';
import { startStage, takeWalk } from './take-walk.ts';
import { wordsOf, writeWalk } from './walk.ts';

const HELP = `Usage: npm run simulate -- live [--NAME N ...]

Views of the dashboard stay open in a browser while probes report and people edit, pause, delete, acknowledge and plan maintenance. After each
step every view must show, within seconds, what it shows when it is loaded anew: the live stream keeps it current.
A walk in which something is wrong is shortened and printed. It needs an installed Chromium or Chrome.`;

/** Takes the walks; returns the exit code. */
export const simulateLive = (words: string[]): Promise<number> =>
  simulateWalks(
    {
      help: HELP,
      usual: { walks: 100, steps: 6 },
      write: writeWalk,
      startStage,
      take: takeWalk,
      inWords: wordsOf,
    },
    words,
  );
