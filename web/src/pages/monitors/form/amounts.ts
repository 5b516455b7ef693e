// Optional numbers and texts: '' in the form, null in the API.
export type Amount = number | '';

export const orNull = <T extends string | number>(value: T | ''): T | null => (value === '' ? null : value);

export const orEmpty = <T extends string | number>(value: T | null | undefined): T | '' => value ?? '';

/** The trimmed text, or null if it is empty. */
export const textOrNull = (value: string): string | null => orNull(value.trim());
