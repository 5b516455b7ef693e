// `npm run simulate -- silence`: random walks over probes that stop, return, lag and cannot check, and what the installation then says
// that it does not know, judged at every moment.
import { simulateWalks } from '../simulation/walks.ts';
import { startStage } from './stage.ts';
import { takeWalk } from './take-walk.ts';
import { wordsOf, writeWalk } from './walk.ts';

const HELP = `Usage: npm run simulate -- silence [--NAME N ...]

Lets the probes of two or three regions stop, return, lag, deliver late, be unable to check, refused and removed, and the agent of a host
stop and return, in random order. Meanwhile monitors of two organizations are paused, moved, changed and deleted, servers start again, no
server runs, and the mail server refuses mails. At every moment it compares what lists, pages, badges, walls, status pages and metrics say
of monitors without data, and who was mailed, with what the rules call for. A walk in which something is wrong is shortened and printed.`;

/** Takes the walks; returns the exit code. */
export const simulateSilence = (words: string[]): Promise<number> =>
  simulateWalks(
    {
      help: HELP,
      usual: { walks: 50, steps: 20 },
      write: writeWalk,
      startStage,
      take: takeWalk,
      inWords: wordsOf,
    },
    words,
  );
