/** An instant as a statement takes it inside JSON; null stays null. */
export const instantOf = (ms: number | null): string | null =>
  ms === null ? null : new Date(ms).toISOString();
