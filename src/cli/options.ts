// What commander leaves open about options.
import type { Command } from 'commander';

/** For an option that may be given several times: `.option(flags, description, collect)`. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/**
 * Has the command and those below it refuse an option that is given twice, of which commander would take the last, and one
 * with an empty value, which is a variable of the shell that is not set.
 */
export function refuseDoubtful(command: Command): void {
  for (const option of command.options) {
    let given = false;
    command.on(`option:${option.name()}`, (value?: string) => {
      if (given && option.parseArg !== collect) command.error(`error: option '${option.flags}' given twice`);
      if (value === '') command.error(`error: option '${option.flags}' argument empty`);
      given = true;
    });
  }
  for (const each of command.commands) refuseDoubtful(each);
}
