// `npm run simulate -- hosts`: random walks of an agent that reports, buffers, repeats and falls silent, judged after every step.
import { startTestApp } from '../harness/app.ts';
import { simulateWalks } from '../simulation/walks.ts';
import { takeWalk } from './take-walk.ts';
import { wordsOf, writeWalk } from './walk.ts';

const HELP = `Usage: npm run simulate -- hosts [--NAME N ...]

Lets the agent of a host report, send what it buffered, repeat a post whose answer was lost, go by a wrong clock and fall silent, in
random order and at the very instants at which something turns. Meanwhile its monitors are switched off and on, an incident is closed by
hand, and no server runs for a while. After every step it compares the host, its events, the checks of its monitors and the incidents of
its silence with a second, independent reckoning of the rules. A walk in which something is wrong is shortened and printed.`;

/** Takes the walks; returns the exit code. */
export const simulateHosts = (words: string[]): Promise<number> =>
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
