// Which e-mail addresses can have an account: those that the sign-in library takes, and no others. An account with
// another address could be made by an invitation, and nobody could ever sign in to it.

const ADDRESS = /^(?:[a-z0-9_'+-]+\.)*[a-z0-9_'+-]*[a-z0-9_+-]@(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/;
const MAX_LENGTH = 254;

/** The address in lower case and without blanks around it, as it is kept; null when it is none. */
export function emailAddress(text: string): string | null {
  const address = text.trim().toLowerCase();
  return address.length <= MAX_LENGTH && ADDRESS.test(address) ? address : null;
}
