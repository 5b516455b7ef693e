import type { NoticeChannel } from './data.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/**
 * Pauses between the attempts of a notice. Mail: about an hour in all, for servers that make unknown senders wait
 * (greylisting) and for a mail server that restarts. Push: ten minutes; by then the other channels have rung.
 */
export const PAUSES_MS: Readonly<Record<NoticeChannel, readonly number[]>> = {
  mail: [
    5 * SECOND,
    15 * SECOND,
    45 * SECOND,
    2 * MINUTE,
    5 * MINUTE,
    10 * MINUTE,
    10 * MINUTE,
    15 * MINUTE,
    15 * MINUTE,
  ],
  push: [5 * SECOND, 15 * SECOND, 45 * SECOND, 2 * MINUTE, 5 * MINUTE],
};

const MAX_RETRY_AFTER_MS = 10 * MINUTE;
const JITTER = 0.2;

/**
 * The pause after attempt number `attempt` (from 1) failed, in milliseconds, with 20 % jitter (`random` in [0, 1)); null:
 * that was the last one. A service may ask for a longer pause, up to ten minutes.
 */
export function pauseAfter(
  channel: NoticeChannel,
  attempt: number,
  random: number,
  askedMs: number | null = null,
): number | null {
  const pause = PAUSES_MS[channel][attempt - 1];
  if (pause === undefined) return null;
  const jittered = pause * (1 + JITTER * (2 * random - 1));
  return Math.round(Math.max(jittered, Math.min(askedMs ?? 0, MAX_RETRY_AFTER_MS)));
}
