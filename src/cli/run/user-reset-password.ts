// `tocsin user reset-password EMAIL`: for somebody who is locked out of an installation without mail.
import { makePasswordResetLink } from '#src/accounts/forgotten-password.ts';
import { runWork } from '#src/platform/work.ts';
import { OPERATOR, withInstallation } from '../open-installation.ts';

/** Prints the link; returns the exit code. */
export async function run(email: string): Promise<number> {
  return withInstallation(async ({ config, database: { db }, now }) => {
    const link = await runWork(db, now, OPERATOR, (work) =>
      makePasswordResetLink(work, config.baseUrl, email),
    );
    process.stderr.write(
      'Anybody who opens this link can set a new password. It works once, within 30 minutes:\n',
    );
    process.stdout.write(`${link}\n`);
    return 0;
  });
}
