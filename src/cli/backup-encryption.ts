// Whom a backup is encrypted for, and what one is opened with: by the command line, else by BACKUP_PASSPHRASE.
import { readFile } from 'node:fs/promises';
import { type Encryption, identitiesIn, type Opening } from '../installation-backup/encryption.ts';
import { WrongWords } from './wrong-words.ts';

export type EncryptionWords = { recipients: string[]; passphraseFile: string | null; unencrypted: boolean };

/** null: it is asked for in the clear. Throws a sentence where nothing was said, or too much. */
export async function encryptionOf(words: EncryptionWords, given: string | null): Promise<Encryption | null> {
  const { recipients, passphraseFile, unencrypted } = words;
  const said = [recipients.length > 0, passphraseFile !== null, unencrypted].filter(Boolean).length;
  if (said > 1)
    throw new WrongWords('Say one of --recipient, --passphrase-file and --unencrypted, not several of them.');
  if (unencrypted) return null;
  if (recipients.length > 0) return { recipients };
  const passphrase = passphraseFile === null ? given : await secretIn(passphraseFile);
  if (passphrase === null)
    throw new WrongWords(
      'A backup holds everybody’s data, so it is encrypted. Say for whom: --recipient age1… (the public key that ' +
        'age-keygen prints), or give a passphrase with --passphrase-file FILE or BACKUP_PASSPHRASE. Without encryption: ' +
        '--unencrypted.',
    );
  return { passphrase };
}

/** What a backup may be opened with. */
export async function openingOf(
  words: { identityFiles: string[]; passphraseFile: string | null },
  given: string | null,
): Promise<Opening> {
  const files = await Promise.all(words.identityFiles.map(secretIn));
  return {
    identities: files.flatMap(identitiesIn),
    passphrase: words.passphraseFile === null ? given : await secretIn(words.passphraseFile),
  };
}

async function secretIn(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${path} cannot be read (${error.code}).`);
  });
  if (text.trim() === '') throw new Error(`${path} is empty.`);
  return text.trim();
}
