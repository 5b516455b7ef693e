// `npm run simulate -- storms`: random walks over failing monitors, holds, maintenance, acknowledgements, deletions, targets that are
// down and servers that die or are late, each judged at every moment.
import { simulateWalks } from '../simulation/walks.ts';
import { startStage, takeWalk } from './take-walk.ts';
import { MONITORS, wordsOf, writeWalk } from './walk.ts';

const HELP = `Usage: npm run simulate -- storms [--NAME N ...]

Lets ${MONITORS} monitors of one host fail and recover in random order, at two servers, holds and acknowledges them, discards and
deletes them, and plans maintenance. Meanwhile targets refuse messages, one is switched off, subscriptions and filters change,
people replay deliveries, and servers die while they send messages and mails, or get the answers after their lease. At every moment it
compares for whom what rings, whom it was mailed to, and which pages are open at PagerDuty and Opsgenie, with what the incidents call
for; at the end it compares chats, webhooks and mails. A walk in which something is wrong is shortened and printed.`;

/** Takes the walks; returns the exit code. */
export const simulateStorms = (words: string[]): Promise<number> =>
  simulateWalks(
    {
      help: HELP,
      usual: { walks: 200, steps: 25 },
      write: writeWalk,
      startStage,
      take: takeWalk,
      inWords: wordsOf,
    },
    words,
  );
