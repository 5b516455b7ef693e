// Texts that run from right to left, inside sentences that run from left to right.

/** Letters of scripts that run from right to left. */
export const RIGHT_TO_LEFT = /[\p{scx=Hebr}\p{scx=Arab}\p{scx=Syrc}\p{scx=Thaa}\p{scx=Nkoo}\p{scx=Adlm}]/u;

/** A person's text inside a plain sentence: its direction changes the order of nothing beside it, and its own marks stay with it. */
export const isolated = (text: string): string => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text);
