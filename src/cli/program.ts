// The program: its commands in the order of the help, and the rules for all of them.
import { Command } from 'commander';
import { addAccess } from './commands/access.ts';
import { addApply } from './commands/apply.ts';
import { addMoving } from './commands/moving.ts';
import { addPlan } from './commands/plan.ts';
import { addRegion } from './commands/region.ts';
import { addRunning } from './commands/running.ts';
import { refuseRepeatedOrEmpty } from './options.ts';

/** Every command with its arguments, options and help. The code of a command is loaded only when it is called. */
export function buildProgram(version: string): Command {
  const help = new Command('help').argument('[COMMAND]').description('Print help for a command');
  const program = new Command('tocsin')
    .description('Tocsin watches what you run and calls when it is down.')
    .version(`tocsin ${version}`, '-v, --version', 'Print the version')
    .helpOption('-h, --help', 'Print help')
    .addHelpCommand(help.helpGroup('Help:'))
    .showHelpAfterError('Add --help to see how it is used.')
    .exitOverride()
    .addHelpText(
      'after',
      '\nIn a checkout: npm run tocsin -- COMMAND.\n' +
        'Settings come from the environment (PORT, DATA_DIR, DATABASE_URL, …): see docs/self-hosting.md.',
    );
  program.commandsGroup('Run:');
  addRunning(program);
  program.commandsGroup('Back up and move:');
  addMoving(program);
  program.commandsGroup('Administer:');
  addApply(program);
  addPlan(program);
  addRegion(program);
  addAccess(program);
  refuseRepeatedOrEmpty(program);
  return program;
}
