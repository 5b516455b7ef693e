// Steps of the time axis, and the labels of its ticks.
import type { Formats } from '#web/format.ts';

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];

/** Seconds between two ticks. */
export const TIME_STEPS: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 3, 7, 14, 28, 56].map((count) => count * DAY),
];

/** Clock time within a day, the date at its midnight, only dates if ticks are days apart. */
export function timeLabel(at: number, step: number, formats: Pick<Formats, 'clock' | 'day'>): string {
  const clock = formats.clock(at);
  if (step >= DAY || clock === '00:00:00') return formats.day(at);
  return step < MINUTE ? clock : clock.slice(0, 5);
}
