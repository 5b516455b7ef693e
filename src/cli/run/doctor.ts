// `tocsin doctor`: looks at everything that an installation stands on, and says what to do.
import { ConfigError, readConfig } from '#src/config/config.ts';
import { type Finding, lineOf } from '#src/doctor/finding.ts';
import { lookAtActivity, lookAtClock } from '#src/doctor/installation.ts';
import { lookAtDisk, lookAtMail, lookAtNames, lookAtPort } from '#src/doctor/machine.ts';
import { makeMail } from '#src/platform/mail/mail.ts';
import { checkSecretKey } from '#src/secret-key/check-secret-key.ts';
import { withInstallation } from '../open-installation.ts';

/** Prints a line for each look; answers 1 where one failed, else 0. */
export async function run(): Promise<number> {
  let failed = false;
  const tell = (finding: Finding) => {
    failed ||= finding.state === 'fail';
    process.stdout.write(lineOf(finding));
  };
  const config = configured(tell);
  if (!config) return 1;
  await withInstallation(async ({ database: { db }, vault, stop }) => {
    tell({ state: 'ok', subject: 'database', said: 'it answers, and has the schema of this version' });
    tell(await lookAtClock(db));
    tell(await keyFinding(() => checkSecretKey(db, vault)));
    for (const finding of await lookAtActivity(db, stop)) tell(finding);
  }).catch((error: unknown) =>
    tell({
      state: 'fail',
      subject: 'database',
      said: error instanceof Error ? error.message : String(error),
      todo: 'Nothing works without it. The log of the bundled one is in DATA_DIR; otherwise check DATABASE_URL.',
    }),
  );
  tell(await lookAtDisk(config.dataDir));
  tell(await lookAtMail(makeMail({ smtpUrl: config.smtpUrl, from: config.mailFrom })));
  tell(await lookAtNames(config.baseUrl));
  tell(await lookAtPort(config.host, config.port));
  return failed ? 1 : 0;
}

function configured(tell: (finding: Finding) => void) {
  try {
    return readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    tell({ state: 'fail', subject: 'settings', said: error.message, todo: 'See docs/self-hosting.md.' });
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
