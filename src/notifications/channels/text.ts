import { utcSecond } from '#src/domain/utc.ts';

// Makes people's texts safe for messages, and cuts them to the limits of providers.

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the ones to remove
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g;
/** Marks that change the direction of text: a name could reverse the rest of the message. */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/g;
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });
const MORE = '…';

/** Well-formed Unicode without control characters and direction marks; lines end with \n, at most two in a row. */
export function clean(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(DIRECTION, '')
    .replace(CONTROL, ' ')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** `clean`, on one line. */
export const oneLine = (text: string): string => clean(text).replace(/\s+/g, ' ');

/**
 * A cleaned text, escaped piece by piece and cut to at most `max` UTF-16 units after escaping. A cut text ends with an
 * ellipsis. No grapheme and no escape is cut in two.
 */
export function fit(
  text: string,
  max: number,
  written: (piece: string) => string = (piece) => piece,
): string {
  // Most texts are short and need no cutting.
  const whole = written(text);
  if (whole.length <= max) return whole;
  let out = '';
  for (const { segment } of GRAPHEMES.segment(text)) {
    const piece = written(segment);
    if (out.length + piece.length > max - MORE.length) break;
    out += piece;
  }
  return `${out.trimEnd()}${MORE}`.slice(0, max);
}

/** The bytes of a text in UTF-8. */
export const bytesOf = (text: string): number => Buffer.byteLength(text, 'utf8');

/** A span of seconds in words of at most two units: 45 s, 12 min, 3 h 5 min, 2 d 4 h. */
export function span(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [d, h, min] = [
    Math.floor(whole / 86_400),
    Math.floor(whole / 3600) % 24,
    Math.floor(whole / 60) % 60,
  ];
  if (d > 0) return h > 0 ? `${d} d ${h} h` : `${d} d`;
  if (h > 0) return min > 0 ? `${h} h ${min} min` : `${h} h`;
  return min > 0 ? `${min} min` : `${whole} s`;
}

/** A time for channels that cannot show the reader's own format: 2026-11-21 23:06:17 UTC. */
export function utc(unix: number): string {
  return utcSecond(unix * 1000);
}
