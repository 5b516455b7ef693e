// Which e-mail addresses can have an account: those that the sign-in library takes, and no others. An account with
// another address could be made by an invitation, and nobody could ever sign in to it.

const ADDRESS = /^(?:[a-z0-9_'+-]+\.)*[a-z0-9_'+-]*[a-z0-9_+-]@(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/;
/** RFC 5321, 4.5.3.1: octets before the @, and of a path without its brackets. */
const MOST_LOCAL = 64;
const MOST_OCTETS = 254;

/** The address in lower case and without blanks around it, as it is kept; null when it is none. */
export function emailAddress(text: string): string | null {
  const address = text.trim().toLowerCase();
  return isMailable(address) && ADDRESS.test(address) ? address : null;
}

/** Whether what would be an address is short enough that mail servers take it, which RFC 5321 lets them refuse beyond. */
export function isMailable(address: string): boolean {
  const octets = new TextEncoder().encode(address).length;
  const local = new TextEncoder().encode(address.slice(0, Math.max(0, address.lastIndexOf('@')))).length;
  return octets <= MOST_OCTETS && local <= MOST_LOCAL;
}
