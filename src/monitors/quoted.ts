/** A text from outside inside a sentence: in quotes, and not longer than a line can bear. */
export const quoted = (text: string): string =>
  JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
