/** Whether two JSON values differ. Their keys have the same order. */
export const isDifferent = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b);
