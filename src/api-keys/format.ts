// The text of an API key: `tcn_`, 32 random bytes in base62 and a checksum (docs/rules/access.md#api-keys). The checksum
// tells a mistyped or made-up key from a possible one without asking the database.
import { crc32 } from 'node:zlib';
import { inBase62, RANDOM_DIGITS, randomBase62 } from '../platform/base62.ts';

const PREFIX = 'tcn_';
/** 62^6 > 2^32. */
const CHECKSUM_DIGITS = 6;
const SHAPE = new RegExp(`^${PREFIX}([0-9A-Za-z]{${RANDOM_DIGITS}})([0-9A-Za-z]{${CHECKSUM_DIGITS}})$`);

/** A new key, 53 characters, from 32 bytes that nobody can guess. */
export function makeKey(bytes?: Buffer): string {
  const random = randomBase62(bytes);
  return `${PREFIX}${random}${checksum(random)}`;
}

/** Whether a text can be a key at all: prefix, length, alphabet and checksum. */
export function isKeyShaped(text: string): boolean {
  const [, random = '', given = ''] = SHAPE.exec(text) ?? [];
  return random !== '' && checksum(random) === given;
}

/** The part of a key that is stored beside its hash, to recognize it by. */
export const keyPrefix = (key: string): string => key.slice(0, 8);

const checksum = (random: string) => inBase62(BigInt(crc32(PREFIX + random)), CHECKSUM_DIGITS);
