/** Unix seconds of an instant; fractions are dropped. */
export const unix = (at: Date): number => Math.floor(at.getTime() / 1000);

/** Unix seconds of an instant in milliseconds; null stays null. */
export function unixOfMs(ms: number): number;
export function unixOfMs(ms: number | null): number | null;
export function unixOfMs(ms: number | null): number | null {
  return ms === null ? null : Math.floor(ms / 1000);
}

/** Unix seconds, or null. */
export const unixOrNull = (at: Date | null): number | null => (at === null ? null : unix(at));
