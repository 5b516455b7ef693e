// Routes of the sign-in library that are counted per client address (docs/rules/limits.md#requests-a-minute): those that
// take a guessable secret, and those that are free for a visitor but cost us a row or a mail.

const GUESSABLE =
  /^\/auth\/((sign-in|sign-up|two-factor|passkey)\/|(request-password-reset|reset-password|change-password|verify-password)(\/|$))/;

/** Reads that write a row or ask the identity provider. */
const COSTLY = ['/auth/passkey/generate-authenticate-options', '/auth/oauth2/callback/oidc'];

/** Whether a route under /auth counts. A HEAD costs what its GET does. */
export function isThrottledSignIn(method: string, route: string): boolean {
  return method === 'POST' ? GUESSABLE.test(route) : COSTLY.includes(route);
}
