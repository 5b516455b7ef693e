const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = BigInt(DIGITS.length);

/** A number in base 62 (0-9, A-Z, a-z), padded to `length`; 43 digits hold 32 bytes. Leading digits that do not fit are cut. */
export function inBase62(value: bigint, digits: number): string {
  let text = '';
  for (let rest = value; text.length < digits; rest /= BASE) text = DIGITS[Number(rest % BASE)] + text;
  return text;
}
