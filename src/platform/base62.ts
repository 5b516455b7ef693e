// Text of the digits 0-9, A-Z and a-z, for values that people copy: a double click selects all of it.
import { randomBytes } from 'node:crypto';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = BigInt(DIGITS.length);

/**
 * A number in base 62 (0-9, A-Z, a-z), padded to `length`; 43 digits hold 32 bytes. Leading digits that do not fit are dropped.
 */
export function inBase62(value: bigint, digits: number): string {
  let text = '';
  for (let rest = value; text.length < digits; rest /= BASE) text = DIGITS[Number(rest % BASE)] + text;
  return text;
}

/** 32 bytes in base 62: 43 digits, as 62^43 > 2^256. */
export const RANDOM_DIGITS = 43;

export function randomBase62(bytes: Buffer = randomBytes(32)): string {
  return inBase62(BigInt(`0x${bytes.toString('hex')}`), RANDOM_DIGITS);
}
