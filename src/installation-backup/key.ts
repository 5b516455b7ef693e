// The SECRET_KEY of a restored installation. Under another one its stored secrets would be unreadable.
import { secretKeyId } from '../platform/secrets.ts';

/** Thrown with what to do; nothing has been changed then. */
class KeyRefused extends Error {
  constructor(what: string) {
    super(`${what} Nothing was changed.`);
    this.name = 'KeyRefused';
  }
}

/**
 * The keys to be saved in DATA_DIR, the one in force first; null where it is among those that are given.
 * `fingerprint`: of the key that was in force when the backup was made. `given`: SECRET_KEY and those before it, of the
 * environment and DATA_DIR; none where there is none. `inBackup`: those in the file; none where it has none.
 */
export function keysToSave(options: {
  fingerprint: string;
  given: readonly string[];
  inBackup: readonly string[];
}): readonly string[] | null {
  const { fingerprint, given, inBackup } = options;
  if (given.length > 0) {
    if (given.map(secretKeyId).includes(fingerprint)) return null;
    const brings = inBackup.length === 0 ? '' : ', or take the other one away: the backup brings its own';
    throw new KeyRefused(
      'The backup was made under another SECRET_KEY than the one in force here (SECRET_KEY, or the file secret-key in ' +
        'DATA_DIR): its stored secrets would be unreadable. Set SECRET_KEY to the one of the installation that was ' +
        `backed up, or, where it has been replaced since, SECRET_KEY_PREVIOUS${brings}.`,
    );
  }
  if (inBackup.length === 0)
    throw new KeyRefused(
      'The backup does not hold the SECRET_KEY it was made under, and none is set here. Put the file secret-key of the ' +
        'DATA_DIR that was backed up into this one, or set SECRET_KEY. Where it is lost for good, so are the stored ' +
        'secrets, and a backup cannot be restored without it.',
    );
  if (secretKeyId(inBackup[0] ?? '') !== fingerprint)
    throw new KeyRefused(
      'The secret key in the backup is not the one that the backup names: the file was changed.',
    );
  return inBackup;
}
