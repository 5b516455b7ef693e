/** A text without the characters that XML cannot hold, not even escaped (XML 1.0, production Char). */
export const xmlText = (text: string): string =>
  text.toWellFormed().replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '');
