// The recipients or passphrase of a backup, and the identities that open one: from the command line, else
// BACKUP_PASSPHRASE.
import { readFile } from 'node:fs/promises';
import { type Encryption, identitiesIn, type Opening } from '../installation-backup/encryption.ts';
import { InvalidCommandLine } from './invalid-command-line.ts';

/** The options of the command line. */
export type EncryptionOptions = { recipient?: string[]; passphraseFile?: string; unencrypted?: true };

/** null: no encryption was requested explicitly. Throws a sentence if there is no such option, or more than one. */
export async function encryptionOf(
  options: EncryptionOptions,
  given: string | null,
): Promise<Encryption | null> {
  const { recipient: recipients, passphraseFile, unencrypted } = options;
  const said = [recipients, passphraseFile, unencrypted].filter(Boolean).length;
  if (said > 1)
    throw new InvalidCommandLine('use only one of --recipient, --passphrase-file and --unencrypted.');
  if (unencrypted) return null;
  if (recipients) return { recipients };
  const passphrase = passphraseFile === undefined ? given : await secretIn(passphraseFile);
  if (passphrase === null)
    throw new InvalidCommandLine(
      'a backup holds everybody’s data, so it must be encrypted. Choose a recipient with --recipient age1… (the public ' +
        'key that age-keygen prints), or a passphrase with --passphrase-file FILE or BACKUP_PASSPHRASE. --unencrypted ' +
        'writes it without encryption.',
    );
  return { passphrase };
}

/** The identities or passphrase that may open a backup. */
export async function openingOf(
  options: { identity?: string[]; passphraseFile?: string },
  given: string | null,
): Promise<Opening> {
  const files = await Promise.all((options.identity ?? []).map(secretIn));
  return {
    identities: files.flatMap(identitiesIn),
    passphrase: options.passphraseFile === undefined ? given : await secretIn(options.passphraseFile),
  };
}

async function secretIn(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${path} cannot be read (${error.code}).`);
  });
  if (text.trim() === '') throw new Error(`${path} is empty.`);
  return text.trim();
}
