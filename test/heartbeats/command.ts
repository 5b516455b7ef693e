// `npm run simulate -- heartbeats`: random walks of a job that pings, is late, fails, overruns and is edited, judged after every step.
import { startTestApp } from '../harness/app.ts';
import { simulateWalks } from '../simulation/walks.ts';
import { takeWalk } from './take-walk.ts';
import { wordsOf, writeWalk } from './walk.ts';

const HELP = `Usage: npm run simulate -- heartbeats [--NAME N ...]

Lets a job ping, start, fail, end late and not at all, in random order and at the very instants at which something turns. Meanwhile
its monitor is edited, switched off and on, its incident closed by hand, and no server runs for a while. After every step it compares
the state of the heartbeat, its checks and its incidents with a second, independent reckoning of the rules. A walk in which something is
wrong is shortened and printed.`;

/** Takes the walks; returns the exit code. */
export const simulateHeartbeats = (words: string[]): Promise<number> =>
  simulateWalks(
    {
      help: HELP,
      usual: { walks: 200, steps: 30 },
      write: writeWalk,
      startStage: () => startTestApp(),
      take: takeWalk,
      inWords: wordsOf,
    },
    words,
  );
