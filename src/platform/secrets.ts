// Secrets at rest: sealed with AES-256-GCM under SECRET_KEY (decisions, section 8), tokens kept as hashes.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PREFIX = 'sealed:1:';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type Vault = {
  /** Encrypts a text. `context` names where it is stored (kind, id, field): it opens there and nowhere else. */
  seal(text: string, context: string): string;
  /** Throws SecretUnreadable where the text was sealed under another key or for another context. */
  open(sealed: string, context: string): string;
  isSealed(text: string): boolean;
  /** A key of its own for one purpose (sessions, say), 32 bytes, the same on every start. */
  derive(purpose: string): Buffer;
};

export class SecretUnreadable extends Error {
  constructor(context: string) {
    super(
      `The stored secret of ${context} cannot be opened: SECRET_KEY is not the one it was sealed with. ` +
        'Start with the earlier key, or enter the secret again.',
    );
    this.name = 'SecretUnreadable';
  }
}

/** The vault under one SECRET_KEY (any text of at least 32 characters; see config). */
export function openVault(secretKey: string): Vault {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secretKey, 'tocsin', purpose, 32));
  const key = derive('secrets at rest');
  return {
    derive,
    isSealed: (text) => text.startsWith(PREFIX),
    seal(text, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return PREFIX + sealed.toString('base64');
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64');
      try {
        if (!sealed.startsWith(PREFIX)) throw new Error('not sealed');
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
          authTagLength: TAG_BYTES,
        });
        decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-TAG_BYTES));
        const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        throw new SecretUnreadable(context);
      }
    },
  };
}

/** SHA-256 of a token: what is kept of one that is long and random (keys, invitations, probe tokens). */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}

/** Whether two secrets are the same text, in a time that does not tell how much of them is. */
export function sameSecret(left: string, right: string): boolean {
  return timingSafeEqual(hashToken(left), hashToken(right));
}

/** What is shown of a stored secret: its last 4 characters, and of a short one nothing. */
export function secretHint(secret: string): string {
  return secret.length >= 12 ? `••••${secret.slice(-4)}` : '••••';
}

/** Reads DATA_DIR/secret-key, which the first start makes (32 random bytes, readable by its owner only). */
export function readOrMakeSecretKey(dataDir: string): string {
  const known = readSecretKey(dataDir);
  if (known !== null) return known;
  saveSecretKey(dataDir, randomBytes(32).toString('base64'));
  return readFileSync(keyPath(dataDir), 'utf8').trim();
}

/** The key in DATA_DIR/secret-key; null where there is none. Throws where the file holds too little to be one. */
export function readSecretKey(dataDir: string): string | null {
  const path = keyPath(dataDir);
  const known = readIfThere(path);
  if (known === null || known.length >= 32) return known;
  throw new Error(
    `${path} holds fewer than 32 characters. Put the key back from a backup; without it the stored secrets are lost.`,
  );
}

/** Puts a key into DATA_DIR/secret-key unless one is there; answers how to take it away again. */
export function saveSecretKey(dataDir: string, key: string): () => Promise<void> {
  const path = keyPath(dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, `${key}\n`, { mode: 0o600, flush: true });
  try {
    // A link does not overwrite: of two first starts one wins, and both read the same key.
    linkSync(fresh, path);
    return async () => rmSync(path, { force: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return async () => undefined;
  } finally {
    rmSync(fresh, { force: true });
  }
}

const keyPath = (dataDir: string) => join(dataDir, 'secret-key');

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
