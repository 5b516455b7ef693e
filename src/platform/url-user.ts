/** The user and password of an address, decoded; null: it has no user and no password. */
export function userOf({ username, password }: URL): { user: string; pass: string } | null {
  if (username === '' && password === '') return null;
  return { user: decoded(username), pass: decoded(password) };
}

/** People write a bare % into a password as often as an encoded one. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
