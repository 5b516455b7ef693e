// Splits a stream of bytes into lines of limited length.

/** A line is longer than allowed. */
export class LineTooLong extends Error {
  constructor() {
    super('a line is too long');
    this.name = 'LineTooLong';
  }
}

const NEWLINE = 0x0a;

/**
 * The lines of a text in UTF-8, without their ends (LF or CRLF, and nothing else: JSON may hold U+2028 as it is). Holds
 * one line at a time, and throws LineTooLong as soon as one has more than `maxBytes`, wherever its end may be.
 */
export async function* linesOf(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<string> {
  let begun: Buffer[] = [];
  let bytes = 0;
  const take = (part: Buffer): void => {
    bytes += part.length;
    if (bytes > maxBytes) throw new LineTooLong();
    begun.push(part);
  };
  const end = (): string => {
    const line = Buffer.concat(begun).toString('utf8');
    begun = [];
    bytes = 0;
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      take(chunk.subarray(from, at));
      yield end();
      from = at + 1;
    }
    take(chunk.subarray(from));
  }
  if (bytes > 0) yield end();
}
