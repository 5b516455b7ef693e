// The command line (docs/rules/command-line.md): commander parses it; the result is an exit code.
import { CommanderError } from 'commander';
import { readVersion } from '../platform/version.ts';
import { buildProgram } from './program.ts';

/** Exit codes: 0 done, 1 failed, 2 wrong command line or configuration. */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  try {
    await buildProgram(await readVersion()).parseAsync(asked(words), { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    // Commander has printed its help, or its error, by then.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof Error && error.name === 'ConfigError' ? 2 : 1;
  }
}

/** An empty command line asks for help. Commander's own `help` searches one level deep, but `help region add` has two. */
function asked(words: readonly string[]): string[] {
  const [first = '--help', ...rest] = words;
  return first === 'help' && rest.length > 1 ? [...rest, '--help'] : [first, ...rest];
}
