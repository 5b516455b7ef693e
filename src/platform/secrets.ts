// Secrets at rest: sealed with AES-256-GCM under SECRET_KEY (docs/self-hosting.md); tokens are stored as hashes.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** Prefixes of seals. `2` is followed by the key's name; `1` is from before keys had names. */
const PREFIX = 'sealed:2:';
const UNNAMED_PREFIX = 'sealed:1:';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type Vault = {
  /**
   * Encrypts a text under the current key. `context` names its place (kind, id, field), the only place where it can be opened.
   */
  seal(text: string, context: string): string;
  /** Throws SecretUnreadable if the text was sealed under none of the keys or for another context. */
  open(sealed: string, context: string): string;
  isSealed(text: string): boolean;
  /** Whether a sealed text states that it is sealed under the current key. */
  isCurrent(sealed: string): boolean;
  /** A separate key for one purpose (sessions, for example), 32 bytes, the same on every start under the same SECRET_KEY. */
  derive(purpose: string): Buffer;
  /** The same for every earlier key, newest first; none unless SECRET_KEY is being rotated. */
  deriveEarlier(purpose: string): Buffer[];
  /** The names of the keys in seals and backups, the current one first. */
  keyIds: readonly [string, ...string[]];
};

export class SecretUnreadable extends Error {
  constructor(context: string) {
    super(
      `The stored secret of ${context} cannot be opened: SECRET_KEY is not the one it was sealed with. ` +
        'Start with the earlier key (SECRET_KEY_PREVIOUS while it is rotated), or enter the secret again.',
    );
    this.name = 'SecretUnreadable';
  }
}

/**
 * The vault under one SECRET_KEY (any text of at least 32 characters; see config). During a rotation there are `earlier` keys,
 * newest first: they open what was sealed under them, and nothing is sealed under them any more.
 */
export function openVault(secretKey: string, earlier: readonly string[] = []): Vault {
  const current = keyOf(secretKey);
  const others = earlier.map(keyOf);
  const keys = [current, ...others];
  return {
    derive: current.derive,
    deriveEarlier: (purpose) => others.map(({ derive }) => derive(purpose)),
    keyIds: [current.id, ...others.map(({ id }) => id)],
    isSealed: (text) => text.startsWith(PREFIX) || text.startsWith(UNNAMED_PREFIX),
    isCurrent: (sealed) => sealed.startsWith(`${PREFIX}${current.id}:`),
    seal(text, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', current.key, nonce).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${PREFIX}${current.id}:${sealed.toString('base64')}`;
    },
    open(sealed, context) {
      const [, id, body = ''] = /^sealed:(?:1|2:([0-9a-f]{16})):(.*)$/.exec(sealed) ?? [];
      const bytes = Buffer.from(body, 'base64');
      for (const { key } of keys.filter((one) => id === undefined || one.id === id)) {
        const text = bytes.length < NONCE_BYTES + TAG_BYTES ? null : opened(bytes, key, context);
        if (text !== null) return text;
      }
      throw new SecretUnreadable(context);
    },
  };
}

/** The name of a SECRET_KEY: distinguishes keys and reveals nothing about them. */
export const secretKeyId = (secretKey: string): string => keyOf(secretKey).id;

function keyOf(secretKey: string) {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secretKey, 'tocsin', purpose, 32));
  const id = derive('fingerprint').subarray(0, 8).toString('hex');
  return { id, key: derive('secrets at rest'), derive };
}

/** null if it does not open. */
function opened(bytes: Buffer, key: Buffer, context: string): string | null {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}

/** A new token that nobody can guess, from this many random bytes: base64url, which needs no escaping anywhere. */
export function randomToken(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

/** SHA-256 of a token: stored instead of a long random one (keys, invitations, probe tokens). */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}

/** Whether two secrets are equal, compared in constant time. */
export function sameSecret(left: string, right: string): boolean {
  return timingSafeEqual(hashToken(left), hashToken(right));
}
