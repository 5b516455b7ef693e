// When a key expires: presets in days, never, or at the end of a chosen day in the reader's time zone.
export const EXPIRY_CHOICES = ['30', '90', '365', 'never', 'date'] as const;
export type ExpiryChoice = (typeof EXPIRY_CHOICES)[number];

const DAY_SECONDS = 86_400;

/**
 * Unix seconds at which the key expires; null for never, undefined if `date` (YYYY-MM-DD) is not a future day. The key
 * works until the end of the chosen day.
 */
export function expiresAt(choice: ExpiryChoice, date: string, now: number): number | null | undefined {
  if (choice === 'never') return null;
  if (choice !== 'date') return now + Number(choice) * DAY_SECONDS;
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const end = Math.floor(new Date(year, month - 1, day + 1).getTime() / 1_000);
  return /^\d{4}-\d{2}-\d{2}$/.test(date) && end > now ? end : undefined;
}
