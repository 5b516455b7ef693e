// Values of JSON assertions as people type them: JSON if it parses, bare text if that is unambiguous.

/** A JSON value as text for a field. */
export function jsonToText(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') return JSON.stringify(value);
  try {
    JSON.parse(value);
    return JSON.stringify(value);
  } catch {
    return value;
  }
}

/** The reverse. */
export function textToJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
