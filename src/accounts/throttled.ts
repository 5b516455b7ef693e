// Which routes of the sign-in library are counted per client address (docs/rules/limits.md#requests-a-minute): whatever
// takes a secret that could be guessed, and whatever costs a visitor nothing and us a row or a mail.

const GUESSABLE =
  /^\/auth\/((sign-in|sign-up|two-factor|passkey)\/|(request-password-reset|reset-password|change-password|verify-password)(\/|$))/;

/** Reading these writes a row, or asks the identity provider. */
const COSTLY = ['/auth/passkey/generate-authenticate-options', '/auth/oauth2/callback/oidc'];

/** Whether a route under /auth counts. A HEAD costs what its GET does. */
export function isThrottledSignIn(method: string, route: string): boolean {
  return method === 'POST' ? GUESSABLE.test(route) : COSTLY.includes(route);
}
