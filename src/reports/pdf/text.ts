// Text of any script in a document: its fonts, its width, its line breaks.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { create, type Font } from 'fontkit';
import type PDFDocument from 'pdfkit';
import { oneLine } from '#src/domain/one-line.ts';

export type Style = { size: number; weight: 'regular' | 'semibold'; color: string };

/** IBM Plex Sans, as in the dashboard, in the subsets that are published. A document embeds only the glyphs it uses. */
const PARTS = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'vietnamese'] as const;
const WEIGHTS = { regular: 400, semibold: 600 } as const;
/** Replaces characters that no subset has, such as Chinese ones. */
const MISSING = '\ufffd';

const bytesOf = (part: string, weight: number) =>
  readFileSync(
    fileURLToPath(
      import.meta.resolve(`@fontsource/ibm-plex-sans/files/ibm-plex-sans-${part}-${weight}-normal.woff`),
    ),
  );

type Run = { font: string; text: string };

/** Writes into a document, and registers its fonts there. */
export function makeWriter(doc: typeof PDFDocument.prototype) {
  const fonts = PARTS.map((part) => {
    for (const [weight, number] of Object.entries(WEIGHTS))
      doc.registerFont(`${weight}-${part}`, bytesOf(part, number) as never);
    return { part, has: create(bytesOf(part, WEIGHTS.regular)) as Font };
  });
  const partOf = remembered((character: string) => {
    const code = character.codePointAt(0) ?? 0;
    return fonts.find(({ has }) => has.hasGlyphForCodePoint(code))?.part;
  });

  const runsOf = (text: string, { weight }: Style): Run[] => {
    const runs: Run[] = [];
    for (const character of text) {
      const part = partOf(character);
      const font = `${weight}-${part ?? 'latin'}`;
      const shown = part === undefined ? MISSING : character;
      const last = runs.at(-1);
      if (last?.font === font) last.text += shown;
      else runs.push({ font, text: shown });
    }
    return runs;
  };

  /** By character, at size 1: a layout of the same words for every try would take most of the time. */
  const advanceOf = remembered((key: string) => {
    const [font = '', character = ''] = key.split('\n');
    return doc.font(font).fontSize(1000).widthOfString(character) / 1000;
  });
  const widthOf = (text: string, style: Style): number => {
    let width = 0;
    for (const run of runsOf(text, style))
      for (const character of run.text) width += advanceOf(`${run.font}\n${character}`);
    return width * style.size;
  };

  /** As much of a text as fits, with a mark where it is truncated. */
  const shortened = (text: string, width: number, style: Style): string => {
    if (widthOf(text, style) <= width) return text;
    const characters = [...text];
    let [low, high] = [0, characters.length];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (widthOf(`${characters.slice(0, middle).join('')}…`, style) <= width) low = middle;
      else high = middle - 1;
    }
    return `${characters.slice(0, low).join('').trimEnd()}…`;
  };

  /** The text in lines of a width, broken between words; the last one is shortened. */
  const linesOf = (text: string, width: number, style: Style, most: number): string[] => {
    const lines: string[] = [];
    const words = writable(text).split(' ');
    let line = '';
    for (const [i, word] of words.entries()) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (line === '' || widthOf(longer, style) <= width) {
        line = longer;
        continue;
      }
      if (lines.length === most - 1) {
        lines.push(shortened([line, ...words.slice(i)].join(' '), width, style));
        return lines;
      }
      lines.push(shortened(line, width, style));
      line = word;
    }
    return [...lines, shortened(line, width, style)];
  };

  /** Writes one line with its upper left corner at a position; returns its width. */
  const put = (text: string, x: number, y: number, style: Style): number => {
    let at = x;
    for (const run of runsOf(writable(text), style)) {
      doc.font(run.font).fontSize(style.size).fillColor(style.color);
      doc.text(run.text, at, y, { lineBreak: false });
      at += doc.widthOfString(run.text);
    }
    return at - x;
  };

  /** As `put`, with the right end at `right`. */
  const putRight = (text: string, right: number, y: number, style: Style): number =>
    put(text, right - widthOf(writable(text), style), y, style);

  return {
    ...{ widthOf, linesOf, shortened, put, putRight },
    /** Whether the fonts have every character. */
    canWrite: (text: string) => [...writable(text)].every((character) => partOf(character) !== undefined),
  };
}

/** Removes line breaks and control characters, and composes characters. */
const writable = (text: string) =>
  oneLine(text.normalize('NFC'))
    .replace(/\p{Cf}/gu, '')
    .trim();

function remembered<T>(find: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    if (!known.has(key)) known.set(key, find(key));
    return known.get(key) as T;
  };
}
