// The agent as a program of its own: `node tocsin-agent.mjs`. In an installation of the server, `tocsin agent` runs the same.
import './interpreted.ts';
import '../probe/node-20.ts';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stderrLog } from '../probe/log.ts';
import { VERSION } from '../probe/version.ts';
import { type AgentOptions, defaultDataDir, runAgent } from './command.ts';
import { isServiceCommand, runServiceCommand } from './service/command.ts';
import { runAgain } from './upgrade/again.ts';
import { runNewest } from './upgrade/newest.ts';
import { openPrograms } from './upgrade/programs.ts';
import { RESTART_CODE } from './upgrade/upgrading.ts';
import { readWords } from './words.ts';

const own = fileURLToPath(import.meta.url);
const [first, ...rest] = process.argv.slice(2);
if (isServiceCommand(first)) process.exitCode = await runServiceCommand(first, rest, own);
else {
  const read = readWords(process.argv.slice(2));
  if (read.kind === 'help') process.stdout.write(read.text);
  else if (read.kind === 'version') process.stdout.write(`${VERSION}\n`);
  else if (read.kind === 'wrong') {
    process.stderr.write(`tocsin agent: ${read.sentence}\nAdd --help to see how it is used.\n`);
    process.exitCode = 2;
  } else process.exitCode = await runNewestOf(read.options, read.service);
}
// exit() rather than an exit code: a collector that hangs must not keep a stopped agent alive.
process.exit();

/** A run from sources has no file that a newer one could replace. */
async function runNewestOf(options: AgentOptions, service: boolean): Promise<number> {
  const dir = join(options.dataDir ?? defaultDataDir(), 'programs');
  const programs = own.endsWith('.mjs') ? openPrograms(dir) : null;
  const counts = !options.once && !options.show;
  if (programs) await runNewest(programs, { version: VERSION, counts, log: stderrLog });
  const code = await runAgent(options, undefined, programs);
  return code === RESTART_CODE && !service ? runAgain() : code;
}
