// `tocsin region`: the regions that monitors are checked from, and their probes.
import type { Command } from 'commander';
import { collect } from '../options.ts';
import { runs } from '../runs.ts';

export function addRegion(program: Command): void {
  const region = program
    .command('region')
    .description('Manage the regions that monitors are checked from, and their probes');
  region
    .command('list')
    .description('List regions with their probes and probe tokens')
    .action(runs(() => import('../run/region-list.ts')));
  region
    .command('add')
    .summary('Add a region')
    .description(
      'Adds a region. Then create a token for its probes: tocsin region token SLUG.\n\n' +
        "Canaries are hosts that answer whenever the network of the region's probes works. When a check gets no answer and " +
        'the canaries do not answer either, the check does not count as an outage.',
    )
    .argument('<SLUG>')
    .requiredOption('--name <NAME>', 'The name people see')
    .option('--canary <HOST:PORT>', 'A host to try if a check gets no answer; repeatable', collect)
    .option('--internal', 'Do not offer it for monitors')
    .option('--allow-private-targets', 'Let its probes check loopback and private addresses')
    .action(runs(() => import('../run/region-add.ts')));
  region
    .command('token')
    .summary('Create a token for probes of a region')
    .description(
      'Prints the command that starts a probe with the token. The token is shown only once. The probe will reach the server ' +
        'at BASE_URL.\n\n' +
        'Probes beyond --probes wait until you admit them: tocsin region admit.',
    )
    .argument('<SLUG>')
    .option('--probes <N>', 'How many probes it admits automatically, 1 to 1000 (default: 3)')
    .option('--rotate', 'Replace the token of the bundled probe (region local) instead')
    .action(runs(() => import('../run/region-token.ts')));
  region
    .command('admit')
    .description('Admit a probe that is waiting or was refused')
    .argument('<SLUG>')
    .argument('<PROBE>')
    .action(runs(() => import('../run/region-admit.ts')));
  region
    .command('refuse')
    .description('Refuse a probe: it gets no more monitors')
    .argument('<SLUG>')
    .argument('<PROBE>')
    .action(runs(() => import('../run/region-refuse.ts')));
  region
    .command('remove')
    .description('Delete a probe that is gone, so that another can use its place')
    .argument('<SLUG>')
    .argument('<PROBE>')
    .action(runs(() => import('../run/region-remove.ts')));
}
