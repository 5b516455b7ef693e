const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = BigInt(DIGITS.length);

/** A number in so many digits of 0-9, A-Z, a-z: 43 hold 32 bytes. What does not fit is cut off in front. */
export function inBase62(value: bigint, digits: number): string {
  let text = '';
  for (let rest = value; text.length < digits; rest /= BASE) text = DIGITS[Number(rest % BASE)] + text;
  return text;
}
