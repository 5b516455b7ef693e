// Rules for options that commander lacks.
import type { Command } from 'commander';

/** For an option that may be given several times: `.option(flags, description, collect)`. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/**
 * Makes the command and its subcommands refuse an option that is given twice (commander would use the last one) and one with
 * an empty value (an unset shell variable).
 */
export function refuseRepeatedOrEmpty(command: Command): void {
  for (const option of command.options) {
    let given = false;
    command.on(`option:${option.name()}`, (value?: string) => {
      if (given && option.parseArg !== collect) command.error(`error: option '${option.flags}' given twice`);
      if (value === '') command.error(`error: option '${option.flags}' argument empty`);
      given = true;
    });
  }
  for (const each of command.commands) refuseRepeatedOrEmpty(each);
}
