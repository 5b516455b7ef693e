// Finds whether one text occurs in another, in linear time even if an attacker chooses both.

/** The engine's own search is used up to this many comparisons of characters: a few milliseconds. */
const NATIVE_STEPS = 4_000_000;

/**
 * Like `text.includes(wanted)`. The engine's own search is the quickest by far, but takes text × wanted steps at worst, and
 * nothing can stop it meanwhile. If that could be many, another search is used, which always takes text + wanted steps.
 */
export function occursIn(text: string, wanted: string): boolean {
  if (text.length * wanted.length <= NATIVE_STEPS) return text.includes(wanted);
  return linearly(text, wanted);
}

/** The same for bytes. */
export function bytesOccurIn(bytes: Uint8Array, wanted: Uint8Array): boolean {
  return occursIn(latin1(bytes), latin1(wanted));
}

const latin1 = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

/** Knuth, Morris and Pratt. */
function linearly(text: string, wanted: string): boolean {
  const length = wanted.length;
  if (length === 0) return true;
  if (length > text.length) return false;
  const border = new Int32Array(length);
  for (let i = 1, matched = 0; i < length; i++) {
    const code = wanted.charCodeAt(i);
    while (matched > 0 && wanted.charCodeAt(matched) !== code) matched = border[matched - 1] as number;
    if (wanted.charCodeAt(matched) === code) matched += 1;
    border[i] = matched;
  }
  for (let i = 0, matched = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    while (matched > 0 && wanted.charCodeAt(matched) !== code) matched = border[matched - 1] as number;
    if (wanted.charCodeAt(matched) === code) matched += 1;
    if (matched === length) return true;
  }
  return false;
}
