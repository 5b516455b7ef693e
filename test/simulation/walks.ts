// The command of a simulation that takes random walks: seeds, and the shortening of a walk in which something is wrong.
import { helpOf, numbersIn } from '../cells/numbers.ts';
import { silent, startTestCluster } from '../harness/cluster.ts';
import { CLUSTER_VARIABLE } from '../harness/database.ts';

/** The exit code after Ctrl-C. */
const INTERRUPTED = 130;

/** The same seed, the same walk. A walk goes on without any of its steps. */
export type Walked = { steps: readonly unknown[] };

export type Simulation<Walk extends Walked, Stage extends AsyncDisposable> = {
  /** What `--help` says above the numbers. */
  help: string;
  /** Walks and steps of a walk, unless others are asked for. */
  usual: { walks: number; steps: number };
  write: (seed: number, steps: number) => Walk;
  /** Starts the installation of all walks, on the cluster of the tests. */
  startStage: () => Promise<Stage>;
  /** Takes a walk; resolves to what was wrong, one sentence each. */
  take: (stage: Stage, walk: Walk) => Promise<string[]>;
  inWords: (walk: Walk) => string;
};

/** Takes the walks that `words` ask for; returns the exit code. */
export async function simulateWalks<Walk extends Walked, Stage extends AsyncDisposable>(
  { help, usual, write, startStage, take, inWords }: Simulation<Walk, Stage>,
  words: string[],
): Promise<number> {
  const numbers = {
    seed: { usual: 1, least: 0, whole: true, about: 'seed of the first walk; each walk has the next one' },
    walks: { usual: usual.walks, least: 1, whole: true, about: 'walks' },
    steps: { usual: usual.steps, least: 1, most: 1000, whole: true, about: 'steps of a walk' },
  } as const;
  const given = numbersIn(words, numbers);
  if (given === null || typeof given === 'string') {
    const said = `${help}\n\n${helpOf(numbers)}`;
    (given === null ? process.stdout : process.stderr).write(given === null ? said : `${given}\n\n${said}`);
    return given === null ? 0 : 2;
  }
  const { seed: first, walks, steps } = given;
  // Only the log of an application says why it answered 500.
  silent.level = 'error';
  const cluster = await startTestCluster();
  process.env[CLUSTER_VARIABLE] = cluster.url;
  // Not once: the terminal signals the whole group, and whoever started this may pass the signal on, too.
  const interrupted = Promise.withResolvers<number>();
  let isInterrupted = false;
  process.on('SIGINT', () => {
    isInterrupted = true;
    interrupted.resolve(INTERRUPTED);
  });
  const ended = await Promise.race([interrupted.promise, takeAll().catch((error: unknown) => ({ error }))]);
  await cluster.stop();
  if (ended === INTERRUPTED) {
    process.stderr.write('\rinterrupted     \n');
    // The walk that is under way waits for what is gone.
    process.exit(INTERRUPTED);
  }
  if (typeof ended === 'object') throw ended.error;
  return ended;

  async function takeAll(): Promise<number> {
    await using stage = await startStage();
    const takeOne = async (walk: Walk) => {
      const said = await take(stage, walk);
      // The end of the cluster is no finding.
      return isInterrupted ? new Promise<never>(() => {}) : said;
    };
    let failed = 0;
    for (let seed = first; seed < first + walks; seed++) {
      process.stderr.write(`\rwalk ${seed} `);
      const walk = write(seed, steps);
      let said = await takeOne(walk);
      if (said.length === 0) continue;
      failed += 1;
      const short = await shorten(walk, async (shorter) => {
        const wrong = await takeOne(shorter);
        if (wrong.length > 0) said = wrong;
        return wrong.length > 0;
      });
      process.stdout.write(
        `\rwalk ${seed}: ${inWords(short)}\n${said.map((each) => `    ${each}\n`).join('')}`,
      );
    }
    process.stdout.write(`\r${walks} walks of ${steps} steps: ${failed} wrong\n`);
    return failed > 0 ? 1 : 0;
  }
}

/** Leaves steps out, many at first and then one at a time, as long as it still goes wrong. */
async function shorten<Walk extends Walked>(
  walk: Walk,
  goesWrong: (walk: Walk) => Promise<boolean>,
): Promise<Walk> {
  let short = walk;
  for (let many = walk.steps.length >> 1; many >= 1; many >>= 1)
    for (let i = short.steps.length - many; i >= 0; i -= many) {
      const fewer = { ...short, steps: short.steps.toSpliced(i, many) };
      if (await goesWrong(fewer)) short = fewer;
    }
  return short;
}
