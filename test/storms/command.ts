// `npm run simulate -- storms`: random walks over failing monitors, holds, maintenance, acknowledgements, deletions and a pager
// that is down, each judged at every moment.

import { helpOf, numbersIn } from '../cells/numbers.ts';
import { type Person, startTestApp, type TestApp } from '../harness/app.ts';
import { startTestCluster } from '../harness/cluster.ts';
import { CLUSTER_VARIABLE } from '../harness/database.ts';
import { startMailbox } from '../harness/mailbox.ts';
import { makeJudge } from './judge.ts';
import { type Pagers, startPagers } from './pagers.ts';
import { makeScene } from './scene.ts';
import { MONITORS, type Walk, wordsOf, writeWalk } from './walk.ts';

const NUMBERS = {
  seed: { usual: 1, least: 0, whole: true, about: 'seed of the first walk; each walk has the next one' },
  walks: { usual: 200, least: 1, whole: true, about: 'walks' },
  steps: { usual: 25, least: 1, most: 1000, whole: true, about: 'steps of a walk' },
} as const;

const HELP = `Usage: npm run simulate -- storms [--NAME N ...]

Lets ${MONITORS} monitors of one host fail and recover in random order, holds and acknowledges them, discards and deletes them, plans maintenance,
and refuses pages or switches the target off meanwhile. At every moment it compares what rings and which pages are open with what
the incidents call for. A walk in which something is wrong is shortened and printed.

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
  const pagers = await startPagers();
  const mailbox = await startMailbox();
  try {
    await using app = await startTestApp({
      env: {
        PAGERDUTY_URL: pagers.pagerdutyUrl,
        CHAT_WEBHOOK_HOSTS: pagers.chatHost,
        SMTP_URL: mailbox.url,
        MAIL_FROM: 'tocsin@example.com',
      },
    });
    const doer = await app.person('ben');
    let failed = 0;
    for (let seed = given.seed; seed < given.seed + given.walks; seed++) {
      process.stderr.write(`\rwalk ${seed} `);
      const walk = writeWalk(seed, given.steps);
      let said = await takeWalk(app, pagers, doer, walk);
      if (said.length === 0) continue;
      failed += 1;
      const short = await shorten(walk, async (shorter) => {
        const wrong = await takeWalk(app, pagers, doer, shorter);
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
    await mailbox.stop();
    await pagers.stop();
    await cluster.stop();
  }
}

/** Takes one walk in an organization of its own, and ends everything; resolves to what was wrong. */
async function takeWalk(app: TestApp, pagers: Pagers, doer: Person, walk: Walk): Promise<string[]> {
  const judge = makeJudge(app, pagers);
  const scene = await makeScene(app, pagers, doer, walk, judge.look);
  try {
    for (const step of walk.steps) {
      await scene.take(step);
      if (judge.wrong.size > 0) return [...judge.wrong];
    }
    const everything = Array.from({ length: MONITORS }, (_, i) => i);
    await scene.take({ do: 'pager_up' });
    await scene.take({ do: 'target_on' });
    await scene.take({ do: 'recover', monitors: everything });
    await scene.pass(7200);
    await judge.finish(scene);
  } catch (error) {
    judge.wrong.add(String(error));
  }
  return [...judge.wrong];
}

/** Leaves steps out, one at a time, as long as it still goes wrong. */
async function shorten(walk: Walk, goesWrong: (walk: Walk) => Promise<boolean>): Promise<Walk> {
  let short = walk;
  for (let i = walk.steps.length - 1; i >= 0; i--) {
    const fewer = { ...short, steps: short.steps.toSpliced(i, 1) };
    if (await goesWrong(fewer)) short = fewer;
  }
  return short;
}
