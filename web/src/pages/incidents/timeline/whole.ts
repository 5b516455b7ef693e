/** The maximum number of timeline entries, or notes, in one response. */
export const WHOLE = { limit: 1000 } as const;
