// `npm run fuzz`: the requests of test/journeys/server/fuzz.test.ts, many more of them.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const HELP = `Usage: npm run fuzz -- [--runs N] [--seed S]

Sends every operation N requests (2000 unless told otherwise) made from its own schemas and then spoilt.
The seed is printed; the same seed sends the same requests.
`;

process.exitCode = await main(process.argv.slice(2));

async function main(words: string[]): Promise<number> {
  const whole = (text: string | undefined, usual: number) => (text === undefined ? usual : Number(text));
  let given: { help?: boolean; runs?: string; seed?: string };
  try {
    const options = {
      help: { type: 'boolean', short: 'h' },
      runs: { type: 'string' },
      seed: { type: 'string' },
    } as const;
    given = parseArgs({ args: words, options }).values;
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${HELP}`);
    return 2;
  }
  if (given.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const runs = whole(given.runs, 2000);
  const seed = whole(given.seed, Date.now() % 1_000_000_007);
  if (!Number.isInteger(runs) || runs < 1 || !Number.isInteger(seed)) {
    process.stderr.write(`--runs and --seed take whole numbers.\n${HELP}`);
    return 2;
  }
  process.stdout.write(`${runs} requests to each operation, seed ${seed}\n`);
  const child = spawn(
    process.execPath,
    [
      '--test',
      '--test-global-setup=test/harness/global.ts',
      '--test-reporter=spec',
      'test/journeys/server/fuzz.test.ts',
    ],
    {
      cwd: join(import.meta.dirname, '..'),
      stdio: 'inherit',
      env: { ...process.env, FUZZ_RUNS: String(runs), FUZZ_SEED: String(seed) },
    },
  );
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
}
