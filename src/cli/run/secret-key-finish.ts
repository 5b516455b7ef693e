// `tocsin secret-key finish`: the last step of replacing SECRET_KEY.
import { earlierKeysOf, readConfig } from '#src/config/config.ts';
import { saveEarlierKeys } from '#src/platform/secret-key-file.ts';
import { serversWithAnotherKey } from '#src/secret-key/keys-in-force.ts';
import { countSeals, resealAll } from '#src/secret-key/reseal.ts';
import { OPERATOR, withInstallation } from '../open-installation.ts';
import { counted, progressLines } from '../progress.ts';
import { recordKeyStep, total } from '../secret-key.ts';

/** Seals the remaining secrets and forgets the earlier keys; returns the exit code. */
export async function run(): Promise<number> {
  return withInstallation(async (opened) => {
    const { config, vault, database, now, stop } = opened;
    const { db } = database;
    if (vault.keyIds.length === 1) throw new Error('No rotation is in progress: there is no earlier key.');
    const others = await serversWithAnotherKey(db, vault);
    if (others > 0)
      throw new Error(
        `${counted(others, 'server')} still ${others === 1 ? 'runs' : 'run'} with another key. Restart ${others === 1 ? 'it' : 'them'} with the ` +
          'new one first; nothing was changed.',
      );
    const printProgress = progressLines();
    const progress = (far: { resealed: number }) =>
      printProgress(() => `… ${counted(far.resealed, 'secret')} sealed again`);
    await resealAll({ db, vault, now, actor: OPERATOR, progress, signal: stop });
    const counts = await countSeals(db, vault);
    const left = total(counts, 'left');
    if (left > 0)
      throw new Error(`${counted(left, 'secret')} were stored meanwhile. Run this command again.`);
    await recordKeyStep(db, now, 'finish', { id: vault.keyIds[0], forgotten: vault.keyIds.slice(1) });
    const unreadable = total(counts, 'unreadable');
    const lost =
      unreadable === 0
        ? ''
        : ` ${counted(unreadable, 'secret')} could not be opened with any key and stay as they are.`;
    const inFiles = earlierKeysOf(readConfig()).length > readConfig().earlierSecretKeys.length;
    if (inFiles) saveEarlierKeys(config.dataDir, []);
    const where =
      readConfig().earlierSecretKeys.length > 0 ? 'Remove SECRET_KEY_PREVIOUS and restart' : 'Restart';
    process.stdout.write(
      `Everything stored is sealed under the current key.${lost}\n${where} the servers: from then on the earlier key can ` +
        'open and sign nothing. People who signed in before the rotation must sign in again.\n',
    );
    return 0;
  });
}
