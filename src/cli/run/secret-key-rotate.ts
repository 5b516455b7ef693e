// `tocsin secret-key rotate`: the first step of replacing SECRET_KEY while the installation runs.
import { readConfig } from '#src/config/config.ts';
import { makeSecretKey, renewSecretKey } from '#src/platform/secret-key-file.ts';
import { secretKeyId } from '#src/platform/secrets.ts';
import { checkSecretKey } from '#src/secret-key/check-secret-key.ts';
import { withInstallation } from '../open-installation.ts';
import { recordKeyStep } from '../secret-key.ts';

/** Creates a new key, or prints the variables to set; returns the exit code. */
export async function run(): Promise<number> {
  const given = readConfig();
  if (given.secretKey !== null) {
    process.stdout.write(stepsWithVariables());
    return 0;
  }
  return withInstallation(async ({ config, vault, database, now }) => {
    await checkSecretKey(database.db, vault);
    if (vault.keyIds.length > 1)
      throw new Error(
        'A rotation is already in progress. See tocsin secret-key status, and finish it first.',
      );
    const key = renewSecretKey(config.dataDir, config.secretKey);
    await recordKeyStep(database.db, now, 'rotate', { from: vault.keyIds[0], to: secretKeyId(key) });
    process.stdout.write(
      `The new key is in ${config.dataDir}/secret-key; the previous one is beside it in secret-key.previous.\n\n` +
        'Restart the server now, and enter no secrets with other commands before that: until then it uses the old key.\n' +
        'It then seals the stored secrets again automatically: tocsin secret-key status\n' +
        'Finally: tocsin secret-key finish\nKeep the new key wherever you keep the old one for backups.\n',
    );
    return 0;
  });
}

const stepsWithVariables =
  () => `SECRET_KEY comes from the environment here, so the new key must be set there. A new key:

  ${makeSecretKey()}

1. With several servers on one database only: restart each with SECRET_KEY as it is and SECRET_KEY_PREVIOUS=the new key,
   so that every server can open what any other seals.
2. Restart each with SECRET_KEY=the new key and SECRET_KEY_PREVIOUS=the old key. When the last one has it, they seal the
   stored secrets again: tocsin secret-key status (with the same variables)
3. tocsin secret-key finish, then remove SECRET_KEY_PREVIOUS and restart once more.

Both variables may be given as files: SECRET_KEY_FILE, SECRET_KEY_PREVIOUS_FILE (one key a line, the newest first).
`;
