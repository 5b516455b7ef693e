// How long a session lasts (reliability, section 1): 12 hours without a request, 30 days in all.

/** After this long without a request a session ends. */
export const IDLE_SECONDS = 12 * 3600;
/** A session in use is renewed this often at most: idle time is exact to this. */
export const REFRESH_SECONDS = 15 * 60;
const LONGEST_SECONDS = 30 * 24 * 3600;

/** When a session ends however much it is used. */
export function absoluteEnd(createdAt: Date | string): Date {
  return new Date(new Date(createdAt).getTime() + LONGEST_SECONDS * 1000);
}

/** Adding a way in wants a sign-in not older than this (reliability, section 1, step-up). */
const FRESH_MS = 15 * 60_000;

/** Whether somebody signed in so recently that it is certainly them. */
export function isFresh(createdAt: Date | string, now: Date): boolean {
  return now.getTime() - new Date(createdAt).getTime() <= FRESH_MS;
}
