/** Keeps the line of words that are not known yet, so that nothing moves once they are. */
export const EMPTY_LINE = '\u00a0';
