// The command `apply`.
import type { Command } from 'commander';
import { runs } from '../runs.ts';

export function addApply(program: Command): void {
  program
    .command('apply')
    .summary('Configure an organization from a file: organization as code')
    .description(
      'Creates and changes the monitors, alert profiles, webhooks, on-call settings and status pages that a YAML or JSON ' +
        'file declares: all of them, or none if one is refused. A field that the file does not name keeps its value. ' +
        'Applying a file twice changes nothing the second time.\n\n' +
        `\${NAME} in a text stands for the environment variable NAME, so that no secret has to be in the file.\n\n` +
        'docs/configuration-as-code.md has an example.',
    )
    .option('-f, --file <FILE>', 'The file; "-" is standard input')
    .option(
      '--url <URL>',
      'A server elsewhere; its API key is in TOCSIN_API_KEY (default: this machine’s installation)',
    )
    .option('--organization <SLUG>', 'Slug or id of the organization, if the file does not name it')
    .option('--print', 'Print the organization as such a file, to start from, and change nothing')
    .option('--dry-run', 'Only print what would change; write nothing')
    .option('--prune', 'Delete what the sections of the file do not contain')
    .action(runs(() => import('../run/apply.ts')));
}
