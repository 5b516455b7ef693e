// Numbers and texts that a form may leave empty: '' in the form, null on the wire.
export type Amount = number | '';

export const orNull = <T extends string | number>(value: T | ''): T | null => (value === '' ? null : value);

export const orEmpty = <T extends string | number>(value: T | null | undefined): T | '' => value ?? '';

/** A trimmed text, or null when nothing is left. */
export const textOrNull = (value: string): string | null => orNull(value.trim());
