// `tocsin secret-key status`, `rotate` and `finish`: SECRET_KEY is replaced while the installation runs.
import { randomBytes } from 'node:crypto';
import { recordActivity } from '#src/activity/record.ts';
import { earlierKeysOf, readConfig } from '#src/config/config.ts';
import { renewSecretKey, saveEarlierKeys } from '#src/platform/secret-key-file.ts';
import { secretKeyId } from '#src/platform/secrets.ts';
import { runWork } from '#src/platform/work.ts';
import { refuseOtherKey } from '#src/secret-key/check-secret-key.ts';
import { serversWithAnotherKey } from '#src/secret-key/keys-in-force.ts';
import { countSeals, resealAll } from '#src/secret-key/reseal.ts';
import { columns } from '../columns.ts';
import { OPERATOR, type OpenedInstallation, withInstallation } from '../open-installation.ts';
import { counted, progressLines } from '../progress.ts';

/** Prints which keys there are and how many stored secrets are sealed under which; answers the exit code. */
export async function runSecretKeyStatus(): Promise<number> {
  return withInstallation(async (opened) => {
    const { vault, database } = opened;
    const [current, ...earlier] = vault.keyIds;
    const counts = await countSeals(database.db, vault);
    const others = await serversWithAnotherKey(database.db, vault);
    const rows = counts.map(({ table, column, current: done, left, unreadable }) =>
      [`${table}.${column}`, done, left, unreadable].map(String),
    );
    process.stdout.write(
      `In force: ${current}\nEarlier:  ${earlier.join(', ') || 'none'}\n\n` +
        `${columns([['SECRETS IN', 'SEALED UNDER IT', 'LEFT', 'OF NO KNOWN KEY'], ...rows])}\n` +
        `${nextStep(opened, { left: sum(counts, 'left'), unreadable: sum(counts, 'unreadable'), others })}\n`,
    );
    return 0;
  });
}

const sum = <Name extends string>(counts: readonly Record<Name, number>[], name: Name): number =>
  counts.reduce((total, count) => total + count[name], 0);

function nextStep(
  { vault }: OpenedInstallation,
  { left, unreadable, others }: { left: number; unreadable: number; others: number },
): string {
  const lost =
    unreadable === 0
      ? ''
      : `${counted(unreadable, 'secret')} can be opened with none of these keys: give the key as well ` +
        '(SECRET_KEY_PREVIOUS), or enter the secrets again.\n';
  if (others > 0)
    return `${lost}${counted(others, 'server')} still with another key in force: restart ${others === 1 ? 'it' : 'them'} with this one.`;
  if (left > 0) return `${lost}Servers seal what is left by themselves, from their start on.`;
  if (vault.keyIds.length > 1)
    return `${lost}Nothing is sealed under an earlier key. End the rotation: tocsin secret-key finish`;
  return `${lost}No rotation is under way.`;
}

/** Makes a new key, or says which variables to set; answers the exit code. */
export async function runSecretKeyRotate(): Promise<number> {
  const given = readConfig();
  if (given.secretKey !== null) {
    process.stdout.write(stepsWithVariables());
    return 0;
  }
  return withInstallation(async ({ config, vault, database, now }) => {
    await refuseOtherKey(database.db, vault);
    if (vault.keyIds.length > 1)
      throw new Error('A rotation is under way already. See tocsin secret-key status, and end it first.');
    const key = renewSecretKey(config.dataDir, config.secretKey);
    await note(database.db, now, 'rotate', { from: vault.keyIds[0], to: secretKeyId(key) });
    process.stdout.write(
      `There is a new key in ${config.dataDir}/secret-key; the one before lies beside it as secret-key.previous.\n\n` +
        'Restart the server now, and do not enter secrets by other commands before: it goes on with the old key until ' +
        'then.\nIt seals the stored secrets again by itself: tocsin secret-key status\n' +
        'At last: tocsin secret-key finish\nKeep the new key wherever you keep the old one for backups.\n',
    );
    return 0;
  });
}

const stepsWithVariables =
  () => `SECRET_KEY comes from the environment here, so the new key has to be set there. One that is new:

  ${randomBytes(32).toString('base64')}

1. With several servers on one database only: restart each with SECRET_KEY as it is and SECRET_KEY_PREVIOUS=the new key,
   so that every server can open what any other seals.
2. Restart each with SECRET_KEY=the new key and SECRET_KEY_PREVIOUS=the old key. When the last one has it, they seal the
   stored secrets again: tocsin secret-key status (with the same variables)
3. tocsin secret-key finish, then take SECRET_KEY_PREVIOUS away and restart once more.

Both variables may be given as files: SECRET_KEY_FILE, SECRET_KEY_PREVIOUS_FILE (one key a line, the newest first).
`;

/** Seals what is left and forgets the earlier keys; answers the exit code. */
export async function runSecretKeyFinish(): Promise<number> {
  return withInstallation(async (opened) => {
    const { config, vault, database, now, stop } = opened;
    const { db } = database;
    if (vault.keyIds.length === 1) throw new Error('No rotation is under way: there is no earlier key.');
    const others = await serversWithAnotherKey(db, vault);
    if (others > 0)
      throw new Error(
        `${counted(others, 'server')} still with another key in force. Restart ${others === 1 ? 'it' : 'them'} with the ` +
          'new one first; nothing was changed.',
      );
    const tell = progressLines();
    const progress = (far: { resealed: number }) =>
      tell(() => `… ${counted(far.resealed, 'secret')} sealed again`);
    await resealAll({ db, vault, now, actor: OPERATOR, progress, signal: stop });
    const counts = await countSeals(db, vault);
    const left = sum(counts, 'left');
    if (left > 0) throw new Error(`${counted(left, 'secret')} more came meanwhile. Run this once more.`);
    await note(db, now, 'finish', { id: vault.keyIds[0], forgotten: vault.keyIds.slice(1) });
    const unreadable = sum(counts, 'unreadable');
    const lost =
      unreadable === 0 ? '' : ` ${counted(unreadable, 'secret')} opened with no key and stay as they are.`;
    const inFiles = earlierKeysOf(readConfig()).length > readConfig().earlierSecretKeys.length;
    if (inFiles) saveEarlierKeys(config.dataDir, []);
    const where =
      readConfig().earlierSecretKeys.length > 0 ? 'Take SECRET_KEY_PREVIOUS away and restart' : 'Restart';
    process.stdout.write(
      `Everything stored is sealed under the key in force.${lost}\n${where} the servers: from then on who has the earlier ` +
        'key can open and sign nothing. Whoever signed in before the rotation has to sign in again.\n',
    );
    return 0;
  });
}

function note(
  db: OpenedInstallation['database']['db'],
  now: Date,
  verb: string,
  after: object,
): Promise<void> {
  return runWork(db, now, OPERATOR, (work) =>
    recordActivity(work, {
      orgId: null,
      action: `secret_key.${verb}`,
      resource: { kind: 'installation', id: 'installation', name: null },
      after,
    }),
  );
}
