// `tocsin user turn-off-two-factor EMAIL`: for somebody who has lost both the authenticator and the recovery codes.
import { turnOffTwoFactor } from '#src/accounts/turn-off-two-factor.ts';
import { runWork } from '#src/platform/work.ts';
import { OPERATOR, withInstallation } from '../open-installation.ts';

/** Prints the result; returns the exit code. */
export async function run(email: string): Promise<number> {
  return withInstallation(async ({ database: { db }, now }) => {
    const wasOn = await runWork(db, now, OPERATOR, (work) => turnOffTwoFactor(work, email));
    process.stdout.write(
      wasOn
        ? `${email} now signs in with the password alone; all sessions of the account have ended.\n`
        : `${email} had no second factor; nothing was changed.\n`,
    );
    return 0;
  });
}
