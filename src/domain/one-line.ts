/** A person's text as one line: white space, control characters and line separators become single blanks. */
export const oneLine = (text: string): string => text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
