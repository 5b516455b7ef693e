// `tocsin user reset-password EMAIL`: for somebody who is locked out where no mail is sent.
import { makePasswordResetLink } from '#src/accounts/forgotten-password.ts';
import { runWork } from '#src/platform/work.ts';
import { OPERATOR, withInstallation } from '../open-installation.ts';

/** Prints the link; answers the exit code. */
export async function run(email: string): Promise<number> {
  return withInstallation(async ({ config, database: { db }, now }) => {
    const link = await runWork(db, now, OPERATOR, (work) =>
      makePasswordResetLink(work, config.baseUrl, email),
    );
    process.stderr.write('Whoever opens this link sets a new password. It works once, within 30 minutes:\n');
    process.stdout.write(`${link}\n`);
    return 0;
  });
}
