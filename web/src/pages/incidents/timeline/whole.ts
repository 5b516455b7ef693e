/** As much of a timeline, or of its notes, as comes with one answer. */
export const WHOLE = { limit: 1000 } as const;
