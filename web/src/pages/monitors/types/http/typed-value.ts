// Values of JSON assertions as they are typed: JSON where it is JSON, bare text where it cannot be mistaken for it.

/** A JSON value as text for a field. */
export function typed(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') return JSON.stringify(value);
  try {
    JSON.parse(value);
    return JSON.stringify(value);
  } catch {
    return value;
  }
}

/** The way back. */
export function meant(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
