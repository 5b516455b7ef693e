// The commands that move data: `backup`, `restore`, `export`, `import`.
import type { Command } from 'commander';
import { collect } from '../options.ts';
import { runs } from '../runs.ts';

const FORCE = ['--force', 'Replace existing files'] as const;

export function addMoving(program: Command): void {
  program
    .command('backup')
    .summary('Write the whole installation into one file, while it runs')
    .description(
      'Writes every table as of one instant into a compressed archive with checksums. Sessions, one-time links and failed ' +
        'sign-ins are left out.\n\n' +
        'The backup is encrypted for age recipients, or with a passphrase (from a file, or BACKUP_PASSPHRASE). age ' +
        '--decrypt opens it too.\n\n' +
        'Unless --with-key is given, the secret key is not in the backup, and without the key it cannot be restored.',
    )
    .argument('<FILE>', 'The file to write; "-" is standard output')
    .option('--recipient <AGE1>', 'Encrypt for this age recipient; repeatable', collect)
    .option('--passphrase-file <FILE>', 'Encrypt with the passphrase in this file')
    .option('--unencrypted', 'Do not encrypt')
    .option('--with-key', 'Include the secret key; only in an encrypted backup')
    .option(...FORCE)
    .action(runs(() => import('../run/backup.ts')));
  program
    .command('restore')
    .summary('Create a new installation from a backup')
    .description(
      'Restores into an empty DATA_DIR, or an empty database in DATABASE_URL. The backup is verified before anything is ' +
        'stored: everything is restored, or nothing.\n\n' +
        'The secret key of the installation must be there (SECRET_KEY, or the file secret-key in DATA_DIR) unless the ' +
        'backup includes it.',
    )
    .argument('<FILE>', 'The backup; "-" is standard input')
    .option('--identity <FILE>', 'Decrypt with the age identities in this file; repeatable', collect)
    .option('--passphrase-file <FILE>', 'Decrypt with the passphrase in this file')
    .option('--revoke-keys', 'Revoke every API key and probe token in it')
    .action(runs(() => import('../run/restore.ts')));
  program
    .command('export')
    .summary('Write all data of one organization as JSON lines and CSV')
    .description(
      'Writes organization.jsonl, uptime.csv and incidents.csv, readable by their owner only: they contain the secrets of ' +
        'monitors and webhooks in clear text.\n\n' +
        'Passwords, sessions and second factors are never exported.',
    )
    .requiredOption('--organization <SLUG>', 'Slug or id of the organization')
    .requiredOption('--to <DIR>', 'Folder to write into; created if it does not exist')
    .option(
      '--checks-days <N>',
      'Export single checks of the last N days (UTC, 2 to 100) only, and roll-ups of older ones (default: all)',
    )
    .option(...FORCE)
    .action(runs(() => import('../run/export.ts')));
  program
    .command('import')
    .summary('Import an organization from another installation')
    .description(
      'Ids stay the same. Members who have an account here become members; for the others, invitation links are printed.',
    )
    .argument('<DIR>', 'The folder of the export, or its organization.jsonl')
    .option('--slug <SLUG>', 'The slug to use if its own is taken here')
    .action(runs(() => import('../run/import.ts')));
}
