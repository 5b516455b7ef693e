/** Whether two values that JSON can hold differ. Their keys stand in the same order. */
export const differ = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b);
