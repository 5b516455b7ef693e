// Reads the lines of an export, each checked against the shape of its kind.
import { createReadStream } from 'node:fs';
import { nearest } from '../domain/nearest.ts';
import { problemOf } from '../platform/http/validate.ts';
import { type DataOf, FORMAT, HEADER_KIND, KINDS_OF_LINES, type LineKind } from './format.ts';
import { LineTooLong, linesOf } from './lines-of.ts';

/**
 * Several times the size of the largest row: a body may have 1 MiB, and its texts may be escaped. A whole line is held
 * in memory.
 */
const LONGEST_LINE_BYTES = 16 * 2 ** 20;

export type Line = { [K in LineKind]: { number: number; kind: K; data: DataOf<K> } }[LineKind];

/** A line that cannot be imported; nothing is imported then. */
export class BrokenLine extends Error {
  constructor(number: number, what: string) {
    super(`Line ${number} of the export cannot be imported: ${what} Nothing was imported.`);
    this.name = 'BrokenLine';
  }
}

/** Refuses a line with a reference to an id that no earlier line has. */
export function within(
  line: number,
  known: { has: (id: string) => boolean },
  id: string,
  field: string,
): void {
  if (!known.has(id)) throw notInFile(line, id, field);
}

export const notInFile = (line: number, id: string, field: string) =>
  new BrokenLine(line, `its ${field} ${id} is not in the lines before it.`);

/**
 * The lines of a file in order. Throws BrokenLine at the first that does not match its kind, and an error with a
 * sentence if the file is not an export or has a newer format. The header comes first.
 */
export async function* readLines(path: string): AsyncGenerator<Line> {
  let number = 0;
  try {
    for await (const text of linesOf(createReadStream(path), LONGEST_LINE_BYTES)) {
      number += 1;
      if (text.trim() === '') continue;
      const line = read(number, text);
      if ((number === 1) !== (line.kind === HEADER_KIND))
        throw new BrokenLine(number, `the header (${HEADER_KIND}) is the first line, and no other.`);
      yield line;
    }
  } catch (error) {
    if (!(error instanceof LineTooLong)) throw error;
    throw new BrokenLine(
      number + 1,
      `it is longer than ${LONGEST_LINE_BYTES / 2 ** 20} MiB, and no export has such a line; the file may be damaged, or not an export.`,
    );
  }
  if (number === 0) throw new Error(`${path} is empty.`);
}

function read(number: number, text: string): Line {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BrokenLine(number, 'it is no JSON.');
  }
  const { kind, data, ...rest } = (value ?? {}) as Record<string, unknown>;
  if (typeof kind !== 'string' || typeof data !== 'object' || data === null || Object.keys(rest).length > 0)
    throw new BrokenLine(number, 'it is not of the form {"kind": …, "data": {…}}.');
  if (kind === HEADER_KIND) refuseNewer((data as { format?: unknown }).format);
  if (!Object.hasOwn(KINDS_OF_LINES, kind)) {
    const meant = nearest(kind, Object.keys(KINDS_OF_LINES));
    throw new BrokenLine(number, `"${kind}" is not a known kind${meant ? ` (${meant}?)` : ''}.`);
  }
  const problem = problemOf(KINDS_OF_LINES[kind as LineKind], data);
  if (problem) throw new BrokenLine(number, `${kind}: ${problem}`);
  return { number, kind, data } as Line;
}

function refuseNewer(format: unknown): void {
  if (typeof format === 'number' && format > FORMAT)
    throw new Error(
      `The export was written by a newer Tocsin (format ${format}; this one knows ${FORMAT}). Import it with that version ` +
        'or a later one. Nothing was imported.',
    );
}
