// Runs the program behind a valid command line.
import type { Command } from 'commander';
import { InvalidCommandLine } from './invalid-command-line.ts';

/** A module of src/cli/run: gets the command's words, then its options, and returns the exit code. */
export type CommandModule = { run(...given: never[]): Promise<number> };

/** The action of a command: loads its module now, runs it, and makes its result the exit code of this process. */
export function runs(load: () => Promise<CommandModule>) {
  return async function (this: Command, ...given: unknown[]): Promise<void> {
    const { run } = await load();
    try {
      process.exitCode = await run(...(given as never[]));
    } catch (error) {
      if (error instanceof InvalidCommandLine) this.error(`error: ${error.message}`);
      throw error;
    }
  };
}
