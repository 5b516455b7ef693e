// How long a session lasts: 12 hours without a request, 30 days in all.
import { refuse } from '../platform/refusals.ts';

/** After this long without a request a session ends. */
export const IDLE_SECONDS = 12 * 3600;
/** A session in use is renewed this often at most: idle time is exact to this. */
export const REFRESH_SECONDS = 15 * 60;
const LONGEST_SECONDS = 30 * 24 * 3600;

/** When a session ends however much it is used. */
export function absoluteEnd(createdAt: Date | string): Date {
  return new Date(new Date(createdAt).getTime() + LONGEST_SECONDS * 1000);
}

/** Largest age of the proof for acts that a borrowed session must not do. */
const FRESH_MS = 15 * 60_000;

/** When the person of a session last proved their identity. */
export function authenticatedAt(session: {
  createdAt: Date | string;
  authenticatedAt?: Date | string | null;
}): Date {
  return new Date(session.authenticatedAt ?? session.createdAt);
}

/** Refuses with `fresh_sign_in_required` if the last proof of identity is too old. */
export function refuseStale(at: Date, now: Date): void {
  if (now.getTime() - at.getTime() <= FRESH_MS) return;
  refuse(
    'fresh_sign_in_required',
    'This wants a sign-in of the last 15 minutes: it must be certain that it is you. Sign in again, or prove yourself with POST /me/authentication, then repeat it.',
  );
}
