// Backups are encrypted as age does it (age-encryption.org/v1), so that one opens without Tocsin too: age --decrypt.
import { Readable } from 'node:stream';
import type { Decrypter, Encrypter } from 'age-encryption';
import { MIN_PASSPHRASE } from '../domain/passphrase.ts';
import { whenNeeded } from '../platform/when-needed.ts';

const age = whenNeeded<typeof import('age-encryption')>('age-encryption');

/** The keys to a backup: a passphrase, or the identity of one of the recipients (age1…). */
export type Encryption =
  | {
      passphrase: string;
      /** Of scrypt, 2 to the power of this; the one of age (18) unless given. */
      workFactor?: number;
    }
  | { recipients: readonly string[] };

/** The means to open a backup. */
export type Opening = { passphrase: string | null; identities: readonly string[] };

const MAGIC = 'age-encryption.org/v1\n';
/** The header says in its first lines whom it is for; this much of it is looked at. */
const HEAD_BYTES = 64;

/** Encrypts as a stream, in bounded memory. Throws a sentence where it cannot be encrypted for whom was named. */
export function encrypterFor(
  encryption: Encryption,
): (plain: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array> {
  const encrypter = new (age().Encrypter)();
  if ('passphrase' in encryption) {
    if (encryption.passphrase.length < MIN_PASSPHRASE)
      throw new Error(
        `The passphrase has fewer than ${MIN_PASSPHRASE} characters, and whoever has the file can try as many as ` +
          'they like. Take four or five random words, or more.',
      );
    encrypter.setPassphrase(encryption.passphrase);
    encrypter.setScryptWorkFactor(encryption.workFactor ?? 18);
  } else for (const recipient of encryption.recipients) addRecipient(encrypter, recipient);
  return async function* encrypted(plain) {
    yield* await encrypter.encrypt(ReadableStream.from(plain));
  };
}

function addRecipient(encrypter: Encrypter, recipient: string): void {
  try {
    encrypter.addRecipient(recipient);
  } catch {
    throw new Error(
      `"${shown(recipient)}" is not an age recipient. One starts with age1 and is what age-keygen prints as the public key.`,
    );
  }
}

/** Hides a secret key that was given by mistake. */
const shown = (text: string) => (/^age-secret-key/i.test(text) ? 'AGE-SECRET-KEY-…' : text);

/** The caller cannot open the file. Nothing has been changed. */
class BackupLocked extends Error {
  constructor(sentence: string) {
    super(`${sentence} Nothing was changed.`);
    this.name = 'BackupLocked';
  }
}

/** The plain content of a backup, whether it is encrypted or not. Throws BackupLocked where it cannot be opened. */
export async function openedFile(source: Readable, opening: Opening): Promise<Readable> {
  const chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  const head: Buffer[] = [];
  let size = 0;
  while (size < HEAD_BYTES) {
    const { done, value } = await chunks.next();
    if (done) break;
    head.push(value);
    size += value.length;
  }
  const start = Buffer.concat(head);
  const whole = async function* () {
    yield start;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  };
  const text = start.toString('latin1');
  if (!text.startsWith(MAGIC)) return Readable.from(whole());
  return Readable.from(await decrypt(whole(), text.startsWith(`${MAGIC}-> scrypt `), opening));
}

async function decrypt(
  content: AsyncIterable<Buffer>,
  byPassphrase: boolean,
  { passphrase, identities }: Opening,
): Promise<AsyncIterable<Uint8Array>> {
  const decrypter = new (age().Decrypter)();
  if (byPassphrase) {
    if (passphrase === null)
      throw new BackupLocked(
        'The backup is encrypted with a passphrase. Give it with --passphrase-file FILE, or as BACKUP_PASSPHRASE.',
      );
    decrypter.addPassphrase(passphrase);
  } else {
    if (identities.length === 0)
      throw new BackupLocked(
        'The backup is encrypted for age recipients. Give the file with the identity of one of them (what age-keygen ' +
          'wrote, AGE-SECRET-KEY-1…): --identity FILE.',
      );
    for (const identity of identities) await addIdentity(decrypter, identity);
  }
  try {
    return await decrypter.decrypt(ReadableStream.from(content) as ReadableStream<Uint8Array>);
  } catch (error) {
    const reason = (error as Error).message;
    if (!reason.startsWith('no identity matched'))
      throw new BackupLocked(`The backup is damaged: its age header cannot be read (${reason}).`);
    throw new BackupLocked(
      byPassphrase
        ? 'The passphrase is not the one that the backup was encrypted with.'
        : 'The backup was encrypted for other recipients: none of the identities given opens it.',
    );
  }
}

async function addIdentity(decrypter: Decrypter, identity: string): Promise<void> {
  try {
    // Answers a recipient, or throws for what is no identity.
    await age().identityToRecipient(identity);
    decrypter.addIdentity(identity);
  } catch {
    throw new BackupLocked(
      'The identity file holds a line that is no age identity: each starts with AGE-SECRET-KEY-1, comments with #.',
    );
  }
}

/** The identities of a file as age-keygen writes it. */
export const identitiesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
