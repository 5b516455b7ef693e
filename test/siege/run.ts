// `npm run siege -- [words of file names]`: the attacks of one tenant on another and on the server, at full strength.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runApart } from './failover/run.ts';

const words = process.argv.slice(2);
if (words[0] === 'failover') {
  // Not a test: it needs programs that tests do without, and minutes.
  process.exit(await runApart(words.slice(1)));
}
const attacks = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.ts'));

if (words.some((word) => word === '--help' || word === '-h')) {
  process.stdout.write(
    'npm run siege              every attack at full strength, one after the other\n' +
      'npm run siege -- WORD ...  those whose file names have one of the words\n' +
      'npm run siege -- failover  the loss of the database, which is none of them (--help)\n\n' +
      `Attacks: ${attacks.map((name) => name.replace('.test.ts', '')).join(', ')}\n`,
  );
  process.exit(0);
}
const chosen = attacks.filter((name) => words.length === 0 || words.some((word) => name.includes(word)));
if (chosen.length === 0) {
  process.stderr.write(`No attack is called ${words.join(' or ')}. See npm run siege -- --help.\n`);
  process.exit(2);
}
const child = spawn(
  process.execPath,
  [
    '--test',
    '--test-global-setup=test/harness/global.ts',
    '--test-concurrency=1',
    '--test-reporter=spec',
    ...chosen.map((name) => join(import.meta.dirname, name)),
  ],
  { stdio: 'inherit', env: { ...process.env, TOCSIN_SIEGE: 'whole' } },
);
child.on('exit', (code) => process.exit(code ?? 1));
