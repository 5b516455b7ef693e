// `tocsin plan`: the plans of organizations.
import type { Command } from 'commander';
import { runs } from '../runs.ts';

export function addPlan(program: Command): void {
  const plan: Command = program
    .command('plan')
    .summary('List plans and organizations; set the plan of an organization')
    .description('Lists the plans with their limits, and the organizations with their plans.')
    .usage('[command]')
    // `plan` has an action of its own, so commander would treat a misspelt command as an excess argument.
    .argument('[COMMAND]', '', (word) => plan.error(`error: unknown command '${word}' (did you mean set?)`))
    .allowExcessArguments()
    .action(runs(() => import('../run/plan-list.ts')));
  plan
    .command('set')
    .summary('Set the plan of an organization')
    .description(
      'Nothing is deleted: resources beyond the limits of a smaller plan keep working, but nothing can be added.',
    )
    .argument('<ORGANIZATION>', 'Its slug or id')
    .argument('<PLAN>', 'The name of the plan')
    .allowExcessArguments(false)
    .action(runs(() => import('../run/plan-set.ts')));
}
