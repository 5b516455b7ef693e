// Which SECRET_KEY a restored installation goes on with. Under another one its stored secrets would be unreadable.
import { secretKeyId } from '../platform/secrets.ts';

/** Thrown with what to do; nothing has been changed then. */
class KeyRefused extends Error {
  constructor(what: string) {
    super(`${what} Nothing was changed.`);
    this.name = 'KeyRefused';
  }
}

/**
 * The key to be saved in DATA_DIR, or null where the one in force is right already.
 * `inForce` is null where the environment and DATA_DIR have none; `inBackup` where the file has none.
 */
export function keyToSave(given: {
  fingerprint: string;
  inForce: string | null;
  inBackup: string | null;
}): string | null {
  const { fingerprint, inForce, inBackup } = given;
  if (inForce !== null) {
    if (secretKeyId(inForce) === fingerprint) return null;
    throw new KeyRefused(
      'The backup was made under another SECRET_KEY than the one in force here (SECRET_KEY, or the file secret-key in ' +
        'DATA_DIR): its stored secrets would be unreadable. Set SECRET_KEY to the one of the installation that was ' +
        `backed up${inBackup === null ? '' : ', or take the other one away: the backup brings its own'}.`,
    );
  }
  if (inBackup === null)
    throw new KeyRefused(
      'The backup does not hold the SECRET_KEY it was made under, and none is set here. Set SECRET_KEY to the one of ' +
        'the installation that was backed up.',
    );
  if (secretKeyId(inBackup) !== fingerprint)
    throw new KeyRefused(
      'The secret key in the backup is not the one that the backup names: the file was changed.',
    );
  return inBackup;
}
