// `npm run simulate -- storms`: random walks over failing monitors, holds, maintenance, acknowledgements, deletions, targets that are
// down and servers that die or are late, each judged at every moment.
import { helpOf, numbersIn } from '../cells/numbers.ts';
import { startTestCluster } from '../harness/cluster.ts';
import { CLUSTER_VARIABLE } from '../harness/database.ts';
import { startStage, takeWalk } from './take-walk.ts';
import { MONITORS, type Walk, wordsOf, writeWalk } from './walk.ts';

const NUMBERS = {
  seed: { usual: 1, least: 0, whole: true, about: 'seed of the first walk; each walk has the next one' },
  walks: { usual: 200, least: 1, whole: true, about: 'walks' },
  steps: { usual: 25, least: 1, most: 1000, whole: true, about: 'steps of a walk' },
} as const;

const HELP = `Usage: npm run simulate -- storms [--NAME N ...]

Lets ${MONITORS} monitors of one host fail and recover in random order, at two servers, holds and acknowledges them, discards and
deletes them, and plans maintenance. Meanwhile targets refuse messages, one is switched off, subscriptions and filters change,
people replay deliveries, and servers die while they send messages and mails, or get the answers after their lease. At every moment it
compares for whom what rings, whom it was mailed to, and which pages are open at PagerDuty and Opsgenie, with what the incidents call
for; at the end it compares chats, webhooks and mails. A walk in which something is wrong is shortened and printed.

${helpOf(NUMBERS)}`;

/** Takes the walks; returns the exit code. */
export async function simulateStorms(words: string[]): Promise<number> {
  const given = numbersIn(words, NUMBERS);
  if (given === null || typeof given === 'string') {
    (given === null ? process.stdout : process.stderr).write(given === null ? HELP : `${given}\n\n${HELP}`);
    return given === null ? 0 : 2;
  }
  const cluster = await startTestCluster();
  process.env[CLUSTER_VARIABLE] = cluster.url;
  try {
    await using stage = await startStage();
    let failed = 0;
    for (let seed = given.seed; seed < given.seed + given.walks; seed++) {
      process.stderr.write(`\rwalk ${seed} `);
      const walk = writeWalk(seed, given.steps);
      let said = await takeWalk(stage, walk);
      if (said.length === 0) continue;
      failed += 1;
      const short = await shorten(walk, async (shorter) => {
        const wrong = await takeWalk(stage, shorter);
        if (wrong.length > 0) said = wrong;
        return wrong.length > 0;
      });
      process.stdout.write(
        `\rwalk ${seed}: ${wordsOf(short)}\n${said.map((each) => `    ${each}\n`).join('')}`,
      );
    }
    process.stdout.write(`\r${given.walks} walks of ${given.steps} steps: ${failed} wrong\n`);
    return failed > 0 ? 1 : 0;
  } finally {
    await cluster.stop();
  }
}

/** Leaves steps out, many at first and then one at a time, as long as it still goes wrong. */
async function shorten(walk: Walk, goesWrong: (walk: Walk) => Promise<boolean>): Promise<Walk> {
  let short = walk;
  for (let many = walk.steps.length >> 1; many >= 1; many >>= 1)
    for (let i = short.steps.length - many; i >= 0; i -= many) {
      const fewer = { ...short, steps: short.steps.toSpliced(i, many) };
      if (await goesWrong(fewer)) short = fewer;
    }
  return short;
}
