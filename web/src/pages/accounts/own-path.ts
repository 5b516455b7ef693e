/**
 * An address of the dashboard (its path below /app, with search), or undefined. What comes from outside must not lead
 * away after signing in: only a path of ours passes.
 */
export function ownPath(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\/(?![/\\])/.test(value)) return undefined;
  // Back to the sign-in pages would be a circle.
  if (/^\/(sign-in|sign-up|second-step|setup)\b/.test(value)) return undefined;
  const resolved = URL.parse(value, 'http://dashboard.invalid');
  return resolved?.origin === 'http://dashboard.invalid' ? value : undefined;
}
