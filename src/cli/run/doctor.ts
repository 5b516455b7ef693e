// `tocsin doctor`: checks everything that an installation depends on, and prints the remedies.
import { ConfigError, readConfig } from '#src/config/config.ts';
import { type Finding, lineOf } from '#src/doctor/finding.ts';
import { lookAtActivity, lookAtClock } from '#src/doctor/installation.ts';
import { lookAtDisk, lookAtMail, lookAtNames, lookAtPort } from '#src/doctor/machine.ts';
import { makeMail } from '#src/platform/mail/mail.ts';
import { checkSecretKey } from '#src/secret-key/check-secret-key.ts';
import { withInstallation } from '../open-installation.ts';

/** Prints a line for each check; answers 1 where one failed, else 0. */
export async function run(): Promise<number> {
  let failed = false;
  const print = (finding: Finding) => {
    failed ||= finding.state === 'fail';
    process.stdout.write(lineOf(finding));
  };
  const config = configured(print);
  if (!config) return 1;
  await withInstallation(async ({ database: { db }, vault, stop }) => {
    print({ state: 'ok', subject: 'database', said: 'it answers, and has the schema of this version' });
    print(await lookAtClock(db));
    print(await keyFinding(() => checkSecretKey(db, vault)));
    for (const finding of await lookAtActivity(db, stop)) print(finding);
  }).catch((error: unknown) =>
    print({
      state: 'fail',
      subject: 'database',
      said: error instanceof Error ? error.message : String(error),
      todo: 'Nothing works without it. The log of the bundled one is in DATA_DIR; otherwise check DATABASE_URL.',
    }),
  );
  print(await lookAtDisk(config.dataDir));
  print(await lookAtMail(makeMail({ smtpUrl: config.smtpUrl, from: config.mailFrom })));
  print(await lookAtNames(config.baseUrl));
  print(await lookAtPort(config.host, config.port));
  return failed ? 1 : 0;
}

function configured(print: (finding: Finding) => void) {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    print({ state: 'fail', subject: 'settings', said: error.message, todo: 'See docs/self-hosting.md.' });
    return null;
  }
}

async function keyFinding(look: () => Promise<void>): Promise<Finding> {
  try {
    await look();
    return { state: 'ok', subject: 'secret key', said: 'it opens what is stored' };
  } catch (error) {
    const todo = 'Give the key that the server had when the secrets were stored.';
    return { state: 'fail', subject: 'secret key', said: (error as Error).message, todo };
  }
}
