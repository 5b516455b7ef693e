/**
 * A path of the dashboard (below /app, with its search), or undefined for anything else: an address from outside must not
 * redirect to another site after signing in.
 */
export function ownPath(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\/(?![/\\])/.test(value)) return undefined;
  // The sign-in pages would lead back to themselves.
  if (/^\/(sign-in|sign-up|second-step|setup)\b/.test(value)) return undefined;
  const resolved = URL.parse(value, 'http://dashboard.invalid');
  return resolved?.origin === 'http://dashboard.invalid' ? value : undefined;
}
