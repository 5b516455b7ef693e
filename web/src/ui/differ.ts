/** Whether two JSON values differ. Their keys have the same order. */
export const differ = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b);
