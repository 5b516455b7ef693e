// Tells whether checks may be packed already, so that hot statements read blocks only where there can be any.
import { HOUR_MS } from '#src/domain/durations.ts';

/** The trigger of late results looks at those that are older than this; nothing younger is ever sealed. */
const NEVER_SEALED_MS = 25 * HOUR_MS;

/** Whether checks from `since` on, in Unix milliseconds, may be packed at `now`. */
export const mayBePacked = (sinceMs: number, now: Date): boolean => sinceMs < now.getTime() - NEVER_SEALED_MS;
