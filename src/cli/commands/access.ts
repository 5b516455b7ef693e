// The commands about access: `user`, `secret-key`, `revoke-keys`.
import type { Command } from 'commander';
import { runs } from '../runs.ts';

export function addAccess(program: Command): void {
  const user = program.command('user').description('Help somebody who cannot sign in');
  user
    .command('reset-password')
    .summary('Print a link for setting a new password')
    .description('Prints a link for setting a new password. It works once, within 30 minutes, at BASE_URL.')
    .argument('<EMAIL>')
    .action(runs(() => import('../run/user-reset-password.ts')));
  user
    .command('turn-off-two-factor')
    .summary('Help somebody who lost the authenticator and the recovery codes')
    .description(
      'Turns off the second factor of an account and ends its sessions. Verify who is asking: from then on the password ' +
        'alone opens the account.',
    )
    .argument('<EMAIL>')
    .action(runs(() => import('../run/user-turn-off-two-factor.ts')));

  const secretKey = program.command('secret-key').description('Replace SECRET_KEY while Tocsin runs');
  secretKey
    .command('status')
    .description('Print which key is in force, and how many stored secrets are sealed under it')
    .action(runs(() => import('../run/secret-key-status.ts')));
  secretKey
    .command('rotate')
    .summary('Make a new key')
    .description(
      'With the key in DATA_DIR, it makes a new one and keeps the old one beside it. With SECRET_KEY from the environment, ' +
        'it prints what to set, in which order. The servers then seal every stored secret again.',
    )
    .action(runs(() => import('../run/secret-key-rotate.ts')));
  secretKey
    .command('finish')
    .description('End the rotation: seal the remaining secrets, and delete the old key')
    .action(runs(() => import('../run/secret-key-finish.ts')));
  program
    .command('revoke-keys')
    .summary('Revoke every API key and every probe token')
    .description(
      'Revokes every API key and every probe token: after restoring a backup that may contain revoked ones, or after somebody ' +
        'had access to the database. Passwords and sessions stay.',
    )
    .action(runs(() => import('../run/revoke-keys.ts')));
}
