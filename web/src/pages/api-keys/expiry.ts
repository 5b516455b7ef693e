// When a key ends: presets in days, never, or the end of a chosen day in the reader's zone.
export const EXPIRY_CHOICES = ['30', '90', '365', 'never', 'date'] as const;
export type ExpiryChoice = (typeof EXPIRY_CHOICES)[number];

const DAY_SECONDS = 86_400;

/**
 * Unix seconds at which the key ends; null for never, undefined when `date` (YYYY-MM-DD) names no day still to come.
 * The chosen day is the last one on which the key works.
 */
export function expiresAt(choice: ExpiryChoice, date: string, now: number): number | null | undefined {
  if (choice === 'never') return null;
  if (choice !== 'date') return now + Number(choice) * DAY_SECONDS;
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const end = Math.floor(new Date(year, month - 1, day + 1).getTime() / 1_000);
  return /^\d{4}-\d{2}-\d{2}$/.test(date) && end > now ? end : undefined;
}
