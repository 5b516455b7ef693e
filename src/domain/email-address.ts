// Accepts only e-mail addresses that the sign-in library accepts: an invitation could create an account with any other, but
// nobody could sign in to it.

const ADDRESS = /^(?:[a-z0-9_'+-]+\.)*[a-z0-9_'+-]*[a-z0-9_+-]@(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/;
/** RFC 5321, 4.5.3.1: octets before the @, and of a path without its brackets. */
const MAX_LOCAL = 64;
const MAX_OCTETS = 254;

/** The address as it is stored, trimmed and in lower case; null if it is not valid. */
export function emailAddress(text: string): string | null {
  const address = text.trim().toLowerCase();
  return isMailable(address) && ADDRESS.test(address) ? address : null;
}

/** Whether an address is within the lengths that mail servers must accept; RFC 5321 lets them refuse longer ones. */
export function isMailable(address: string): boolean {
  const octets = new TextEncoder().encode(address).length;
  const local = new TextEncoder().encode(address.slice(0, Math.max(0, address.lastIndexOf('@')))).length;
  return octets <= MAX_OCTETS && local <= MAX_LOCAL;
}
